import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checked } from "../../../../src/app/refusal.ts";
import {
  bundleOf,
  inputHere,
  metricsThere,
  normalized,
  outputsOf,
} from "../../../../src/jobs/remote/bundle.ts";
import type { JobSpec } from "../../../../src/model/job.ts";
import { nodeFiles } from "../../../../src/platform/files.ts";

let root: string;
const files = nodeFiles();
const here = (...names: string[]): string => path.join(root, "ws", ...names);
const JOB = ".hasp/jobs/one";

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-bundle-"));
  for (const folder of [JOB, "data/deep", "models/student", "empty"])
    fs.mkdirSync(here(folder), { recursive: true });
  fs.mkdirSync(path.join(root, "shared"));
  fs.writeFileSync(path.join(root, "shared/corpus.jsonl"), "{}\n");
  for (const name of ["data/a.jsonl", "data/deep/b.jsonl", "models/student/config.json"])
    fs.writeFileSync(here(name), "{}\n");
  fs.writeFileSync(
    here("train.json"),
    JSON.stringify({
      model: here("models/student"),
      data: ["data/a.jsonl"],
      output: "out",
      epochs: 2,
      note: "data",
    }),
  );
});
afterAll(() => fs.rmSync(root, { recursive: true }));

const spec = (args: readonly string[], fields: Partial<JobSpec> = {}): JobSpec => ({
  schema: "hasp.job/1",
  id: "one",
  title: "One",
  cwd: "../../..",
  commands: [{ program: "hasp", args: [...args], about: "work" }],
  env: {},
  passEnv: [],
  ...fields,
});

async function sent(args: readonly string[], fields: Partial<JobSpec> = {}) {
  const { value, diagnostics } = await checked(async () => bundleOf(files, here(JOB), spec(args, fields)));
  return { value, code: diagnostics.at(-1)?.code };
}

describe("the name of an input on its target", () => {
  const shared = (): string => path.join(root, "shared/corpus.jsonl");
  const job = (): JobSpec => spec([], { inputs: ["models/student", shared()] });

  test("leads to its place here, inside the workspace and outside of it", async () => {
    expect(inputHere(here(JOB), job(), "models/student")).toBe(here("models/student"));
    const { value } = await sent(["run", "--corpus", shared()], { inputs: ["models/student", shared()] });
    const there = value?.spec.commands[0]?.args.at(-1) ?? "";
    expect(there).not.toBe(shared());
    expect(inputHere(here(JOB), job(), there)).toBe(shared());
  });

  test("of something else leads nowhere", () => {
    expect(inputHere(here(JOB), job(), "owner/name")).toBeUndefined();
  });
});

describe("the bundle of a job", () => {
  test("has the files of its inputs at their places below the workspace there", async () => {
    const { value } = await sent(["run", "--questions", "data/a.jsonl"], { inputs: ["data", "empty"] });
    expect(value?.files.map(({ at }) => at).toSorted()).toEqual([
      "workspace/data/a.jsonl",
      "workspace/data/deep/b.jsonl",
    ]);
    expect(value?.folders).toEqual(["workspace", "workspace/empty"]);
    expect(value?.spec.cwd).toBe("../../work/one/workspace");
    expect(value?.spec.commands[0]?.args).toEqual(["run", "--questions", "data/a.jsonl"]);
  });

  test("names inputs from elsewhere at a place of their own, also behind an option and in a folder", async () => {
    const outside = path.join(root, "shared/corpus.jsonl");
    const { value } = await sent(
      [
        "run",
        "--corpus",
        outside,
        `--corpus=${outside}`,
        "--skills",
        here("data/deep"),
        "../shared/corpus.jsonl",
        `${outside}.bak`,
      ],
      { inputs: [outside, here("data"), "../shared/corpus.jsonl"] },
    );
    expect(value?.spec.commands[0]?.args).toEqual([
      "run",
      "--corpus",
      "../inputs/1-corpus.jsonl",
      "--corpus=../inputs/1-corpus.jsonl",
      "--skills",
      "data/deep",
      "../inputs/3-corpus.jsonl",
      // Another file, whose name only begins alike.
      `${outside}.bak`,
    ]);
    expect(value?.files.map(({ at }) => at)).toContain("inputs/1-corpus.jsonl");
  });

  test("renames inputs in configurations, and leaves their other texts", async () => {
    const { value } = await sent(["train", "train.json"], {
      inputs: ["train.json", here("models/student"), "data/a.jsonl"],
      configs: ["train.json"],
      serve: { model: here("models/student"), engine: "auto" },
    });
    const [config] = value?.written ?? [];
    expect(config?.at).toBe("workspace/train.json");
    expect(JSON.parse(config?.text ?? "")).toEqual({
      model: "models/student",
      data: ["data/a.jsonl"],
      output: "out",
      epochs: 2,
      note: "data",
    });
    expect(value?.files.map(({ at }) => at)).not.toContain("workspace/train.json");
    expect(value?.spec.serve?.model).toBe("models/student");
    expect(JSON.stringify(value?.spec)).not.toContain(root);
  });

  test("is refused where an input is missing, or an output leaves the workspace", async () => {
    expect((await sent([], { inputs: ["data/none.jsonl"] })).code).toBe("HASP790");
    for (const output of ["../out", "/etc/out", "data/../../out", "."])
      expect((await sent([], { outputs: [output] })).code).toBe("HASP811");
  });

  test("brings outputs to the places that the commands name, and finds metrics there", () => {
    const job = spec([], {
      outputs: ["out/adapter", here("runs/a")],
      metrics: ["out/metrics.jsonl", here("runs/a/m.jsonl")],
    });
    expect(outputsOf(here(JOB), job)).toEqual([
      { at: "workspace/out/adapter", to: here("out/adapter") },
      { at: "workspace/runs/a", to: here("runs/a") },
    ]);
    expect(metricsThere(here(JOB), job)).toEqual(["workspace/out/metrics.jsonl", "workspace/runs/a/m.jsonl"]);
  });
});

test.each([
  ["/a/./b//c", "/a/b/c"],
  ["/a/b/../c", "/a/c"],
  ["C:\\ws\\data", "C:/ws/data"],
  ["workspace/../inputs/1-x", "inputs/1-x"],
  ["../a/../../b", "../../b"],
])("%s without detours is %s", (text, path) => {
  expect(normalized(text)).toBe(path);
});
