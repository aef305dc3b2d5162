import { describe, expect, it } from "vitest";
import { chosenClusters } from "../../../src/evolve/phases/proposals.ts";
import { liveParts, recordedParts } from "../../../src/evolve/question-parts.ts";
import { EVOLVE_LIMITS } from "../../../src/model/evolution.ts";
import type { FailureCluster } from "../../../src/model/failure.ts";
import { isInSplit } from "../../../src/trace/question-split.ts";

function cluster(id: string, size: number, isNewCategory: boolean): FailureCluster {
  const examples = Array.from({ length: size }, (_, index) => ({
    run: "run",
    index,
    episodeId: `${id}-${index}`,
    questionId: `q${index}`,
    question: "?",
    steps: [0],
  }));
  const words = { category: id, abstraction: "a", trigger: "t", hint: "h" };
  return { id, source: "detector", ...words, group: "control", novelty: 0.5, isNewCategory, examples };
}

const ids = (clusters: readonly FailureCluster[]): readonly string[] => clusters.map(({ id }) => id);

describe("clusters that candidates are written for", () => {
  it("are five of six new categories, the largest first", () => {
    const six = [3, 8, 5, 4, 7, 6].map((size) => cluster(`new-${size}`, size, true));
    const chosen = chosenClusters(six, new Map(), EVOLVE_LIMITS.candidates);
    expect(ids(chosen)).toEqual(["new-8", "new-7", "new-6", "new-5", "new-4"]);
  });

  it("are new categories before larger known ones, whatever was tried", () => {
    const some = [cluster("known", 90, false), cluster("new", 3, true)];
    expect(ids(chosenClusters(some, new Map([["new", 4]]), 2))).toEqual(["new", "known"]);
  });

  it("are those that were tried least, then the largest, then by name", () => {
    const some = [cluster("a", 9, true), cluster("c", 5, true), cluster("b", 5, true)];
    expect(ids(chosenClusters(some, new Map([["a", 1]]), 3))).toEqual(["b", "c", "a"]);
  });
});

describe("parts of the questions", () => {
  const questions = Array.from({ length: 300 }, (_, i) => `Which question is number ${i}?`);

  it.each([7, 42])("no question of a record is in two of them, and each is in one (seed %i)", (seed) => {
    const { author, gate, final } = recordedParts(seed);
    const parts = [author, gate, final].flatMap((part) => part ?? []);
    const counts = parts.map((part) => questions.filter((one) => isInSplit(one, part)).length);
    expect(counts.every((count) => count > 60)).toBe(true);
    for (const one of questions) expect(parts.filter((part) => isInSplit(one, part))).toHaveLength(1);
  });

  it("the gate and the final reading share the validation questions of live rollouts, and no question", () => {
    const { author, gate, final } = liveParts(42);
    expect(author).toBeUndefined();
    for (const one of questions) expect([gate, final].filter((part) => isInSplit(one, part))).toHaveLength(1);
  });
});
