import { expect, it, vi } from "vitest";
import { describeRun } from "../../../src/extension/questions/describe-run.ts";

vi.mock("vscode", () => ({}));

it("ends a reason of no verdict once, also one that is a sentence", () => {
  const outcomes = { correct: 0, wrong: 0, halted: 0, unjudged: 2 };
  const undecided = { "nothing here. Install it.": 1, "it has no tests": 1 };
  const replies = { replies: 0, invalid: 0, lenient: 0 };
  const summary = { finished: 2, outcomes, left: 0, undecided, replies };
  const said = describeRun({ summary, skipped: 0, questions: undefined } as never);
  expect(said).toMatch(/no verdict on 1: nothing here\. Install it; 1: it has no tests\.$/);
  const one = { ...summary, undecided: { "nothing here. Install it.": 2 } };
  const alone = describeRun({ summary: one, skipped: 0, questions: undefined } as never);
  expect(alone).toMatch(/no verdict on 2: nothing here\. Install it\.$/);
});
