import { expect, test } from "vitest";
import type { Episode, Origin } from "../../../src/model/episode.ts";
import { linkedFrom, originWords } from "../../../src/model/episode-links.ts";
import { placeTogether } from "../../../src/trace/import-links.ts";
import { emptyTally, type PlacedFile } from "../../../src/trace/import-tally.ts";
import { diagnosticLog } from "../../../src/trace/line-diagnostics.ts";
import { episode, step } from "./support.ts";

const placed = (file: string): PlacedFile => ({
  file,
  log: diagnosticLog(file),
  renamed: new Map(),
  hasSessions: true,
});

const SESSION: readonly Episode[] = [
  episode("s1", { steps: [step(0, "READ", "a"), step(1, "READ", "b"), step(2, "FINAL", "c")] }),
  episode("s1~branch-1", { outcome: "abandoned", origin: { as: "branch", episode: "s1", t: 1 } }),
  episode("s1~branch-2", { outcome: "abandoned", origin: { as: "branch", episode: "s1" } }),
  episode("s1~branch-3", {
    outcome: "abandoned",
    origin: { as: "branch", episode: "s1~branch-1", t: 0 },
  }),
  episode("s1~agent", { origin: { as: "sub_agent", episode: "s1", t: 1 } }),
];
const read = (episodes: readonly Episode[]) => episodes.map((one) => ({ episode: one }));
const links = (all: readonly { readonly episode: Episode }[]) =>
  all.map(({ episode: one }) => [
    one.id,
    one.origin?.episode,
    linkedFrom(one, "branch"),
    one.steps.map((at) => [...linkedFrom(at, "branch"), ...linkedFrom(at, "sub_agent")]),
  ]);

test("a step leads to the branches that left after it and to the agents that it called", () => {
  const all = placeTogether(read(SESSION), placed("a.jsonl"), emptyTally());
  expect(links(all)).toEqual([
    ["s1", undefined, ["s1~branch-2"], [[], ["s1~branch-1", "s1~agent"], []]],
    ["s1~branch-1", "s1", [], [["s1~branch-3"], []]],
    ["s1~branch-2", "s1", [], [[], []]],
    ["s1~branch-3", "s1~branch-1", [], [[], []]],
    ["s1~agent", "s1", [], [[], []]],
  ]);
});

test("the same session in a second file is said once for each id, and its links stay within it", () => {
  const tally = emptyTally();
  placeTogether(read(SESSION), placed("a.jsonl"), tally);
  const copy = placed("b.jsonl");
  // The reader of a file may name the agent itself, under the id that the file gives it.
  const [first, ...rest] = SESSION;
  const steps = (first?.steps ?? []).map((at) =>
    at.t === 1 ? { ...at, extra: { subAgents: ["s1~agent"] } } : at,
  );
  const all = placeTogether(read([{ ...first!, steps }, ...rest]), copy, tally);
  expect(links(all).slice(0, 2)).toEqual([
    ["s1~2", undefined, ["s1~branch-2~2"], [[], ["s1~branch-1~2", "s1~agent~2"], []]],
    ["s1~branch-1~2", "s1~2", [], [["s1~branch-3~2"], []]],
  ]);
  expect(copy.log.list().map(({ code }) => code)).toEqual(Array(5).fill("HASP531"));
  expect(copy.log.list()[0]?.message).toContain("in a.jsonl");
});

test("an agent's own file leads to the session of another file", () => {
  const tally = emptyTally();
  const [session, , , , agent] = SESSION;
  placeTogether(read([session!]), placed("s1.jsonl"), tally);
  const [{ episode: placedAgent } = { episode: undefined }] = placeTogether(
    read([agent!]),
    placed("s1/subagents/agent.jsonl"),
    tally,
  );
  expect(placedAgent?.origin).toEqual({ as: "sub_agent", episode: "s1", t: 1 });
});

test("a branch that left after a step which is not there stands with the episode; a stranger's links may be anything", () => {
  const odd = episode("a", { extra: { branches: "no list", subAgents: [1, "x", null] } });
  const branch = episode("a~branch-1", { origin: { as: "branch", episode: "a", t: 99 } });
  const [{ episode: first } = { episode: odd }] = placeTogether(
    read([odd, branch]),
    placed("a"),
    emptyTally(),
  );
  expect(linkedFrom(first, "branch")).toEqual(["a~branch-1"]);
  expect(linkedFrom(first, "sub_agent")).toEqual(["x"]);
});

test("an origin in words names the step as people count it", () => {
  const words = (origin: Origin, outcome: "abandoned" | "unjudged" = "abandoned"): string =>
    originWords(origin, "s1", outcome);
  const branch = { as: "branch", episode: "x" } as const;
  expect(words({ ...branch, t: 2 })).toBe("abandoned branch of s1, left after step 3");
  expect(words(branch)).toBe("abandoned branch of s1, left before its first step");
  expect(words({ ...branch, t: 2 }, "unjudged")).toBe("goes on from step 3 of s1");
  expect(words(branch, "unjudged")).toBe("goes on from before the first step of s1");
  expect(words({ as: "sub_agent", episode: "x", t: 3 })).toBe("called by step 4 of s1");
  expect(words({ as: "sub_agent", episode: "x" })).toBe("called by s1");
});

test("a sub-agent in a file of its own came out of the session that lies next to it, be that a copy", () => {
  const tally = emptyTally();
  const session = SESSION.slice(0, 1);
  const agent = SESSION.slice(4);
  for (const file of ["p/s1.jsonl", "p/s1 (copy).jsonl", "saved/s1.jsonl"])
    placeTogether(read(session), placed(file), tally);
  const origins = ["p/s1/agent.jsonl", "p/s1 (copy)/agent.jsonl", "saved/s1/agent.jsonl"].map(
    (file) => placeTogether(read(agent), placed(file), tally)[0]?.episode.origin?.episode,
  );
  expect(origins).toEqual(["s1", "s1~2", "s1~3"]);
});
