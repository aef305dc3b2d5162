import { expect, test } from "vitest";
import { questionsLines } from "../../../src/cli/questions-line.ts";
import { questionFigures } from "../../../src/scoring/group-figures.ts";

test("a k of pass@k that was asked for and of which no question has as many samples is named", () => {
  const group = { samples: 2, right: 1, best: 1, mean: 0.5 };
  const figures = questionFigures([group, group], [1, 5]);
  expect(figures && questionsLines(figures, [1, 5])).toEqual([
    "questions: 2 with 4 judged samples; mean right 50.0 %, best of 2 100.0 %, all right 0",
    "pass@1 50.0 % (50.0–50.0); no question has 5 judged samples for pass@5",
  ]);
});
