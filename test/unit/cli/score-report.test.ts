import { expect, it } from "vitest";
import { renderScore } from "../../../src/cli/score-report.ts";
import { NO_REPLIES } from "../../../src/model/replies.ts";
import type { ScoreRow } from "../../../src/scoring/score-report.ts";

const ROW: ScoreRow = {
  outcome: "all",
  answers: 1,
  score: { count: 0, em: 0, f1: 0, precision: 0, recall: 0 },
  mbe: undefined,
  right: { atLeast: 0, atMost: 0, judged: 1, unjudged: 0 },
};

it("names a program on which two judges part by its telling line, not by its imports and docstring", () => {
  const answer = 'import math\n\ndef half(x):\n    """Half of x, as the task says."""\n    return x // 2';
  const disagreements = [{ id: "t/4-a", answer, gold: [], recorded: "correct" as const }];
  const none = { by: undefined, groups: undefined, replies: NO_REPLIES };
  const agreement = { compared: 1, agreed: 0, disagreements };
  expect(renderScore({ ...none, input: "run", judge: "tests", rows: [ROW], agreement }).at(-1)).toBe(
    '  t/4-a: "def half(x):"; recorded correct, tests no',
  );
});
