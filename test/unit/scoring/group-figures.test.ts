import { expect, it } from "vitest";
import { episodeScore, groupFigures, questionFigures } from "../../../src/scoring/group-figures.ts";

const right = { right: true, score: 1 };
const near = { right: false, score: 0.4 };
const wrong = { right: false, score: 0 };

it("several samples of a question have a best, a mean and a number that are right", () => {
  expect(groupFigures([right, near, wrong, wrong])).toEqual({ samples: 4, right: 1, best: 1, mean: 0.35 });
  expect(groupFigures([])).toEqual({ samples: 0, right: 0, best: undefined, mean: undefined });
});

it("questions are averaged, whatever their number of samples; those without a judged one do not count", () => {
  const groups = [[right, right], [right, wrong, wrong, wrong], [wrong, near], []].map(groupFigures);
  expect(questionFigures(groups)).toEqual({
    questions: 3,
    samples: 8,
    mostSamples: 4,
    meanRight: (1 + 0.25 + 0) / 3,
    mean: (1 + 0.25 + 0.2) / 3,
    bestOf: 2 / 3,
    allRight: 1,
    passAtK: [
      expect.objectContaining({ k: 1, share: (1 + 0.25 + 0) / 3 }),
      expect.objectContaining({ k: 4, share: 1, questions: 1, tooFew: 2 }),
    ],
  });
  expect(questionFigures([groupFigures([])])).toBeUndefined();
});

it("the score of an episode is that of its first verdict, and of an old record that of its outcome", () => {
  const verdicts = [
    { judge: "f1>=0.5", score: 0.4, passed: false },
    { judge: "mbe-1", score: 1, passed: true },
  ];
  expect(episodeScore({ outcome: "wrong", verdicts })).toBe(0.4);
  expect(episodeScore({ outcome: "correct" })).toBe(1);
  expect(episodeScore({ outcome: "unjudged" })).toBeUndefined();
});
