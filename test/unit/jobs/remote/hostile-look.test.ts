import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checked } from "../../../../src/app/refusal.ts";
import type { RemoteFrame, RemoteLink, RemoteRequest } from "../../../../src/jobs/remote/ports.ts";
import { remoteBackend } from "../../../../src/jobs/remote/remote-backend.ts";
import { remotePorts } from "../../../../src/platform/remote/remote-jobs.ts";

const NAMED = { name: "lab", target: { kind: "ssh", host: "box", folder: "~/hasp" } as const };
const AT = "2026-01-02T03:04:05.000Z";

let folder: string;
beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "hasp-look-")), "job");
  fs.mkdirSync(folder);
  const spec = { schema: "hasp.job/1", id: "j1", title: "One", cwd: ".", env: {}, passEnv: [] };
  const commands = [{ program: "hasp", args: [], about: "" }];
  fs.writeFileSync(
    path.join(folder, "job.json"),
    JSON.stringify({ ...spec, commands, metrics: ["m.jsonl"] }),
  );
  const lines = [
    { kind: "target", at: AT, ...NAMED, root: "/there" },
    { kind: "submitted", at: AT, number: 1, job: "runner" },
  ];
  fs.writeFileSync(
    path.join(folder, "target.jsonl"),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
});
afterEach(() => fs.rmSync(path.dirname(folder), { recursive: true, force: true }));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const frame = (header: object, body = ""): RemoteFrame => ({
  header: header as Record<string, unknown>,
  body: bytesOf(body),
});

const SIGHT = { isThere: true, submission: { number: 1, job: "runner" }, isAlive: true, entries: [] };
const KEY = createHash("sha256").digest("hex");
const sightFrame = (changes: object = {}): RemoteFrame => frame({}, JSON.stringify({ ...SIGHT, ...changes }));
const endFrame = (changes: object = {}): RemoteFrame => frame({ key: KEY, isMore: false, ...changes });

/** The backend of a target that answers so. */
function backendOf(reply: (request: RemoteRequest) => Iterable<RemoteFrame>) {
  const link: RemoteLink = {
    async *call(request) {
      yield* reply(request);
    },
  };
  const ports = remotePorts({ build: { cli: "", trainer: "" }, environment: {}, on: () => undefined });
  return remoteBackend({ ...ports, link: () => link }, NAMED);
}

/** The status of the job, or the refusal with its code. */
async function statusOf(reply: (request: RemoteRequest) => Iterable<RemoteFrame>): Promise<string> {
  const { value, diagnostics } = await checked(async () => backendOf(reply).status(folder));
  const last = diagnostics.at(-1);
  return last === undefined ? JSON.stringify(value) : `${last.code} ${last.message}`;
}

const filesHere = (): readonly string[] =>
  fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();

// The files of a look: the state, the metrics, the log.
const STATE = 0;
const LOG = 2;

describe("a look at a job", () => {
  test("that answers as ours does brings state, metrics and log", async () => {
    const pieces = [frame({ file: LOG, offset: 0 }, "one\n"), frame({ file: LOG, offset: 4 }, "two\n")];
    expect(await statusOf(() => [...pieces, sightFrame(), endFrame()])).toContain('"status":"submitted"');
    expect(fs.readFileSync(path.join(folder, "log.txt"), "utf8")).toBe("one\ntwo\n");
  });

  test.each([
    ["nothing", []],
    ["no sight", [endFrame()]],
    ["no end", [sightFrame()]],
    ["no JSON", [frame({}, "\u001b]0;x\u0007{"), endFrame()]],
    ["a list", [frame({}, "[]"), endFrame()]],
    ["a deep value", [frame({}, "[".repeat(100_000)), endFrame()]],
    ["another sight", [sightFrame({ entries: "all" }), endFrame()]],
    ["a job with a line break", [sightFrame({ submission: { number: 1, job: "77\nrm -rf /" } }), endFrame()]],
    ["a job that is an option", [sightFrame({ submission: { number: 1, job: "--me" } }), endFrame()]],
    ["a key that is none", [sightFrame(), endFrame({ key: "k" })]],
    ["a file that nobody asked for", [frame({ file: 7, offset: 0 }, "x"), sightFrame(), endFrame()]],
    ["a negative file", [frame({ file: -1, offset: 0 }, "x"), sightFrame(), endFrame()]],
    ["a name for a file", [frame({ file: "../../x", offset: 0 }, "x"), sightFrame(), endFrame()]],
    ["a place behind the copy", [frame({ file: LOG, offset: 2 ** 40 }, "x"), sightFrame(), endFrame()]],
    ["half a place", [frame({ file: LOG, offset: 0.5 }, "x"), sightFrame(), endFrame()]],
    ["a huge place", [frame({ file: LOG, offset: 1e300 }, "x"), sightFrame(), endFrame()]],
    [
      "a gap",
      [frame({ file: LOG, offset: 0 }, "x"), frame({ file: LOG, offset: 5 }, "x"), sightFrame(), endFrame()],
    ],
    [
      "a state without an end",
      [frame({ file: STATE, offset: 0 }, "x".repeat(2 ** 21)), sightFrame(), endFrame()],
    ],
  ] as const)("that answers with %s is refused, and nothing is kept", async (_name, frames) => {
    const before = filesHere();
    const said = await statusOf(() => frames);
    expect(said).toMatch(/^HASP81[34] lab \(box\) /);
    expect(said.length).toBeLessThan(400);
    expect(said).not.toMatch(/[\p{Cc}]/u);
    expect(said).toMatchSnapshot();
    expect(filesHere()).toEqual(before);
  });

  test("shows words of the target on one line, and short", async () => {
    const problem = { code: "slurm", message: `\u001b[2J${"no\n".repeat(10_000)}` };
    const sight = sightFrame({ isAlive: null, problem });
    const { unreachable = "" } = JSON.parse(await statusOf(() => [sight, endFrame()])) as {
      unreachable?: string;
    };
    expect(unreachable).toMatch(/^The scheduler does not answer: \[2Jno no /);
    expect(unreachable).not.toMatch(/\p{Cc}/u);
    expect(unreachable.length).toBeLessThan(1_100);
  });

  test("ends where the target always has more, and sends nothing", async () => {
    let looks = 0;
    const said = await statusOf(() => {
      looks++;
      return [sightFrame(), endFrame({ isMore: true })];
    });
    expect(said).toBe(
      "HASP815 lab (box) never sends everything: it always has more of the job's files than it sends.",
    );
    expect(looks).toBe(20);
  });

  test("ends where the target writes a file anew with every look", async () => {
    let looks = 0;
    const said = await statusOf(() => [
      frame({ file: LOG, offset: 0 }, `${looks++}${"x".repeat(2e6)}`),
      sightFrame(),
      endFrame({ isMore: true }),
    ]);
    expect(said).toMatch(/^HASP815/);
    expect(looks).toBe(20);
  });

  test("takes as much of a log as its copy may have, and still tells how far the job is", async () => {
    const most = 256 * 1024 * 1024;
    fs.closeSync(fs.openSync(path.join(folder, "log.txt"), "w"));
    fs.truncateSync(path.join(folder, "log.txt"), most - 10);
    const rooms: unknown[] = [];
    const reply = ({ files }: RemoteRequest): RemoteFrame[] => {
      const asked = files as readonly {
        readonly path: string;
        readonly room: number;
        readonly offset: number;
      }[];
      const at = asked.findIndex((one) => one.path === "log.txt");
      rooms.push(asked[at]?.room);
      const log =
        at < 0 ? [] : [frame({ file: at, offset: asked[at]?.offset }, "x".repeat(asked[at]?.room ?? 0))];
      return [...log, sightFrame(), endFrame()];
    };
    for (let i = 0; i < 2; i++) expect(await statusOf(reply)).toContain('"status":"submitted"');
    expect(rooms).toEqual([10, undefined]);
    expect(fs.statSync(path.join(folder, "log.txt")).size).toBe(most);
  });

  test("refuses a state that is larger than states are", async () => {
    fs.writeFileSync(path.join(folder, "state.jsonl"), "x".repeat(1024 * 1024));
    expect(await statusOf(() => [sightFrame(), endFrame()])).toMatch(/^HASP814 .* more than a state has/);
  });
});
