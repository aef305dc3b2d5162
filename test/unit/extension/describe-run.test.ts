import { expect, it } from "vitest";
import { describeRun } from "../../../src/extension/questions/describe-run.ts";
import { NO_REPLIES } from "../../../src/model/replies.ts";

it("a run says why its judge came to no verdict, and on how many episodes", () => {
  const summary = {
    finished: 3,
    outcomes: { correct: 1, wrong: 0, halted: 0, unjudged: 2 },
    stopReasons: { final: 3 },
    replies: NO_REPLIES,
    judgeFailed: undefined,
    undecided: { "needs a machine": 2 },
    dollars: undefined,
    costUnknown: false,
    left: 0,
    endedBy: undefined,
  };
  expect(describeRun({ summary, skipped: 0, questions: undefined })).toContain(
    "The judge came to no verdict on 2: needs a machine.",
  );
});
