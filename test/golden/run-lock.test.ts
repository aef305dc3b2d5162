import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/platform/files.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { LockOwner } from "../../src/platform/process-lock.ts";
import { ROOT } from "../support/core.ts";
import type { Ended } from "../support/cli.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { loopbackModel, type LoopbackModel } from "../support/loopback-model.ts";
import { THOROUGH } from "../support/thorough.ts";

/** A run folder has one writer: another process is refused in words, and a lock outlives nobody. */

const CLI = path.join(ROOT, "dist/hasp.cjs");
const SAMPLES = path.join(ROOT, "samples");
const PATIENCE = 120_000;
const RUN = ".hasp/runs/one";

let scene: HookScene;
let model: LoopbackModel;
/** Replies wait for this. */
let open: () => void;
let isOpen = false;
beforeEach(async () => {
  scene = openScene("writers");
  isOpen = false;
  open = () => (isOpen = true);
  model = await loopbackModel(({ index }) =>
    isOpen || index < 5 ? { kind: "text", text: "Action: FINAL[Sam Walton]" } : { kind: "stall" },
  );
});
afterEach(async () => {
  await model.close();
  scene.close();
});

const runArgs = (output: string, ...more: readonly string[]): string[] => [
  "run",
  "--questions",
  path.join(SAMPLES, "questions.jsonl"),
  "--corpus",
  path.join(SAMPLES, "corpus/passages.jsonl"),
  "--policy",
  `${model.url}#m`,
  "--no-skills",
  "--concurrency",
  "2",
  "-o",
  output,
  ...more,
];

const start = (...args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } =>
  scene.start([CLI, ...args], "");

function episodes(run = RUN): string[] {
  const file = scene.at(run, "episodes.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as Episode).questionId).toSorted();
}

const ALL = readFileSync(path.join(SAMPLES, "questions.jsonl"), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => (JSON.parse(line) as { id: string }).id)
  .toSorted();

/** Names of what a writer keeps for itself. */
const leftovers = (run = RUN): string[] =>
  readdirSync(scene.at(run)).filter((name) => /\.(?:lock|tmp)$/.test(name));

/** A run that is under way, and stays so: the model has said nothing more since its fifth reply. */
async function running(): Promise<ReturnType<typeof start>> {
  const writer = start(...runArgs(RUN));
  await expect.poll(() => model.calls.length, { timeout: 60_000 }).toBeGreaterThan(6);
  return writer;
}

describe("a run that is being written", () => {
  const commands = (): string[][] => [
    runArgs(RUN, "--resume"),
    runArgs(RUN),
    ["import", path.join(SAMPLES, ".hasp/runs/first-look/episodes.jsonl"), "-o", RUN],
    ["merge", path.join(SAMPLES, ".hasp/runs/first-look"), "-o", RUN],
    ["serve", "--no-skills", "-o", RUN, "--resume"],
    [
      "branch",
      path.join(SAMPLES, ".hasp/runs/first-look"),
      "--episode",
      "1",
      "--step",
      "1",
      "--corpus",
      path.join(SAMPLES, "corpus/passages.jsonl"),
      "--no-skills",
      "--policy",
      `${model.url}#m`,
      "-o",
      RUN,
    ],
  ];

  it(
    "is not written by another process",
    async () => {
      const writer = await running();
      const before = readFileSync(scene.at(RUN, "episodes.jsonl"));
      const refusal = new RegExp(
        `^hasp: Process ${writer.child.pid} on \\S+, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC is writing into ${RUN}; a run has one writer at a time\\.\\n {4}→ Wait until it ends, or stop it; then repeat the command\\.\\n$`,
      );
      for (const args of commands()) {
        const { code, err } = await scene.hasp(...args);
        expect([args[0], err]).toEqual([args[0], expect.stringMatching(refusal)]);
        expect(code).toBe(2);
        expect(readFileSync(scene.at(RUN, "episodes.jsonl"))).toEqual(before);
      }
      writer.child.kill("SIGINT");
      expect((await writer.ended).code).toBe(1);
      expect(leftovers()).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "keeps what gc would take from one that is not",
    async () => {
      const writer = await running();
      const temporary = scene.at(RUN, "episodes.jsonl.0123abcd.tmp");
      writeFileSync(temporary, "");
      utimesSync(temporary, new Date(0), new Date(0));
      const { code, out } = await scene.hasp("gc");
      expect(code).toBe(0);
      expect(out).toContain(`left ${RUN}/episodes.jsonl.0123abcd.tmp: Process ${writer.child.pid} on `);
      writer.child.kill("SIGKILL");
      await writer.ended;
      const lock = scene.at(RUN, "episodes.lock");
      utimesSync(lock, new Date(0), new Date(0));
      expect((await scene.hasp("gc")).out).toContain("removed 2 files (temporary)");
      expect(leftovers()).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "ends each question exactly once, however many resume it at once",
    async () => {
      const first = await running();
      first.child.kill("SIGKILL");
      await first.ended;
      open();
      const resumed = Array.from({ length: THOROUGH ? 6 : 3 }, () => start(...runArgs(RUN, "--resume")));
      const ends = await Promise.all(resumed.map(({ ended }) => ended));
      expect(episodes()).toEqual(ALL);
      expect(ends.map(({ code }) => code)).toContain(0);
      for (const { code, err } of ends)
        if (code !== 0) expect([code, err]).toEqual([2, expect.stringContaining("is writing into")]);
      expect(leftovers()).toEqual([]);
      expect(await nodeFiles().list(scene.at(RUN, "live"))).toEqual([]);
    },
    PATIENCE,
  );
});

describe("the lock of a run", () => {
  it.each<[NodeJS.Signals, number | null]>([
    ["SIGINT", 1],
    ["SIGTERM", 1],
    ["SIGKILL", null],
  ])(
    "is in nobody's way after %s",
    async (signal, code) => {
      const writer = await running();
      writer.child.kill(signal);
      expect((await writer.ended).code).toBe(code);
      if (signal !== "SIGKILL") expect(leftovers()).toEqual([]);
      open();
      expect((await scene.hasp(...runArgs(RUN, "--resume"))).code).toBe(0);
      expect(episodes()).toEqual(ALL);
      expect(leftovers()).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "is kept for another machine until it shows no sign of life",
    async () => {
      const writer = await running();
      const lock = scene.at(RUN, "episodes.lock");
      const owner = JSON.parse(readFileSync(lock, "utf8")) as LockOwner;
      writer.child.kill("SIGKILL");
      await writer.ended;
      open();
      writeFileSync(lock, JSON.stringify({ ...owner, host: "elsewhere" }));
      const refused = await scene.hasp(...runArgs(RUN, "--resume"));
      expect(refused.code).toBe(2);
      expect(refused.err).toContain(`Process ${owner.pid} on elsewhere, since `);
      expect(refused.err).toContain("expires 30 seconds after its last sign of life");
      const longAgo = new Date(Date.now() - 60_000);
      utimesSync(lock, longAgo, longAgo);
      expect((await scene.hasp(...runArgs(RUN, "--resume"))).code).toBe(0);
      expect(episodes()).toEqual(ALL);
    },
    PATIENCE,
  );

  it(
    "lets the shards of a run be made at once, and be merged",
    async () => {
      open();
      const ends = await Promise.all(
        [1, 2, 3].map((i) => scene.hasp(...runArgs(`.hasp/runs/s${i}`, "--shard", `${i}/3`))),
      );
      expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
      const folders = [1, 2, 3].map((i) => `.hasp/runs/s${i}`);
      expect((await scene.hasp("merge", ...folders, "-o", RUN)).code).toBe(0);
      expect(episodes()).toEqual(ALL);
      expect(leftovers()).toEqual([]);
      const again = await scene.hasp("merge", ...folders, "-o", RUN);
      expect([again.code, again.out]).toEqual([2, expect.stringContaining("is not empty")]);
    },
    PATIENCE,
  );

  it("is no content of the folder, and a command that fails leaves no folder", async () => {
    mkdirSync(scene.at(RUN), { recursive: true });
    writeFileSync(scene.at(RUN, "episodes.lock"), "{}");
    utimesSync(scene.at(RUN, "episodes.lock"), new Date(0), new Date(0));
    writeFileSync(scene.at(RUN, "run.json.0123abcd.tmp"), "{");
    open();
    expect((await scene.hasp(...runArgs(RUN))).code).toBe(0);
    expect(leftovers()).toEqual([]);
    expect((await scene.hasp("import", "nowhere.jsonl", "-o", "deep/er/run")).code).toBe(2);
    expect(existsSync(scene.at("deep"))).toBe(false);
  });
});

describe("a resume of a run that is done", () => {
  it(
    "says so and ends with 0, also after failures and without the model",
    async () => {
      open();
      const args = runArgs(RUN);
      expect((await scene.hasp(...args)).code).toBe(0);
      await model.close();
      const done = await scene.hasp(...args, "--resume");
      expect([done.code, done.err]).toEqual([0, ""]);
      expect(done.out).toContain("nothing to run: every question has its episode");
      model = await loopbackModel([{ kind: "status", status: 400 }]);
      const failed = runArgs(".hasp/runs/failed");
      expect((await scene.hasp(...failed)).code).toBe(1);
      await model.close();
      const again = await scene.hasp(...failed, "--resume");
      expect([again.code, again.err]).toEqual([0, ""]);
      expect(again.out).toContain("nothing to run: every question has its episode");
      expect(episodes(".hasp/runs/failed")).toEqual(ALL);
    },
    PATIENCE,
  );
});
