import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checked } from "../../../../src/app/refusal.ts";
import { fetchOutputs } from "../../../../src/jobs/remote/fetch-outputs.ts";
import type {
  RemoteFrame,
  RemoteLink,
  RemotePorts,
  RemoteRequest,
} from "../../../../src/jobs/remote/ports.ts";
import { withTarget } from "../../../../src/jobs/remote/refusals.ts";
import type { JobSpec } from "../../../../src/model/job.ts";
import { remotePorts } from "../../../../src/platform/remote/remote-jobs.ts";
import { BAD_HASHES, BAD_NAMES } from "../../../support/hostile-names.ts";

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

let place: string;
let folder: string;
let ports: RemotePorts;
beforeEach(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-fetch-"));
  folder = path.join(place, "workspace/.hasp/jobs/j1");
  for (const made of [folder, path.join(place, "victim"), path.join(place, "workspace/.git/hooks")])
    fs.mkdirSync(made, { recursive: true });
  ports = remotePorts({ build: { cli: "", trainer: "" }, environment: {}, on: () => undefined });
});
afterEach(() => fs.rmSync(place, { recursive: true, force: true }));

const here = (...parts: readonly string[]): string => path.join(place, "workspace", ...parts);

/** Every file of a folder with its text, but those of the job's own folder. */
function filesOf(root: string): Readonly<Record<string, string>> {
  const names = fs.readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => fs.statSync(path.join(root, name)).isFile());
  return Object.fromEntries(
    files.toSorted().map((name) => [name, fs.readFileSync(path.join(root, name), "utf8")]),
  );
}

const specOf = (fields: Partial<JobSpec>): JobSpec => ({
  schema: "hasp.job/1",
  id: "j1",
  title: "One",
  cwd: "../../..",
  commands: [{ program: "hasp", args: [], about: "" }],
  env: {},
  passEnv: [],
  outputs: ["runs/r1"],
  ...fields,
});

type Reply = (request: RemoteRequest) => Iterable<RemoteFrame>;

const frame = (header: object, body = ""): RemoteFrame => ({
  header: header as Record<string, unknown>,
  body: new TextEncoder().encode(body),
});

/** The fetch of a job from a target that answers so; its refusal, or the number of files that came. */
async function fetched(reply: Reply, fields: Partial<JobSpec> = {}) {
  const named = { name: "lab", target: { kind: "ssh", host: "box", folder: "~/hasp" } as const };
  const record = { ...named, root: "/there", number: 1, job: "runner", same: {} };
  const link: RemoteLink = {
    async *call(request) {
      yield* reply(request);
    },
  };
  const { value, diagnostics } = await checked(async () =>
    withTarget(named, async () => fetchOutputs(ports, link, { folder, spec: specOf(fields), record })),
  );
  const last = diagnostics.at(-1);
  return last === undefined ? value : `${last.code} ${last.message.replaceAll(place, "<place>")}`;
}

/** A target with these files. */
const withFiles =
  (texts: Readonly<Record<string, string>>, change: object = {}): Reply =>
  ({ op, files }) => {
    if (op === "manifest")
      return Object.entries(texts).map(([name, text]) =>
        frame({ path: name, size: text.length, hash: sha(text), ...change }),
      );
    const [wanted] = files as readonly { readonly path: string; readonly offset: number }[];
    const { path: name = "", offset = 0 } = wanted ?? {};
    return [frame({ path: name }, texts[name]?.slice(offset)), frame({ path: name, isWhole: true })];
  };

const A = "workspace/runs/r1/a.txt";

describe("the outputs of a target", () => {
  test("come to their places, of files and of folders", async () => {
    const texts = { [A]: "one", "workspace/runs/r1/deep/.gitattributes": "two", "outputs/2-m.json": "three" };
    expect(await fetched(withFiles(texts), { outputs: ["runs/r1", "../workspace/m.json"] })).toMatch(
      /^HASP812/,
    );
    delete (texts as Record<string, string>)["outputs/2-m.json"];
    expect(
      await fetched(withFiles({ ...texts, "workspace/m.json": "three" }), { outputs: ["runs/r1", "m.json"] }),
    ).toBe(3);
    expect(filesOf(here("runs"))).toEqual({ "r1/a.txt": "one", "r1/deep/.gitattributes": "two" });
    expect(fs.readFileSync(here("m.json"), "utf8")).toBe("three");
    expect(fs.readdirSync(path.join(folder, "fetch"))).toEqual([]);
  });

  test("that overlap are listed twice, and come once", async () => {
    const reply = withFiles({ [A]: "one" });
    const twice: Reply = (request) =>
      request.op === "manifest" ? [...reply(request), ...reply(request)] : reply(request);
    expect(await fetched(twice, { outputs: ["runs", "runs/r1"] })).toBe(1);
  });

  test("have names that lead nowhere else: nothing is written for any other", async () => {
    fs.writeFileSync(path.join(place, "victim/.bash_profile"), "mine");
    const before = filesOf(place);
    const words: unknown[] = [];
    for (const name of BAD_NAMES) words.push(await fetched(withFiles({ [A]: "fine", [name]: "bad" })));
    expect(filesOf(place)).toEqual(before);
    expect(words).toMatchSnapshot();
    for (const said of words) {
      expect(said).toMatch(/^HASP812 The target lab \(box\) of the job j1 names the output "/);
      expect(said).not.toMatch(/\p{Cc}/u);
    }
  });

  test("have hashes that are hashes, and nobody's file is removed for another", async () => {
    fs.writeFileSync(path.join(place, "victim/foreign.part"), "mine");
    fs.writeFileSync(path.join(folder, "foreign.part"), "mine");
    const before = filesOf(place);
    const words: unknown[] = [];
    for (const hash of BAD_HASHES) words.push(await fetched(withFiles({ [A]: "one" }, { hash })));
    expect(filesOf(place)).toEqual(before);
    expect(words).toMatchSnapshot();
    for (const said of words) expect(said).toMatch(/^HASP812 .* the hash "/);
  });

  test.each([
    [["workspace/runs/r1/x", "workspace/runs/r1/X"]],
    [["workspace/runs/r1/\u00e9", "workspace/runs/r1/e\u0301"]],
    [["workspace/runs/r1/x", "workspace/runs/r1/x/y"]],
    [["workspace/runs/r1", "workspace/runs/r1/x"]],
  ])("%j cannot both be here", async (names) => {
    const texts = Object.fromEntries(names.map((name, i) => [name, String(i)]));
    expect(await fetched(withFiles(texts))).toMatch(/^HASP816 The target lab \(box\) of the job j1 names /);
    expect(fs.existsSync(here("runs"))).toBe(false);
  });

  test("of one name with two contents are refused", async () => {
    const reply: Reply = () => ["one", "two"].map((text) => frame({ path: A, size: 3, hash: sha(text) }));
    expect(await fetched(reply)).toMatch(/^HASP816/);
  });

  test.each([".git/hooks", ".vscode/settings.json", ".hasp", ".hasp/jobs/j2", "sub/.claude", "hasp.yaml"])(
    "are not written to %s, whatever the job says",
    async (output) => {
      expect(await fetched(withFiles({}), { outputs: [output] })).toMatch(/^HASP811/);
    },
  );

  test("do not take the place of a folder", async () => {
    fs.mkdirSync(here("runs/r1/a.txt"), { recursive: true });
    expect(await fetched(withFiles({ [A]: "one" }))).toMatch(/^HASP791 .* is no file/);
  });

  test("are no larger than the target has said", async () => {
    let sent = 0;
    const endless: Reply = (request) => {
      if (request.op === "manifest") return withFiles({ [A]: "12345" })(request);
      return (function* more() {
        for (; ; sent += 1024) yield frame({ path: A }, "x".repeat(1024));
      })();
    };
    expect(await fetched(endless)).toBe(
      'HASP814 lab (box) sends more than HASP Studio\'s own program does: it sends more of "workspace/runs/r1/a.txt" than the 5 bytes it has.',
    );
    expect(sent).toBeLessThan(10_000);
    expect(fs.readdirSync(path.join(folder, "fetch"))).toEqual([]);
    expect(fs.existsSync(here("runs"))).toBe(false);
  });

  test("are no more than ten thousand, and no more than some terabytes", async () => {
    const endless: Reply = () =>
      (function* more() {
        for (let i = 0; ; i++) yield frame({ path: `workspace/runs/r1/${i}`, size: 0, hash: sha("") });
      })();
    expect(await fetched(endless)).toMatch(/^HASP814 .* more than 10,000 outputs/);
    const size = Number.MAX_SAFE_INTEGER;
    expect(await fetched(withFiles({ [A]: "one" }, { size }))).toMatch(/^HASP814 .* more than 4 TB/);
  });

  test.each([{ size: -1 }, { size: 1.5 }, { size: 1e300 }, { size: "5" }, { path: 5 }, { hash: null }])(
    "are named in their form: %j",
    async (change) => {
      expect(await fetched(withFiles({ [A]: "one" }, change))).toMatch(
        /^HASP813 lab \(box\) does not answer as HASP Studio's own program does: it answers manifest with \{"path":.* is wrong\)\.$/,
      );
    },
  );

  test("that arrive with another content have no name here", async () => {
    expect(await fetched(withFiles({ [A]: "one" }, { hash: sha("two") }))).toMatch(
      /^HASP789 .* arrived damaged/,
    );
    expect(fs.existsSync(here("runs"))).toBe(false);
  });
});

describe("a fetch that was killed", () => {
  const parts = (): readonly string[] => fs.readdirSync(path.join(folder, "fetch")).toSorted();

  test("is continued by the next one, which removes what no file continues, and nothing else", async () => {
    const write = (name: string, text: string): void => {
      fs.mkdirSync(path.dirname(name), { recursive: true });
      fs.writeFileSync(name, text);
    };
    write(path.join(folder, "fetch", `${sha("12345")}.part`), "123");
    write(path.join(folder, "fetch", `${sha("gone")}.part`), "go");
    write(path.join(folder, "fetch", "notes.part"), "mine");
    write(here("runs/r1/a.txt.0123abcd.tmp"), "12");
    write(here("runs/r1/other.txt.0123abcd.tmp"), "mine");
    const asked: unknown[] = [];
    const reply: Reply = (request) => {
      if (request.op === "get") asked.push(request["files"]);
      return withFiles({ [A]: "12345" })(request);
    };
    expect(await fetched(reply)).toBe(1);
    expect(asked).toEqual([[{ path: A, offset: 3, bytes: 2 }]]);
    expect(filesOf(here("runs/r1"))).toEqual({ "a.txt": "12345", "other.txt.0123abcd.tmp": "mine" });
    expect(parts()).toEqual(["notes.part"]);
  });

  test("leaves nothing, although all outputs are here already", async () => {
    const reply = withFiles({ [A]: "12345" });
    await fetched(reply);
    fs.writeFileSync(path.join(folder, "fetch", `${sha("12345")}.part`), "123");
    expect(await fetched(reply)).toBe(0);
    expect(parts()).toEqual([]);
  });
});
