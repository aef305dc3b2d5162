import { appendFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { episodeSchema } from "../../../src/model/episode.ts";
import { lineTail } from "../../../src/trace/line-tail.ts";
import { liveFolding, foldLive } from "../../../src/trace/live-fold.ts";
import { HEARTBEAT_MS, startLive } from "../../../src/trace/live.ts";
import { followEpisode, followRun, STOPPED_AFTER_MS } from "../../../src/trace/live-tail.ts";
import { livePath } from "../../../src/trace/run-paths.ts";
import { FACTS, files, temporaryFolder } from "./support.ts";

const NOW = Date.UTC(2026, 10, 20);

function started(id: string): object {
  const known = { id, questionId: id, question: `Who was ${id}?`, source: "hasp", facts: FACTS, library: [] };
  return { schema: "hasp.live/1", event: "started", ...known };
}

/** Four events a step, as the loop writes them; the second step changes its action and injects a text. */
function events(steps: number): object[] {
  return Array.from({ length: steps }, (_, t) => {
    const proposal = { thought: `thought ${t} ünïcode ✓`, action: { type: "SEARCH", arg: `q${t}` } };
    const injected = t === 1 ? [{ skillId: "s", text: "Look again." }] : [];
    return [
      { event: "proposed", t, proposal },
      { event: "judged", t, events: [], injected, dispatchMs: 1 },
      { event: "executed", t, action: { type: t === 1 ? "READ" : "SEARCH", arg: `q${t}` } },
      { event: "observed", t, observation: `result ${t} ✓` },
    ];
  }).flat();
}

const END = { event: "finished", outcome: "correct", stopReason: "final", answer: "q" };
const line = (value: object): string => `${JSON.stringify(value)}\n`;

function runFolder(): { folder: string; path: (id: string) => string } {
  const folder = temporaryFolder();
  mkdirSync(`${folder}/live`);
  return { folder, path: (id) => livePath(folder, id) };
}

test("any prefix of a live file, cut at any byte, is a valid episode of the steps that were told", async () => {
  const bytes = Buffer.from([started("a"), ...events(3), END].map(line).join(""));
  const { folder, path } = runFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 6 }), async (cuts) => {
      const tail = followEpisode(files, folder, "a");
      for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
        writeFileSync(path("a"), bytes.subarray(0, cut));
        const complete = bytes.subarray(0, cut).toString("utf8").split("\n").slice(0, -1);
        const folding = liveFolding();
        for (const text of complete) expect(folding.add(text)).toBeUndefined();
        const partial = await tail.poll();
        if (partial === undefined) continue;
        expect(partial).toEqual(folding.partial());
        expect(episodeSchema.safeParse(partial.episode).success).toBe(true);
        expect(partial.episode.length).toBe(partial.episode.steps.length);
        const begun = complete.filter((text) => text.includes('"event":"proposed"')).length;
        expect(partial.episode.steps).toHaveLength(begun);
      }
    }),
    { numRuns: 60 },
  );
});

test("a step in progress tells what is known of it, and the whole file folds as recovery folds it", () => {
  const folding = liveFolding();
  const lines = [started("a"), ...events(2), END].map((value) => JSON.stringify(value));
  const phases = lines.map((text) => (folding.add(text), folding.partial()?.phase));
  const step = ["proposed", "judged", "executed", undefined];
  expect(phases).toEqual([undefined, ...step, ...step, undefined]);
  expect(folding.partial()?.episode).toEqual(foldLive(lines, "a.jsonl").value);
});

test("only what was appended is read, and a torn last line is waited for", async () => {
  const { path } = runFolder();
  const read = vi.spyOn(files, "read");
  const tail = lineTail(files, path("a"));
  const lines: string[] = [];
  const poll = () => tail.poll((bytes) => lines.push(new TextDecoder().decode(bytes)));
  expect(await poll()).toBe("absent");
  writeFileSync(path("a"), "one\ntw");
  expect(await poll()).toBe("grew");
  expect(lines).toEqual(["one"]);
  expect(await poll()).toBe("same");
  appendFileSync(path("a"), "o ✓\n\nthree");
  await poll();
  expect(lines).toEqual(["one", "two ✓"]);
  expect(read.mock.calls.map(([, from]) => from)).toEqual([0, 6]);
  read.mockRestore();
  writeFileSync(path("a"), "new\n");
  expect(await poll()).toBe("restarted");
  expect(lines.at(-1)).toBe("new");
});

test("another run's file of the same episode is read from its beginning", async () => {
  const { folder, path } = runFolder();
  writeFileSync(path("a"), [started("a"), ...events(1)].map(line).join(""));
  const tail = followEpisode(files, folder, "a");
  expect((await tail.poll())?.episode.length).toBe(1);
  writeFileSync(path("a"), [started("a"), ...events(3)].map(line).join(""));
  expect((await tail.poll())?.episode.length).toBe(3);
});

test("what runs is listed with its steps; what left no sign of life is stopped, until it writes again", async () => {
  const { folder, path } = runFolder();
  writeFileSync(path("a b/c"), [started("a b/c"), ...events(2).slice(0, 5)].map(line).join(""));
  writeFileSync(path("old"), [started("old"), ...events(1)].map(line).join(""));
  writeFileSync(path("torn"), '{"schema":"hasp.li');
  const at = (ms: number): Date => new Date(NOW - ms);
  for (const [id, age] of [
    ["a b/c", 0],
    ["old", STOPPED_AFTER_MS + 1],
  ] as const)
    utimesSync(path(id), at(age), at(age));
  const run = followRun(files, folder);
  const shown = async (now: number) =>
    (await run.poll(now)).map(({ id, length, state }) => [id, length, state]);
  expect(await shown(NOW)).toEqual([
    ["a b/c", 2, "running"],
    ["old", 1, "stopped"],
  ]);
  appendFileSync(path("old"), "\n");
  expect(await shown(NOW + STOPPED_AFTER_MS + 1)).toEqual([
    ["a b/c", 2, "stopped"],
    ["old", 1, "running"],
  ]);
  rmSync(path("old"));
  expect(await shown(NOW + STOPPED_AFTER_MS + 2)).toEqual([["a b/c", 2, "stopped"]]);
});

test("an episode that waits for long gives signs of life, and none once it has ended", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const folder = temporaryFolder();
    const {
      event: _event,
      schema: _schema,
      ...known
    } = started("a") as Parameters<typeof startLive>[2] & {
      event: string;
      schema: string;
    };
    const live = startLive(files, folder, known);
    await live.settled();
    vi.advanceTimersByTime(2 * HEARTBEAT_MS);
    await live.settled();
    const text = readFileSync(livePath(folder, "a"), "utf8");
    expect(text.split("\n").slice(1)).toEqual(["", "", ""]);
    expect(foldLive(text.split("\n"), "a").diagnostics).toEqual([]);
    await live.discard();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
