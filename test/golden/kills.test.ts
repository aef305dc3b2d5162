import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readReviews } from "../../src/review/review-store.ts";
import type { Episode } from "../../src/model/episode.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { readNotes } from "../../src/trace/notes.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { ROOT } from "../support/core.ts";
import type { Ended } from "../support/cli.ts";
import { openScene, type HookScene } from "../support/hook-process.ts";
import { loopbackModel, type LoopbackModel } from "../support/loopback-model.ts";
import { THOROUGH } from "../support/thorough.ts";
import { GOOD, replyOf } from "../unit/review/support.ts";
import { paperSkill } from "../support/shipped.ts";

/**
 * Commands that are killed (SIGKILL) lose nothing that they said was done, tear no file, and do the same as ever when they are repeated. Each
 * is killed once at its work; thorough: HASP_KILLS times, also at any other moment.
 */

const KILLS = THOROUGH ? Number(process.env["HASP_KILLS"] ?? 4) : 1;
const PATIENCE = 180_000 + KILLS * 15_000;
const CLI = path.join(ROOT, "dist/hasp.cjs");
const SAMPLES = path.join(ROOT, "samples");
const RUN = ".hasp/runs/one";
const COPIES = 30;

const files = nodeFiles();
let scene: HookScene;
let model: LoopbackModel | undefined;
beforeEach(() => {
  scene = openScene("kills");
});
afterEach(async () => {
  await expect.poll(() => scene.running(), { timeout: 20_000 }).toEqual([]);
  scene.close();
  await model?.close();
  model = undefined;
});

/** Milliseconds: as long as a command may take to begin. */
const ANY_MOMENT = 3_000;

/** The first kill comes as soon as `isAtWork` holds; of the others half at any moment, half soon after that. */
async function untilKilled(args: readonly string[], isAtWork: () => boolean, i: number): Promise<Ended> {
  const { child, ended } = scene.start([CLI, ...args], "");
  const kill = (): void => void child.kill("SIGKILL");
  const timer = i % 2 === 1 ? setTimeout(kill, Math.random() * ANY_MOMENT) : undefined;
  const watch = setInterval(() => {
    if (i % 2 === 1 || !isAtWork()) return;
    clearInterval(watch);
    if (i === 0) kill();
    else setTimeout(kill, Math.random() * 300);
  }, 1);
  const end = await ended;
  clearTimeout(timer);
  clearInterval(watch);
  return end;
}

async function done(args: readonly string[]): Promise<void> {
  const { code, err } = await scene.hasp(...args);
  expect([code, err]).toEqual([0, ""]);
}

const sampleLines = readFileSync(path.join(SAMPLES, ".hasp/runs/first-look/episodes.jsonl"), "utf8")
  .trimEnd()
  .split("\n");

/** The episodes of the samples, so many times that a command is at work for a while. */
function manyEpisodes(part: string): string {
  const episodes = sampleLines.map((line) => JSON.parse(line) as Episode);
  const copies = Array.from({ length: COPIES }, (_, copy) =>
    episodes.map((one) => ({
      ...one,
      id: `${part}-${copy}-${one.id}`,
      questionId: `${part}-${copy}-${one.id}`,
    })),
  );
  return copies
    .flat()
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("");
}

function writeRun(folder: string, part: string): void {
  mkdirSync(scene.at(folder), { recursive: true });
  const run = JSON.parse(
    readFileSync(path.join(SAMPLES, ".hasp/runs/first-look/run.json"), "utf8"),
  ) as object;
  writeFileSync(scene.at(folder, "run.json"), JSON.stringify(run));
  writeFileSync(scene.at(folder, "episodes.jsonl"), manyEpisodes(part));
}

/** Names of what writers keep for themselves, in the folder and beside it. */
const leftovers = (folder: string): string[] =>
  [...readdirSync(scene.at(folder)), ...readdirSync(path.dirname(scene.at(folder)))].filter((name) =>
    /\.(?:lock|tmp)$/.test(name),
  );

const lockOf = (folder: string): boolean => existsSync(scene.at(folder, "episodes.lock"));

/** The whole episode file, or undefined where there is none; anything else fails. */
async function wholeEpisodes(folder: string): Promise<string | undefined> {
  const file = scene.at(folder, "episodes.jsonl");
  if (!existsSync(file)) return undefined;
  const { run, diagnostics } = await openRun(files, scene.at(folder), { save: false });
  expect([run?.source, diagnostics]).toEqual(["hasp", []]);
  return readFileSync(file, "utf8");
}

describe("a command that is killed", () => {
  it(
    "import: the run is the old one, the new one or none, and the next import makes it",
    async () => {
      writeFileSync(scene.at("source.jsonl"), manyEpisodes("a"));
      const args = ["import", "source.jsonl", "-o", RUN];
      await done(args);
      const isAtWork = (): boolean => lockOf(RUN);
      const whole = readFileSync(scene.at(RUN, "episodes.jsonl"), "utf8");
      for (let i = 0; i < KILLS; i++) {
        const isNew = i % 4 < 2;
        if (isNew) rmSync(scene.at(RUN), { recursive: true });
        const { code } = await untilKilled(args, isAtWork, i);
        const found = await wholeEpisodes(RUN);
        if (code === 0 || !isNew || found !== undefined) expect(found).toBe(whole);
        const again = await scene.hasp(...args);
        expect([again.code, again.err]).toEqual([0, ""]);
        expect(await wholeEpisodes(RUN)).toBe(whole);
        expect(leftovers(RUN)).toEqual([]);
      }
    },
    PATIENCE,
  );

  it(
    "merge: the merged run is there as a whole or not at all, and its parts are as they were",
    async () => {
      const parts = ["a", "b", "c"].map((part) => `.hasp/runs/${part}`);
      for (const part of parts) writeRun(part, path.basename(part));
      const before = parts.map((part) => readFileSync(scene.at(part, "episodes.jsonl"), "utf8"));
      const args = ["merge", ...parts, "-o", RUN];
      await done(args);
      const isAtWork = (): boolean => lockOf(RUN);
      const whole = readFileSync(scene.at(RUN, "episodes.jsonl"), "utf8");
      for (let i = 0; i < KILLS; i++) {
        rmSync(scene.at(RUN), { recursive: true });
        const { code } = await untilKilled(args, isAtWork, i);
        const found = await wholeEpisodes(RUN);
        if (code === 0 || found !== undefined) expect(found).toBe(whole);
        const again = await scene.hasp(...args);
        // One that was done before the kill is not done again.
        expect([again.code, again.err]).toEqual([found === undefined ? 0 : 2, ""]);
        expect(await wholeEpisodes(RUN)).toBe(whole);
        expect(leftovers(RUN)).toEqual([]);
        expect(parts.map((part) => readFileSync(scene.at(part, "episodes.jsonl"), "utf8"))).toEqual(before);
      }
    },
    PATIENCE,
  );

  it(
    "gc: only what is to go has gone, and the next gc takes the rest",
    async () => {
      const cached = (kind: string, n: number): string => `.hasp/cache/replies/${n % 10}a/${kind}-${n}.json`;
      const put = (file: string, isOld: boolean): void => {
        mkdirSync(path.dirname(scene.at(file)), { recursive: true });
        writeFileSync(scene.at(file), file);
        if (isOld) utimesSync(scene.at(file), new Date(0), new Date(0));
      };
      const kept = [
        ...Array.from({ length: 20 }, (_, n) => cached("young", n)),
        ...["a", "b"].flatMap((run) => [
          `.hasp/runs/${run}/episodes.jsonl`,
          `.hasp/runs/${run}/notes.jsonl`,
          `.hasp/runs/${run}/live/one.jsonl`,
        ]),
      ];
      const old = [
        ...Array.from({ length: 300 }, (_, n) => cached("old", n)),
        ...["a", "b"].flatMap((run) =>
          Array.from(
            { length: 20 },
            (_, n) => `.hasp/runs/${run}/episodes.jsonl.${String(n).padStart(8, "0")}.tmp`,
          ),
        ),
        ".hasp/runs/one.0123abcd.tmp/episodes.jsonl",
        ".hasp/runs/a/episodes.lock",
      ];
      const fill = (): void => {
        for (const file of old) put(file, true);
      };
      for (const file of kept) put(file, false);
      fill();
      const isAtWork = (): boolean => old.some((file) => !existsSync(scene.at(file)));
      await done(["gc"]);
      for (let i = 0; i < KILLS; i++) {
        fill();
        await untilKilled(["gc"], isAtWork, i);
        for (const file of kept) expect(readFileSync(scene.at(file), "utf8")).toBe(file);
        const again = await scene.hasp("gc");
        expect([again.code, again.err]).toEqual([0, ""]);
        for (const file of kept) expect(readFileSync(scene.at(file), "utf8")).toBe(file);
        expect(old.filter((file) => existsSync(scene.at(file)))).toEqual([]);
        // A lock that this very kill left is too young for gc, and in nobody's way.
        for (const run of ["a", "b"]) rmSync(scene.at(`.hasp/runs/${run}/episodes.lock`), { force: true });
      }
    },
    PATIENCE,
  );

  it(
    "note: each note that was acknowledged is there, and so is the next",
    async () => {
      writeRun(RUN, "a");
      const args = (text: string): string[] => {
        const note = ["--episode", "1", "--label", "good", "--text", text, "--json"];
        return ["note", RUN, ...note];
      };
      const notes = scene.at(RUN, "notes.jsonl");
      const size = (): number => (existsSync(notes) ? readFileSync(notes).length : 0);
      await done(args("first"));
      const acknowledged = ["first"];
      for (let i = 0; i < KILLS; i++) {
        const before = size();
        const { out, code } = await untilKilled(args(`killed ${i}`), () => size() > before, i);
        if (code === 0 || out.trimEnd().endsWith("}")) acknowledged.push(`killed ${i}`);
        await done(args(`next ${i}`));
        acknowledged.push(`next ${i}`);
        const read = await readNotes(files, scene.at(RUN));
        expect(read.diagnostics).toEqual([]);
        const texts = read.notes.map(({ text }) => text ?? "");
        expect(texts).toEqual(expect.arrayContaining(acknowledged));
        expect(new Set(texts).size).toBe(texts.length);
      }
      expect(leftovers(RUN)).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "review: each review that was acknowledged is there, and so is the next",
    async () => {
      model = await loopbackModel([{ kind: "text", text: replyOf(GOOD, "ACCEPT") }]);
      const skill = "skills/web-search/insufficient-exploration";
      cpSync(path.join(ROOT, paperSkill("insufficient-exploration")), scene.at(skill), { recursive: true });
      const args = ["review", skill, "--teacher", `${model.url}#m`, "--json"];
      const count = async (): Promise<number> => {
        const { value, diagnostics } = await readReviews(files, scene.at(skill));
        expect(diagnostics).toEqual([]);
        return value?.length ?? -1;
      };
      const { calls } = model;
      await done(args);
      for (let i = 0; i < KILLS; i++) {
        // Else the reply that is kept is taken.
        rmSync(scene.at(".hasp/cache"), { recursive: true, force: true });
        const [asked, before] = [calls.length, await count()];
        const { out, code } = await untilKilled(args, () => calls.length > asked, i);
        const after = await count();
        const isDone = code === 0 || out.trimEnd().endsWith("}");
        expect(after - before).toBeGreaterThanOrEqual(isDone ? 1 : 0);
        expect(after - before).toBeLessThanOrEqual(1);
        await done(args);
        expect(await count()).toBe(after + 1);
        expect(leftovers(skill)).toEqual([]);
      }
    },
    PATIENCE,
  );

  it(
    "run: a resume asks what is left, and each question ends exactly once",
    async () => {
      // Every third episode is long enough for a live file.
      const wait = (index: number): number => (index % 3 === 0 ? 250 : 5);
      model = await loopbackModel(({ index }) => ({
        kind: "text",
        text: "Action: FINAL[x]",
        wait: wait(index),
      }));
      const questions = ["--questions", path.join(SAMPLES, "questions.jsonl")];
      const corpus = ["--corpus", path.join(SAMPLES, "corpus/passages.jsonl")];
      const rest = ["--policy", `${model.url}#m`, "--no-skills", "--concurrency", "2"];
      const args = ["run", ...questions, ...corpus, ...rest, "-o", RUN];
      await done(args);
      const isAtWork = (): boolean => existsSync(scene.at(RUN, "run.json"));
      for (let i = 0; i < KILLS; i++) {
        for (const folder of [RUN, ".hasp/cache"]) rmSync(scene.at(folder), { recursive: true, force: true });
        await untilKilled([...args, "--resume"], isAtWork, i);
        const kept = (await wholeEpisodes(RUN))?.split("\n").filter(Boolean) ?? [];
        await done([...args, "--resume"]);
        const lines = (await wholeEpisodes(RUN))?.split("\n").filter(Boolean) ?? [];
        expect(lines.slice(0, kept.length)).toEqual(kept);
        const ids = lines.map((line) => (JSON.parse(line) as Episode).questionId);
        expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
        expect(leftovers(RUN)).toEqual([]);
        expect(await files.list(scene.at(RUN, "live"))).toEqual([]);
      }
    },
    PATIENCE,
  );
});
