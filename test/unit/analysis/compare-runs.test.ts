import { describe, expect, it } from "vitest";
import { mcNemar, spreadOf } from "../../../src/analysis/compare-measures.ts";
import { questionsOf } from "../../../src/analysis/compare-read.ts";
import {
  compareRuns,
  sameQuestions,
  sharedQuestions,
  type RunQuestion,
} from "../../../src/analysis/compare-runs.ts";
import type { Outcome } from "../../../src/model/episode.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { openIndex } from "../../../src/trace/episode-index.ts";
import { episode, files, step, temporaryFolder } from "../trace/support.ts";

const asked = (questionId: string, outcome: Outcome, question = questionId): RunQuestion => ({
  questionId,
  question,
  episode: { index: 0, id: `e-${questionId}`, outcome, steps: 2, tries: 1 },
});

describe("comparing two runs", () => {
  it("says of each question whether the second run won or lost it", () => {
    const a = [
      asked("1", "wrong"),
      asked("2", "correct"),
      asked("3", "correct"),
      asked("4", "halted"),
      asked("5", "unjudged"),
      asked("6", "wrong"),
    ];
    const b = [
      asked("7", "correct"),
      asked("5", "correct"),
      asked("4", "wrong"),
      asked("3", "correct"),
      asked("2", "halted"),
      asked("1", "correct"),
    ];
    const { pairs, verdicts, outcomes, pValue } = compareRuns(a, b);
    expect(pairs.map(({ questionId, verdict }) => `${questionId} ${verdict}`)).toEqual([
      "2 lost",
      "1 won",
      "4 both_wrong",
      "3 both_right",
      "5 unjudged",
      "6 only_a",
      "7 only_b",
    ]);
    expect(Object.values(verdicts)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(outcomes.correct).toEqual({ correct: 1, wrong: 0, halted: 1, unjudged: 0 });
    expect(pValue).toBe(1);
  });

  it("says beforehand how many questions two runs share, as it will match them", () => {
    const a = [
      asked("1", "wrong", "Who was it?"),
      asked("1", "wrong", "Who was it?"),
      asked("2", "wrong", "Which river?"),
      asked("3", "wrong", "Only here"),
    ];
    const b = [asked("1", "correct", "Who was it?"), asked("x", "correct", "which  RIVER")];
    expect(sharedQuestions(a, b)).toEqual({ shared: 2, byText: 1 });
    const { verdicts, byText } = compareRuns([...new Map(a.map((q) => [q.questionId, q])).values()], b);
    expect([verdicts.won, byText]).toEqual([2, 1]);
  });

  it("finds a question again by its id, else by its text, but not by having none", () => {
    const found = (one: RunQuestion, ...among: RunQuestion[]): string[] =>
      sameQuestions(one, among).map(({ questionId }) => questionId);
    const who = asked("1", "wrong", "Who?");
    expect(found(who, asked("1", "wrong", "Whom?"), asked("2", "wrong", "who"))).toEqual(["1"]);
    expect(found(who, asked("2", "wrong", "who"), asked("3", "wrong", "Which?"))).toEqual(["2"]);
    expect(found(asked("1", "wrong", "…"), asked("2", "wrong", "!"))).toEqual([]);
  });

  it("matches questions by text where the ids differ, and only where it is certain", () => {
    const a = [
      asked("a1", "wrong", "Who  was it?"),
      asked("a2", "wrong", "Twice?"),
      asked("a3", "wrong", "twice"),
      asked("a4", "wrong", ""),
    ];
    const b = [
      asked("b1", "correct", "who was it"),
      asked("b2", "correct", "Twice"),
      asked("b4", "correct", ""),
    ];
    const { verdicts, byText } = compareRuns(a, b);
    expect(byText).toBe(1);
    expect([verdicts.won, verdicts.only_a, verdicts.only_b]).toEqual([1, 3, 2]);
  });

  it("does not take a question away from its own id", () => {
    const { verdicts, byText } = compareRuns(
      [asked("x", "wrong", "q"), asked("y", "wrong", "q")],
      [asked("y", "correct", "q")],
    );
    expect([verdicts.won, verdicts.only_a, byText]).toEqual([1, 1, 0]);
  });

  it("compares runs with nothing in common, and empty ones", () => {
    expect(compareRuns([asked("1", "wrong")], [asked("2", "wrong")]).verdicts).toMatchObject({
      only_a: 1,
      only_b: 1,
    });
    expect(compareRuns([], [])).toMatchObject({
      pairs: [],
      pValue: 1,
      measures: { steps: { a: { known: 0, sum: 0 } } },
    });
  });
});

describe("the exact McNemar test", () => {
  it("gives the values of the binomial distribution", () => {
    expect(mcNemar(0, 0)).toBe(1);
    expect(mcNemar(5, 5)).toBe(1);
    expect(mcNemar(6, 0)).toBeCloseTo(2 / 64, 12);
    expect(mcNemar(1, 9)).toBeCloseTo((2 * 11) / 1024, 12);
    expect(mcNemar(9, 1)).toBe(mcNemar(1, 9));
  });

  it("stays a number for thousands of questions", () => {
    expect(mcNemar(5_000, 5_000)).toBe(1);
    expect(mcNemar(4_000, 6_000)).toBeLessThan(1e-80);
    expect(mcNemar(4_000, 6_000)).toBeGreaterThan(0);
  });
});

describe("a spread", () => {
  it("is of what is known", () => {
    expect(spreadOf([3, undefined, 1, 2, 10])).toEqual({ known: 4, sum: 16, median: 2.5 });
    expect(spreadOf([undefined])).toEqual({ known: 0, sum: 0, median: undefined });
  });
});

describe("the questions of a run", () => {
  async function indexOf(...episodes: Parameters<typeof appendEpisode>[2][]) {
    const path = `${temporaryFolder()}/episodes.jsonl`;
    for (const one of episodes) await appendEpisode(files, path, one);
    return openIndex(files, path, { save: false });
  }
  const tried = (id: string, sample: number, outcome: Outcome) =>
    episode(id, { questionId: "q", outcome, sample });

  it("are answered by the lowest sample, among equals by the first in the file", async () => {
    const index = await indexOf(tried("c", 3, "correct"), tried("b", 2, "halted"), tried("b2", 2, "correct"));
    const { questions } = await questionsOf(files, index, { measured: false });
    expect(questions).toMatchObject([
      { questionId: "q", episode: { index: 1, id: "b", outcome: "halted", tries: 3 } },
    ]);
    expect(questions[0]?.episode.measures).toBeUndefined();
    const first = await indexOf(tried("b", 2, "halted"), tried("a", 1, "wrong"));
    expect((await questionsOf(files, first, { measured: true })).questions[0]?.episode.id).toBe("a");
  });

  it("carry what the episode took, where that is asked for", async () => {
    const cost = { inputTokens: 10, outputTokens: 5, cost: 0.5, latencyMs: 2_000 };
    const applied = { skillId: "s", proposal: 0, status: "applied" as const, reason: "r" };
    const steps = [
      { ...step(0, "SEARCH", "a"), events: [applied], injected: [{ skillId: "s", text: "look" }] },
      { ...step(1, "READ", "d"), proposals: [{ thought: "", action: { type: "FINAL", arg: "x" } }] },
      step(2, "FINAL", "x"),
    ];
    const index = await indexOf(episode("a", { steps, cost }));
    const { questions } = await questionsOf(files, index, { measured: true });
    expect(questions[0]?.episode.measures).toEqual({
      steps: 3,
      searches: 1,
      reads: 1,
      interventions: { applied: 1, changed: 1, injected: 1 },
      cost,
    });
    const { measures } = compareRuns(questions, questions);
    expect(measures.tokens?.a).toEqual({ known: 1, sum: 15, median: 15 });
    expect(measures.dollars?.b.sum).toBe(0.5);
    expect(measures.seconds?.b.median).toBe(2);
  });

  it("reports an episode that cannot be read, and takes the list's word for it", async () => {
    const folder = temporaryFolder();
    const path = `${folder}/episodes.jsonl`;
    await appendEpisode(files, path, episode("a"));
    const text = new TextDecoder()
      .decode(await files.read(path, 0, 10_000))
      .replace('"stopReason":"final"', '"stopReason":12');
    await files.writeText(path, text);
    const read = await questionsOf(files, await openIndex(files, path, { save: false }), { measured: true });
    expect(read.questions).toMatchObject([{ episode: { id: "a", steps: 2 } }]);
    expect(read.diagnostics.map(({ code }) => code)).toEqual(["HASP503"]);
  });

  it("stops when it is told to", async () => {
    const index = await indexOf(episode("a"));
    await expect(
      questionsOf(files, index, { measured: true, signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});
