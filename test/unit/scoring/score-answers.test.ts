import { describe, expect, it } from "vitest";
import { agreementWith, meanScore, scoreAnswer, type Answered } from "../../../src/scoring/score-answers.ts";

const one = (id: string, more: Partial<Answered>): Answered => ({
  id,
  questionId: id,
  sample: 1,
  question: "Who?",
  answer: "Sam Walton",
  gold: ["Sam Walton"],
  recorded: "correct",
  ...more,
});

describe("scores", () => {
  it("are means over what can be scored: no answer is worth 0, no gold counts nowhere", () => {
    const answers = [
      one("right", {}),
      one("half", { answer: "Walton", recorded: "wrong" }),
      one("none", { answer: undefined, recorded: "halted" }),
      one("open", { gold: undefined, recorded: "unjudged" }),
    ];
    const { count, em, f1, precision, recall } = meanScore(answers);
    expect({ count, em }).toEqual({ count: 3, em: 1 / 3 });
    expect(f1).toBeCloseTo((1 + 2 / 3) / 3, 12);
    expect(precision).toBeCloseTo(2 / 3, 12);
    expect(recall).toBeCloseTo(0.5, 12);
    expect(scoreAnswer(one("x", { gold: [] }))).toBeUndefined();
    expect(meanScore([])).toEqual({ count: 0, em: 0, f1: 0, precision: 0, recall: 0 });
  });
});

describe("agreement with recorded verdicts", () => {
  it("names every answer on which exact match and the record part, both ways", () => {
    const answers = [
      one("a", {}),
      one("b", { recorded: "wrong" }),
      one("c", { answer: "Bud", recorded: "correct" }),
      one("d", { answer: undefined, recorded: "halted" }),
      one("e", { recorded: undefined }),
      one("f", { recorded: "unjudged" }),
      one("g", { gold: undefined }),
    ];
    const { compared, agreed, disagreements } = agreementWith(answers);
    expect({ compared, agreed }).toEqual({ compared: 4, agreed: 2 });
    expect(disagreements).toEqual([
      { id: "b", answer: "Sam Walton", gold: ["Sam Walton"], recorded: "wrong", em: true },
      { id: "c", answer: "Bud", gold: ["Sam Walton"], recorded: "correct", em: false },
    ]);
  });

  it("compares the judge of a domain with what others said, and not with itself", () => {
    const verdict = (judge: string, passed: boolean) => ({ judge, score: passed ? 1 : 0, passed });
    const answers = [
      one("a", { scored: verdict("tests", false), verdict: verdict("recorded", true) }),
      one("b", { scored: verdict("tests", true), verdict: verdict("tests", true) }),
      one("c", { scored: verdict("tests", true) }),
      one("d", { answer: undefined, recorded: "halted" }),
    ];
    const { compared, disagreements } = agreementWith(answers, true);
    expect([compared, disagreements.map(({ id }) => id)]).toEqual([2, ["a"]]);
  });
});
