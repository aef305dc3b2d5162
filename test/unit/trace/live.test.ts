import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { readEpisode } from "../../../src/trace/episode-file.ts";
import { openIndex } from "../../../src/trace/episode-index.ts";
import { foldLive } from "../../../src/trace/live-fold.ts";
import { orLeave, recoverRun, startLive, type LiveEpisode } from "../../../src/trace/live.ts";
import type { TraceFiles } from "../../../src/trace/ports.ts";
import { livePath } from "../../../src/trace/run-paths.ts";
import { FACTS, files, temporaryFolder } from "./support.ts";

const begin = (id: string) => ({
  id,
  questionId: "q1",
  sample: 1,
  question: "Who was it?",
  source: "hasp",
  facts: FACTS,
  library: [],
});
const search = { type: "SEARCH", arg: "who" };
const final = { type: "FINAL", arg: "somebody" };
const end = { outcome: "correct", stopReason: "final", answer: "somebody" } as const;

async function runTwoSteps(live: LiveEpisode): Promise<void> {
  live.record({ event: "proposed", t: 0, proposal: { thought: "look", action: search } });
  live.record({ event: "judged", t: 0, events: [], injected: [], dispatchMs: 2 });
  live.record({ event: "executed", t: 0, action: search });
  live.record({ event: "observed", t: 0, observation: "somebody" });
  live.record({ event: "proposed", t: 1, proposal: { thought: "say", action: final } });
  const injected = [{ skillId: "s", text: "Check it." }];
  live.record({ event: "judged", t: 1, events: [], injected, dispatchMs: 3 });
  live.record({ event: "proposed", t: 1, proposal: { thought: "sure", action: final } });
  live.record({ event: "judged", t: 1, events: [], injected: [], dispatchMs: 4 });
  live.record({ event: "executed", t: 1, action: final });
  await live.settled();
}

const episodesIn = async (folder: string) => {
  const index = await openIndex(files, `${folder}/episodes.jsonl`);
  return Promise.all(index.entries.map(async (_, n) => (await readEpisode(files, index, n)).value));
};

test("an episode that ends is one line, and its live file is gone", async () => {
  const folder = temporaryFolder();
  const live = startLive(files, folder, begin("e1"));
  await runTwoSteps(live);
  const episode = await live.finish(end);
  expect(episode).toMatchObject({ id: "e1", length: 2, outcome: "correct", answer: "somebody" });
  expect(episode.steps[1]).toMatchObject({ injected: [{ skillId: "s" }], dispatchMs: 7, observation: "" });
  expect(episode.steps[1]?.proposals.map((p) => p.thought)).toEqual(["say", "sure"]);
  expect(await episodesIn(folder)).toEqual([episode]);
  expect(readdirSync(`${folder}/live`)).toEqual([]);
});

test("an episode that ends before the pause of its lines is over never has a live file", async () => {
  const folder = temporaryFolder();
  const append = vi.fn<TraceFiles["append"]>((...given) => files.append(...given));
  const ended = startLive({ ...files, append }, folder, begin("e1"));
  ended.record({ event: "proposed", t: 0, proposal: { thought: "say", action: final } });
  ended.record({ event: "executed", t: 0, action: final });
  const episode = await ended.finish(end);
  const cancelled = startLive({ ...files, append }, folder, begin("e2"));
  await cancelled.discard();
  expect(append.mock.calls.map(([path]) => path)).toEqual([`${folder}/episodes.jsonl`]);
  expect(await episodesIn(folder)).toEqual([episode]);
  expect(readdirSync(folder)).not.toContain("live");
});

test("a live file is there 200 ms after its episode began", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const folder = temporaryFolder();
    const written = Promise.withResolvers<void>();
    const append: TraceFiles["append"] = (...given) => files.append(...given).then(written.resolve);
    const live = startLive({ ...files, append }, folder, begin("e1"));
    vi.advanceTimersByTime(200);
    await written.promise;
    expect(foldLive(readFileSync(livePath(folder, "e1"), "utf8").split("\n"), "e1").value?.id).toBe("e1");
    await live.discard();
    expect(vi.getTimerCount()).toBe(0);
    expect(readdirSync(`${folder}/live`)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test("episodes that end during an append follow it together, in their order, with one sync", async () => {
  const folder = temporaryFolder();
  const append = vi.fn<TraceFiles["append"]>((...given) => files.append(...given));
  const ids = Array.from({ length: 40 }, (_, i) => `e${i}`);
  await Promise.all(ids.map((id) => startLive({ ...files, append }, folder, begin(id)).finish(end)));
  expect((await episodesIn(folder)).map((episode) => episode?.id)).toEqual(ids);
  expect(append.mock.calls.map(([, , options]) => options)).toEqual([{ sync: true }, { sync: true }]);
});

test("an append that fails is told to each of its episodes, keeps their live files, and the next one goes on", async () => {
  const folder = temporaryFolder();
  let isFull = true;
  const full: TraceFiles = {
    ...files,
    append: (path, ...given) =>
      isFull && path.endsWith("episodes.jsonl")
        ? Promise.reject(new Error("no space left"))
        : files.append(path, ...given),
  };
  const lives = ["e1", "e2", "e3"].map((id) => startLive(full, folder, begin(id)));
  const ends = await Promise.allSettled(lives.map((live) => orLeave(live, () => live.finish(end))));
  for (const ended of ends)
    expect(ended).toMatchObject({ status: "rejected", reason: { message: "no space left" } });
  isFull = false;
  expect((await recoverRun(full, folder)).added).toEqual(["e1", "e2", "e3"]);
  expect((await episodesIn(folder)).map((episode) => episode?.stopReason)).toEqual([
    "final",
    "final",
    "final",
  ]);
});

test("a killed episode is kept up to its last whole step, as interrupted and halted", async () => {
  const folder = temporaryFolder();
  const live = startLive(files, folder, begin("e1"));
  await runTwoSteps(live);
  live.record({ event: "proposed", t: 2, proposal: { thought: "cut", action: search } });
  await live.settled();
  appendFileSync(livePath(folder, "e1"), '{"event":"executed","t":2,"act');
  const recovered = await recoverRun(files, folder);
  expect(recovered.added).toEqual(["e1"]);
  expect(recovered.diagnostics.map((d) => [d.code, d.severity, d.range.start.line])).toEqual([
    ["HASP520", "warning", 11],
  ]);
  const [episode] = await episodesIn(folder);
  expect(episode).toMatchObject({ stopReason: "interrupted", outcome: "halted", length: 3 });
  expect(episode?.steps[2]).toMatchObject({
    proposals: [{ thought: "cut" }],
    executed: search,
    notRun: "interrupted",
  });
  expect(readdirSync(`${folder}/live`)).toEqual([]);
  expect(await recoverRun(files, folder)).toEqual({ added: [], dropped: [], diagnostics: [] });
});

test("killed between the append and the removal, an episode is not folded twice", async () => {
  const folder = temporaryFolder();
  const failing: TraceFiles = { ...files, remove: () => Promise.reject(new Error("killed")) };
  const live = startLive(failing, folder, begin("e1"));
  await runTwoSteps(live);
  await expect(live.finish(end)).rejects.toThrow("killed");
  expect(readdirSync(`${folder}/live`)).toEqual(["e1.jsonl"]);
  expect((await recoverRun(files, folder)).added).toEqual([]);
  expect((await episodesIn(folder)).map((e) => e?.stopReason)).toEqual(["final"]);
  expect(readdirSync(`${folder}/live`)).toEqual([]);
});

test("killed in the middle of the append, an episode is folded again and only the half line is lost", async () => {
  const folder = temporaryFolder();
  const half: TraceFiles = {
    ...files,
    async append(path, data, options) {
      if (!path.endsWith("episodes.jsonl")) return files.append(path, data, options);
      await files.append(path, data.subarray(0, 100), options);
      throw new Error("killed");
    },
  };
  const live = startLive(half, folder, begin("e1"));
  await runTwoSteps(live);
  await expect(live.finish(end)).rejects.toThrow("killed");
  expect((await recoverRun(files, folder)).added).toEqual(["e1"]);
  const index = await openIndex(files, `${folder}/episodes.jsonl`);
  expect(index.entries.map((entry) => entry.head.outcome)).toEqual(["correct"]);
  expect(index.diagnostics.map((d) => d.code)).toEqual(["HASP501"]);
});

test("an id cannot lead out of the live folder", () => {
  for (const id of ["../../x", "a/b", "..\\x", "C:*?", "\uD800"]) {
    expect(livePath("/run", id)).toMatch(/^\/run\/live\/[^/\\:*?]+\.jsonl$/);
  }
});

test("a live file without its start stays where it is, and recovery says so", async () => {
  const folder = temporaryFolder();
  await files.makeFolder(`${folder}/live`);
  writeFileSync(`${folder}/live/x.jsonl`, "\0\n{}\n");
  const recovered = await recoverRun(files, folder);
  expect(recovered.added).toEqual([]);
  expect(recovered.diagnostics.map((d) => d.code)).toEqual(["HASP520", "HASP520", "HASP521"]);
  expect(readdirSync(`${folder}/live`)).toEqual(["x.jsonl"]);
});

test("a sound event at the wrong place is dropped with its line", () => {
  const lines = [
    JSON.stringify({ schema: "hasp.live/1", event: "started", ...begin("e1") }),
    JSON.stringify({ event: "observed", t: 0, observation: "nothing asked" }),
    JSON.stringify({ event: "proposed", t: 1, proposal: { thought: "", action: search } }),
    JSON.stringify({ event: "proposed", t: 0, proposal: { thought: "", action: search } }),
    JSON.stringify({ event: "observed", t: 0, observation: "too early" }),
    JSON.stringify({ event: "executed", t: 0, action: search }),
    JSON.stringify({ event: "finished", ...end }),
    JSON.stringify({ event: "observed", t: 0, observation: "too late" }),
  ];
  const folded = foldLive(lines, "live/e1.jsonl");
  expect(folded.diagnostics.map((d) => d.range.start.line)).toEqual([1, 2, 4, 7]);
  expect(folded.value).toMatchObject({ length: 1, stopReason: "final" });
});

test("records are written in their order, in few writes", async () => {
  const folder = temporaryFolder();
  let writes = 0;
  const counting: TraceFiles = { ...files, append: (...args) => (writes++, files.append(...args)) };
  const live = startLive(counting, folder, begin("e1"));
  for (let i = 0; i < 20; i++) {
    live.record({ event: "proposed", t: 0, proposal: { thought: String(i), action: search } });
  }
  await live.settled();
  const thoughts = readFileSync(livePath(folder, "e1"), "utf8").match(/"thought":"\d+"/g);
  expect(thoughts).toEqual(Array.from({ length: 20 }, (_, i) => `"thought":"${i}"`));
  expect(writes).toBeLessThan(5);
});

test("a write that failed is told when the episode ends, and no episode is claimed", async () => {
  const folder = temporaryFolder();
  const full: TraceFiles = { ...files, append: () => Promise.reject(new Error("no space left")) };
  const live = startLive(full, folder, begin("e1"));
  live.record({ event: "proposed", t: 0, proposal: { thought: "look", action: search } });
  await expect(live.finish(end)).rejects.toThrow("no space left");
  expect(await episodesIn(folder)).toEqual([]);
});

test("property: a live file cut anywhere never throws, and never gives more than was written", async () => {
  const folder = temporaryFolder();
  const live = startLive(files, folder, begin("e1"));
  await runTwoSteps(live);
  const whole = readFileSync(livePath(folder, "e1"), "utf8");
  fc.assert(
    fc.property(fc.nat(whole.length), fc.string(), (cut, tail) => {
      const folded = foldLive((whole.slice(0, cut) + tail).split("\n"), "x");
      expect(folded.value?.length ?? 0).toBeLessThanOrEqual(2);
      if (folded.value !== undefined) expect(folded.value.stopReason).toBe("interrupted");
    }),
  );
});

test.each(["", '{"sch', '{"schema":"hasp.live/1","event":"sta'])(
  "a writer that was killed within its very first line (%j) leaves nothing to keep, and nothing to tell",
  async (text) => {
    const folder = temporaryFolder();
    await files.makeFolder(`${folder}/live`);
    for (const interrupted of ["keep", "drop"] as const) {
      writeFileSync(livePath(folder, "e 1"), text);
      expect(await recoverRun(files, folder, { interrupted })).toEqual({
        added: [],
        dropped: ["e 1"],
        diagnostics: [],
      });
      expect(readdirSync(`${folder}/live`)).toEqual([]);
    }
  },
);
