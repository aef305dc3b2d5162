import { describe, expect, it } from "vitest";
import { readJob, type JobFiles } from "../../../src/jobs/job-folder.ts";
import { lastLines } from "../../../src/jobs/last-lines.ts";
import { appendState, readState, recordOf } from "../../../src/jobs/state-file.ts";

const JOB = {
  schema: "hasp.job/1",
  id: "one",
  title: "One",
  cwd: ".",
  env: {},
  passEnv: [],
  commands: [{ program: "hasp", args: [], about: "Run." }],
};

function filesWith(
  contents: Record<string, string>,
): JobFiles & { readonly contents: Record<string, string> } {
  const bytesOf = (path: string): Uint8Array => new TextEncoder().encode(contents[path] ?? "");
  return {
    contents,
    stat: async (path) =>
      contents[path] === undefined ? undefined : { size: bytesOf(path).length, mtimeMs: 0, isFile: true },
    read: async (path, offset, length) => bytesOf(path).slice(offset, offset + length),
    append: async (path, data) => {
      contents[path] = (contents[path] ?? "") + new TextDecoder().decode(data);
    },
  };
}

const codesOf = async (text: string | undefined): Promise<string[]> => {
  const { value, diagnostics } = await readJob(
    filesWith(text === undefined ? {} : { "/job/job.json": text }),
    "/job",
  );
  return value === undefined ? diagnostics.map(({ code }) => code) : ["fine"];
};

describe("job.json", () => {
  it.each([
    ["none", undefined, ["HASP720"]],
    ["no JSON", "{", ["HASP721"]],
    ["as it should be", JSON.stringify(JOB), ["fine"]],
    ["of another schema", JSON.stringify({ ...JOB, schema: "hasp.job/2" }), ["HASP722"]],
    [
      "a consent",
      JSON.stringify({ ...JOB, commands: [{ program: "hasp", args: ["hook", "trust"], about: "" }] }),
      ["HASP833"],
    ],
    [
      "a consent in a script",
      JSON.stringify({
        ...JOB,
        commands: [{ program: "python", args: ["-c", "system('hasp mcp trust')"], about: "" }],
      }),
      ["HASP833"],
    ],
    ["an id that is a path", JSON.stringify({ ...JOB, id: "../x" }), ["HASP722"]],
    [
      "another program",
      JSON.stringify({ ...JOB, commands: [{ program: "rm", args: [], about: "" }] }),
      ["HASP722"],
    ],
    ["a key", JSON.stringify({ ...JOB, env: { HF_TOKEN: "hf_abcdefgh1234567" } }), ["HASP723"]],
    [
      "a password in a URL",
      JSON.stringify({ ...JOB, env: { PROXY: "http://me:hunter22@h:1" } }),
      ["HASP723"],
    ],
  ])("%s", async (_name, text, codes) => {
    expect(await codesOf(text)).toEqual(codes);
  });
});

const TOKEN = "00000000-0000-4000-8000-000000000001";
const attempt = (n: number) =>
  ({ kind: "attempt", attempt: n, at: `t${n}`, backend: "local", token: TOKEN, log: 0 }) as const;
const end = (n: number, status: string) => ({ kind: "end", attempt: n, at: "e", status });
const stateOf = async (...lines: readonly object[]) => {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return (await readState(filesWith({ "/job/state.jsonl": text }), "/job")).value;
};

describe("state.jsonl", () => {
  it("no file is a prepared job", async () => {
    expect(recordOf((await readState(filesWith({}), "/job")).value)).toEqual({ status: "prepared" });
  });

  it("the last attempt counts, and lines of kinds that are not known do not", async () => {
    const state = await stateOf(attempt(1), end(1, "failed"), { kind: "later" }, attempt(2), {
      kind: "command",
      attempt: 2,
      at: "t",
      command: 1,
    });
    expect(recordOf(state)).toEqual({ status: "running", attempt: 2, startedAt: "t2", command: 1 });
  });

  it("an attempt begins once, and its first end counts", async () => {
    const state = await stateOf(
      attempt(1),
      { ...attempt(1), at: "again" },
      end(1, "stopped"),
      end(1, "succeeded"),
    );
    expect(recordOf(state)).toMatchObject({ status: "stopped", startedAt: "t1" });
  });

  it("a line that an interrupted writer left half written is skipped with a warning, and the next one begins anew", async () => {
    const half = `${JSON.stringify(attempt(1))}\n{"kind":"end","att`;
    const files = filesWith({ "/job/state.jsonl": half });
    await appendState(files, "/job", attempt(2));
    const { value, diagnostics } = await readState(files, "/job");
    expect(value.attempts.map(({ began }) => began.attempt)).toEqual([1, 2]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP724"]);
  });
});

it("the last lines of an output that comes in pieces: 20 that are not empty, without what a progress bar wrote over", () => {
  const lines = lastLines();
  for (let i = 0; i < 30; i++) lines.add(`line ${i}\n\n`);
  lines.add("10%\r20");
  lines.add("%\nTrace");
  lines.add("back");
  const list = lines.list();
  expect([list.length, list[0], ...list.slice(-2)]).toEqual([20, "line 12", "20%", "Traceback"]);
});
