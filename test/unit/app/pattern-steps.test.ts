import { describe, expect, it } from "vitest";
import { mostTellingSteps, type PatternStep } from "../../../src/app/pattern-steps.ts";
import type { Outcome } from "../../../src/model/episode.ts";

function at(index: number, questionId: string, outcome: Outcome): PatternStep {
  return { index, t: 0, head: { id: `e${index}`, questionId, outcome, length: 1, question: questionId } };
}

describe("the steps that become cases", () => {
  it("are of failed episodes first, and of each question once before its repetitions", () => {
    const steps = [
      at(0, "a", "correct"),
      at(1, "a", "wrong"),
      at(2, "a", "halted"),
      at(3, "b", "wrong"),
      at(4, "c", "unjudged"),
    ];
    expect(mostTellingSteps(steps).map(({ index }) => index)).toEqual([1, 3, 4, 2, 0]);
  });
});
