import { describe, expect, it } from "vitest";
import { meanInterval } from "../../../src/scoring/bootstrap.ts";
import { signTest, spreadOf } from "../../../src/analysis/compare-measures.ts";
import { questionsOf } from "../../../src/analysis/compare-read.ts";
import {
  compareRuns,
  sameQuestions,
  sharedQuestions,
  type RunQuestion,
} from "../../../src/analysis/compare-runs.ts";
import type { ComparedEpisode } from "../../../src/model/comparison.ts";
import type { StandingOutcome } from "../../../src/model/episode.ts";
import { appendEpisode } from "../../../src/trace/episode-file.ts";
import { openIndex } from "../../../src/trace/episode-index.ts";
import { episode, files, step, temporaryFolder } from "../trace/support.ts";

const asked = (questionId: string, outcome: StandingOutcome, question = questionId): RunQuestion => ({
  questionId,
  question,
  samples: [sampled(1, outcome, questionId)],
});

const SCORES = { correct: 1, wrong: 0, halted: 0, unjudged: undefined } as const;
const sampled = (sample: number, outcome: StandingOutcome, id = "q"): ComparedEpisode => ({
  index: 0,
  id: `${id}#${sample}`,
  sample,
  outcome,
  steps: 2,
  score: SCORES[outcome],
});
const OF_SIGN: Readonly<Record<string, StandingOutcome>> = { "+": "correct", "-": "wrong", "?": "unjudged" };
/** A question with these outcomes: `+` right, `-` wrong, `?` unjudged. */
const several = (questionId: string, outcomes: string, first = 1): RunQuestion => ({
  questionId,
  question: questionId,
  samples: Array.from(outcomes, (sign, i) => sampled(first + i, OF_SIGN[sign] ?? "halted", questionId)),
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
    expect(verdicts).toEqual({
      lost: 1,
      won: 1,
      tied: 0,
      both_wrong: 1,
      both_right: 1,
      unjudged: 1,
      only_a: 1,
      only_b: 1,
    });
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

describe("comparing questions of several samples", () => {
  const verdictOf = (a: string, b: string): string =>
    compareRuns([several("q", a)], [several("q", b)]).pairs[0]?.verdict ?? "";

  it("says won and lost by the number of right samples", () => {
    expect(verdictOf("+---", "++--")).toBe("won");
    expect(verdictOf("++-+", "--+-")).toBe("lost");
    expect(verdictOf("++--", "--++")).toBe("tied");
    expect(verdictOf("++", "++")).toBe("both_right");
    expect(verdictOf("--", "--")).toBe("both_wrong");
  });

  it("pairs samples by their number and only counts those without a partner", () => {
    const { pairs, samples, outcomes } = compareRuns([several("q", "+-+")], [several("q", "-+", 3)]);
    expect(samples).toEqual({ paired: 1, onlyA: 2, onlyB: 1 });
    expect(pairs[0]).toMatchObject({
      verdict: "lost",
      a: { right: 1, of: 1, unpaired: 2, episodes: [{ sample: 3 }] },
      b: { right: 0, of: 1, unpaired: 1, episodes: [{ sample: 3 }] },
    });
    expect(outcomes.correct.wrong).toBe(1);
  });

  it("pairs the lowest samples where the runs share no number", () => {
    const { pairs, samples } = compareRuns([several("q", "+-")], [several("q", "-+", 7)]);
    expect(pairs[0]?.a?.episodes.map(({ id }) => id)).toEqual(["q#1"]);
    expect(pairs[0]?.b?.episodes.map(({ id }) => id)).toEqual(["q#7"]);
    expect(samples).toEqual({ paired: 1, onlyA: 1, onlyB: 1 });
  });

  it("leaves pairs out of the figures where one of the two is unjudged", () => {
    const { pairs } = compareRuns([several("q", "+?+")], [several("q", "+-?")]);
    expect(pairs[0]).toMatchObject({ verdict: "both_right", a: { right: 1, of: 1 }, b: { right: 1, of: 1 } });
    expect(verdictOf("?+", "+?")).toBe("unjudged");
  });

  it("gives the best and the mean score of both sides", () => {
    const scored = (scores: readonly number[]): RunQuestion => ({
      ...several("q", "-"),
      samples: scores.map((score, i) => ({ ...sampled(i + 1, "wrong"), score })),
    });
    const { pairs } = compareRuns([scored([0.25, 0.75])], [scored([0, 0.5])]);
    expect([pairs[0]?.a, pairs[0]?.b]).toMatchObject([
      { best: 0.75, mean: 0.5 },
      { best: 0.5, mean: 0.25 },
    ]);
  });

  it("gives the difference in the share of right answers, and the same interval each time", () => {
    const a = Array.from({ length: 40 }, (_, i) => several(`q${i}`, i % 2 === 0 ? "+-" : "--"));
    const b = Array.from({ length: 40 }, (_, i) => several(`q${i}`, i % 4 === 0 ? "++" : "+-"));
    const { right } = compareRuns(a, b);
    expect(right).toMatchObject({ questions: 40, a: 0.25, b: 0.625 });
    expect(right?.low).toBeGreaterThan(0.25);
    expect(right?.low).toBeLessThan(0.375);
    expect(right?.high).toBeGreaterThan(0.375);
    expect(right?.high).toBeLessThan(0.5);
    expect(compareRuns(a, b).right).toEqual(right);
    expect(compareRuns([several("q", "?")], [several("q", "+")]).right).toBeUndefined();
  });
});

describe("the interval of a mean", () => {
  it("is a point where all values are one, and undefined without a value", () => {
    expect(meanInterval([0.5, 0.5, 0.5])).toEqual({ low: 0.5, high: 0.5 });
    expect(meanInterval([])).toBeUndefined();
  });

  it("holds the percentiles that theory says: 100 fair coins give a share of 0.5 ± 0.098", () => {
    const { low = 0, high = 0 } = meanInterval(Array.from({ length: 100 }, (_, i) => i % 2)) ?? {};
    expect(Math.abs(low - 0.402)).toBeLessThan(0.015);
    expect(Math.abs(high - 0.598)).toBeLessThan(0.015);
  });
});

describe("the exact sign test", () => {
  it("gives the values of the binomial distribution", () => {
    expect(signTest(0, 0)).toBe(1);
    expect(signTest(5, 5)).toBe(1);
    expect(signTest(6, 0)).toBeCloseTo(2 / 64, 12);
    expect(signTest(1, 9)).toBeCloseTo((2 * 11) / 1024, 12);
    expect(signTest(9, 1)).toBe(signTest(1, 9));
  });

  it("stays a number for thousands of questions", () => {
    expect(signTest(5_000, 5_000)).toBe(1);
    expect(signTest(4_000, 6_000)).toBeLessThan(1e-80);
    expect(signTest(4_000, 6_000)).toBeGreaterThan(0);
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
  const tried = (id: string, sample: number, outcome: StandingOutcome) =>
    episode(id, { questionId: "q", outcome, sample });

  it("have their samples by number, of several of one number the first in the file", async () => {
    const index = await indexOf(tried("c", 3, "correct"), tried("b", 2, "halted"), tried("b2", 2, "correct"));
    const { questions } = await questionsOf(files, index, { measured: false });
    expect(questions).toMatchObject([
      {
        questionId: "q",
        samples: [
          { index: 1, id: "b", sample: 2, outcome: "halted", score: 0 },
          { id: "c", sample: 3, score: 1 },
        ],
      },
    ]);
    expect(questions[0]?.samples[0]?.measures).toBeUndefined();
  });

  it("know the trials of old records, which only the episodes tell; no trial is sample 1", async () => {
    const path = `${temporaryFolder()}/episodes.jsonl`;
    const old = (id: string, settings: Record<string, unknown>): Uint8Array => {
      const { sample: _, schema: _schema, ...rest } = episode(id, { questionId: "q" });
      const line = { schema: "hasp.episode/1", ...rest, settings };
      return new TextEncoder().encode(`${JSON.stringify(line)}\n`);
    };
    for (const line of [old("b", { trial: 2 }), old("a", {})]) await files.append(path, line);
    const index = await openIndex(files, path, { save: false });
    expect(index.entries.map(({ head }) => head.sample)).toEqual([undefined, undefined]);
    const { questions } = await questionsOf(files, index, { measured: false });
    expect(questions[0]?.samples.map(({ id, sample }) => [id, sample])).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
  });

  it("score by the first verdict, where the episodes are read", async () => {
    const verdicts = [
      { judge: "f1>=0.5", score: 0.6, passed: true },
      { judge: "exact_match", score: 0, passed: false },
    ];
    const index = await indexOf(episode("a", { verdicts }));
    const scoreOf = async (measured: boolean) =>
      (await questionsOf(files, index, { measured })).questions[0]?.samples[0]?.score;
    expect([await scoreOf(true), await scoreOf(false)]).toEqual([0.6, 1]);
  });

  it("are judged by another judge on request, by its latest verdict; without one they are unjudged", async () => {
    const verdict = (judge: string, passed: boolean) => ({ judge, score: passed ? 1 : 0, passed });
    const verdicts = [
      verdict("exact_match", false),
      verdict("mbe", false),
      verdict("f1", false),
      verdict("mbe", true),
    ];
    const index = await indexOf(
      episode("a", { verdicts, answer: "x", outcome: "wrong" }),
      episode("b", { verdicts: [verdict("exact_match", true)], answer: "x" }),
      episode("c", { outcome: "halted" }),
    );
    for (const measured of [true, false]) {
      const { questions } = await questionsOf(files, index, { measured, by: "mbe" });
      expect(
        questions.flatMap(({ samples }) => samples.map(({ outcome, score }) => [outcome, score])),
      ).toEqual([
        ["correct", 1],
        ["unjudged", undefined],
        ["halted", 0],
      ]);
    }
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
    expect(questions[0]?.samples[0]?.measures).toEqual({
      replies: { replies: 0, invalid: 0, lenient: 0 },
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

  it("count no searches and reads where the domain has no such action", async () => {
    const facts = { domain: "agent", actionTypes: ["FINAL"], searchReturnsText: false, maxSteps: 1 };
    const index = await indexOf(episode("a", { facts, steps: [step(0, "FINAL", "x")] }));
    const { questions } = await questionsOf(files, index, { measured: true });
    expect(questions[0]?.samples[0]?.measures).not.toHaveProperty("searches");
    expect(Object.keys(compareRuns(questions, questions).measures)).toEqual([
      "steps",
      "applied",
      "dollars",
      "tokens",
      "seconds",
    ]);
  });

  it("count the replies of the episodes that have a partner, and none where nothing was read", async () => {
    const said = (type: string, lenient?: true) => ({
      thought: "",
      action: { type, arg: "x" },
      completion: { text: "x", finish: "stop" as const },
      ...(lenient && { lenient }),
    });
    const steps = [
      { ...step(0, "SEARCH", "a"), proposals: [said("invalid")] },
      { ...step(1, "FINAL", "x"), proposals: [said("FINAL", true), said("FINAL")] },
    ];
    const one = await indexOf(episode("a", { steps }), episode("alone", { steps, question: "Else?" }));
    const other = await indexOf(episode("a"));
    const read = async (measured: boolean) =>
      compareRuns(
        (await questionsOf(files, one, { measured })).questions,
        (await questionsOf(files, other, { measured })).questions,
      );
    expect((await read(true)).replies).toEqual({
      a: { replies: 3, invalid: 1, lenient: 1 },
      b: { replies: 0, invalid: 0, lenient: 0 },
    });
    expect(await read(false)).not.toHaveProperty("replies");
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
    expect(read.questions).toMatchObject([{ samples: [{ id: "a", steps: 2 }] }]);
    expect(read.diagnostics.map(({ code }) => code)).toEqual(["HASP503"]);
  });

  it("stops when it is told to", async () => {
    const index = await indexOf(episode("a"));
    await expect(
      questionsOf(files, index, { measured: true, signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});
