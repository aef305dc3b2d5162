import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { exactMatch } from "../../../src/scoring/exact-match.ts";
import { isMathAnswer, whyNoWords } from "../../../src/scoring/math-answers.ts";

const refused = (golds: readonly string[], ...from: (string | undefined)[]): boolean =>
  whyNoWords({ golds: golds.map((gold) => [gold]), from }) !== undefined;

describe("An accepted answer that is math", () => {
  it.each([
    ["7", "-7"],
    ["3/4", "34"],
    ["[0,1)", "(0,1)"],
  ])("%s is not %s, which exact match takes for the same", (one, other) => {
    expect(exactMatch(other, [one])).toBe(true);
    expect([one, other].map(isMathAnswer)).toEqual([true, true]);
  });

  it.each(["−7", "1,024", "0.5", "50\\%", "\\frac{3}{4}", "\\dfrac12", "3\\sqrt{2}", "\\left[0,1\\right)"])(
    "%s is one",
    (answer) => expect(isMathAnswer(answer)).toBe(true),
  );

  it.each(["(-\\infty, 2] \\cup [3, \\infty)", "x = 5", "2x+1", "$18", "12\\text{ cm}", "(1, 2)", "10π"])(
    "%s is one, too",
    (answer) => expect(isMathAnswer(answer)).toBe(true),
  );

  it.each([
    "B4",
    "1988",
    "4th",
    "Dec. 10, 1817",
    "30 June 2011",
    "the Cold War (1947–91)",
    "LXF",
    "yes",
    "",
    "a",
  ])("%j is none: a name, a date, a year", (answer) => expect(isMathAnswer(answer)).toBe(false));
});

describe("Exact match and F1", () => {
  it("are refused where more than half of the accepted answers are math", () => {
    expect(refused(["7", "-3", "Rome"])).toBe(true);
    expect(refused(["7", "-3", "Rome", "Paris"])).toBe(false);
    expect(refused(["1988", "1912", "2004"])).toBe(false);
  });

  it("are refused on a set that is known to be math, however its answers look", () => {
    expect(refused(["east", "Monday", "5"], undefined, "data/math-500.jsonl")).toBe(true);
    expect(refused(["1988", "204"], "gsm8k")).toBe(true);
    expect(refused(["east", "5", "west"], "data/maths-teachers.jsonl")).toBe(false);
  });

  it("judge a set of names, dates and places, also a part of it with many numbers", () => {
    const source = { golds: [["52"], ["131"], ["847"]], from: ["bamboogle"] };
    expect(whyNoWords({ ...source, asksForWords: true })).toBeUndefined();
    expect(whyNoWords(source)).toBeDefined();
  });

  it("judge where no accepted answer is known", () => {
    expect(whyNoWords({ golds: [undefined, []], from: ["gsm8k"] })).toBeUndefined();
  });
});

const DATA = path.resolve("../shared/data");

/** Shares of accepted answers that are math: at most 7% in the sets of names, at least 97% in the others. */
describe.skipIf(!existsSync(DATA))("Public data (../shared/data)", () => {
  const golds = (file: string): string[][] => {
    const text = readFileSync(path.join(DATA, file), "utf8").trim();
    const rows = (
      text.startsWith("[") ? JSON.parse(text) : text.split("\n").map((line) => JSON.parse(line))
    ) as {
      gold?: unknown;
      answer?: unknown;
    }[];
    return rows.map(({ gold, answer }) => [gold ?? answer].flat().map(String));
  };
  const share = (file: string): number => {
    const all = golds(file);
    return all.filter((gold) => gold.some(isMathAnswer)).length / all.length;
  };

  it.each([
    "hotpotqa/distractor-100.jsonl",
    "multihop/hotpotqa_train.json",
    "multihop/musique_train.json",
    "bamboogle/bamboogle.json",
    "trajectories/reflexion-hotpotqa.jsonl",
    "trajectories/fireact-hotpotqa-even.jsonl",
  ])("%s is far from refused", (file) => expect(share(file)).toBeLessThanOrEqual(0.07));

  it.each([
    "math/aime24.jsonl",
    "math/amc23.jsonl",
    "answers/gsm8k-gpt3-even.jsonl",
    "answers/game24-gpt4-900-949.jsonl",
    "answers/math-qwen-even.jsonl",
  ])("%s is refused by its answers alone", (file) => expect(share(file)).toBeGreaterThanOrEqual(0.97));
});
