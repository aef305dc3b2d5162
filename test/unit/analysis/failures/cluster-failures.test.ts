import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterFailures, noveltyOf } from "../../../../src/analysis/failures/cluster-failures.ts";
import { DETECTOR_PATTERNS } from "../../../../src/analysis/failures/detector-patterns.ts";
import { GROUP_DESCRIPTIONS } from "../../../../src/analysis/failures/groups.ts";
import {
  FAILURE_DETECTORS,
  failureClusterSchema,
  type FailureDetector,
  type FailureSummary,
  type FoundFailure,
  type KnownSkill,
} from "../../../../src/model/failure.ts";

function failure(index: number, more: Partial<FoundFailure> = {}): FoundFailure {
  return {
    run: "run",
    index,
    episodeId: `e${index}`,
    questionId: `q${index}`,
    domain: "web-search",
    question: `Question ${index}?`,
    outcome: "wrong",
    length: 4,
    detected: [],
    ...more,
  };
}

const shows = (name: FailureDetector, ...steps: number[]) => ({ name, steps, reason: "the answer is Ada" });
const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `w${from + i}`).join(" ");
const summary = (abstraction: string, more: Partial<FailureSummary> = {}): FailureSummary => ({
  category: "stale_evidence",
  abstraction,
  trigger: "w0",
  intervention_hint: "hint",
  ...more,
});
const ids = (found: readonly FoundFailure[], minClusterSize = 1): string[] =>
  clusterFailures(found, [], { minClusterSize }).clusters.map(
    ({ id, examples }) => `${id} ${examples.length}`,
  );

describe("clusters of detectors", () => {
  it("hold each failed episode once, with the steps that show the failure", () => {
    const found = [
      failure(0, { detected: [shows("premature_final", 1), shows("repeated_search", 1, 2)] }),
      failure(1, { detected: [shows("premature_final")] }),
      failure(2),
    ];
    const { clusters } = clusterFailures(found, [], { minClusterSize: 1 });
    const premature = clusters.find(({ id }) => id === "detector:premature_final");
    expect(premature?.examples.map(({ index, steps }) => [index, steps])).toEqual([
      [0, [1]],
      // About the whole episode: its last step.
      [1, [3]],
    ]);
    expect(premature?.group).toBe("termination");
    expect(clusters).toHaveLength(2);
    for (const cluster of clusters) expect(failureClusterSchema.parse(cluster)).toEqual(cluster);
  });

  it("hold nothing of a reason, which may name the answer", () => {
    const { clusters } = clusterFailures([failure(0, { detected: [shows("wrong_entity_focus", 3)] })], [], {
      minClusterSize: 1,
    });
    expect(JSON.stringify(clusters)).not.toContain("Ada");
  });

  it("of 2 episodes are counted alone where 3 are asked for", () => {
    const two = [0, 1].map((i) => failure(i, { detected: [shows("premature_final", 1)] }));
    expect(clusterFailures(two, [], { minClusterSize: 3 })).toEqual({ clusters: [], small: 1 });
    const three = [...two, failure(2, { detected: [shows("premature_final", 1)] })];
    expect(clusterFailures(three, [], { minClusterSize: 3 })).toMatchObject({
      clusters: [{ id: "detector:premature_final" }],
      small: 0,
    });
  });
});

describe("clusters of a model", () => {
  it("join at a Jaccard of 0.50 within a category, not at 0.49", () => {
    // The first pattern has the words w0 to w99; the second so many of them.
    const pair = (shared: number) => [
      failure(0, { summary: summary(words(0, 100)) }),
      failure(1, { summary: summary(words(0, shared)) }),
    ];
    expect(ids(pair(50))).toEqual(["model:stale_evidence 2"]);
    expect(ids(pair(49))).toEqual(["model:stale_evidence 1", "model:stale_evidence:2 1"]);
  });

  it("compare abstraction and trigger, and never across categories or with a detector", () => {
    const same = { trigger: words(0, 50) };
    const found = [
      failure(0, { summary: summary(words(50, 60), same), detected: [shows("premature_final", 1)] }),
      failure(1, { summary: summary(words(60, 70), same) }),
      failure(2, { summary: summary(words(60, 70), { ...same, category: "premature_final" }) }),
    ];
    expect(ids(found).toSorted()).toEqual([
      "detector:premature_final 1",
      "model:premature_final 1",
      "model:stale_evidence 2",
    ]);
  });

  it("take the group of a detector by its name, else the nearest description", () => {
    const group = (one: FailureSummary) =>
      clusterFailures([failure(0, { summary: one })], [], { minClusterSize: 1 }).clusters[0]?.group;
    expect(group(summary("x", { category: "wrong_entity_focus" }))).toBe("entity");
    expect(group(summary("The query is too narrow and a search has empty results."))).toBe("retrieval");
    expect(group(summary("An override by a skill holds back an action."))).toBe("control");
  });

  const someWords = fc.subarray(["a", "b", "c", "d", "e", "f", "g", "h"], { minLength: 1 });
  const someSummary = fc
    .tuple(fc.constantFrom("cat_one", "cat_two"), someWords, someWords)
    .map(([category, a, t]) => summary(a.join(" "), { category, trigger: t.join(" ") }));
  const someFailures = fc
    .array(
      fc.record({
        detected: fc.subarray([...FAILURE_DETECTORS]).map((names) => names.map((name) => shows(name, 1))),
        summary: fc.option(someSummary, { nil: undefined }),
      }),
      { maxLength: 12 },
    )
    .map((all) =>
      all.map(({ detected, summary: given }, i) =>
        failure(i, { detected, ...(given !== undefined && { summary: given }) }),
      ),
    );

  it("are the same for any order of the failures, examples aside", () => {
    const without = (found: readonly FoundFailure[]) =>
      clusterFailures(found, [], { minClusterSize: 1 }).clusters.map(({ examples, ...rest }) => ({
        ...rest,
        episodes: examples.map(({ episodeId }) => episodeId).toSorted(),
      }));
    fc.assert(
      fc.property(
        someFailures.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(without(shuffled)).toEqual(without(all));
        },
      ),
    );
  });

  it("hold every summary once, whatever the smallest size, and have one id each", () => {
    fc.assert(
      fc.property(someFailures, fc.integer({ min: 1, max: 4 }), (all, minClusterSize) => {
        const every = clusterFailures(all, [], { minClusterSize: 1 });
        const some = clusterFailures(all, [], { minClusterSize });
        const ofModel = every.clusters.filter(({ source }) => source === "model");
        const episodes = ofModel.flatMap(({ examples }) => examples.map(({ episodeId }) => episodeId));
        expect(episodes.toSorted()).toEqual(
          all.flatMap((one) => (one.summary === undefined ? [] : [one.episodeId])).toSorted(),
        );
        expect(new Set(every.clusters.map(({ id }) => id)).size).toBe(every.clusters.length);
        expect(some.clusters).toEqual(
          every.clusters.filter(({ examples }) => examples.length >= minClusterSize),
        );
        expect(some.clusters.length + some.small).toBe(every.clusters.length);
      }),
    );
  });
});

describe("novelty", () => {
  /** A skill whose category and description share so many of the 100 words of the pattern. */
  const skill = (shared: number): KnownSkill => ({
    skillId: "known",
    category: "w0",
    description: words(0, shared),
  });
  const pattern = { category: "w0", abstraction: words(0, 60), trigger: words(60, 100) };

  it("is 1 less the greatest Jaccard with a skill: 0.29 is known, 0.30 is new", () => {
    const novelty = (shared: number): number => noveltyOf(pattern, [skill(10), skill(shared)]);
    expect(novelty(71)).toBeCloseTo(0.29);
    expect(novelty(70)).toBeCloseTo(0.3);
    const isNew = (shared: number): boolean | undefined => {
      const found = [
        failure(0, {
          summary: summary(pattern.abstraction, { category: "w0_category", trigger: pattern.trigger }),
        }),
      ];
      // The category of the summary is two words: w0 and "category".
      const known = [{ ...skill(shared), description: `${words(0, shared)} category` }];
      return clusterFailures(found, known, { minClusterSize: 1 }).clusters[0]?.isNewCategory;
    };
    // 72 of 101 words: 0.287; 70 of 101 words, 69 and "category": 0.307.
    expect(isNew(71)).toBe(false);
    expect(isNew(69)).toBe(true);
  });

  it("of exactly 0.30 is a new category", () => {
    const found = [failure(0, { summary: summary(words(0, 99), { category: "w0w0", trigger: "w1" }) })];
    const known = [{ skillId: "known", category: "w0w0", description: words(0, 69) }];
    const [cluster] = clusterFailures(found, known, { minClusterSize: 1 }).clusters;
    expect(cluster?.novelty).toBeCloseTo(0.3, 10);
    expect(cluster?.isNewCategory).toBe(true);
  });

  it("also compares with the groups", () => {
    expect(noveltyOf({ category: "format", abstraction: GROUP_DESCRIPTIONS.format, trigger: "" }, [])).toBe(
      0,
    );
  });

  it("is that of a skill of its own for no detector, so that a library of none leaves all of them new", () => {
    for (const name of FAILURE_DETECTORS)
      expect(noveltyOf({ category: name, ...DETECTOR_PATTERNS[name] }, [])).toBeGreaterThanOrEqual(0.3);
  });

  it("orders new categories first, then by size, then by id", () => {
    const known = [
      {
        skillId: "k",
        category: "premature_final",
        description: Object.values(DETECTOR_PATTERNS.premature_final).slice(1, 3).join(" "),
      },
    ];
    const found = [
      failure(0, {
        detected: [shows("premature_final", 1), shows("repeated_search", 1), shows("partial_answer", 1)],
      }),
      failure(1, { detected: [shows("premature_final", 1), shows("wrong_entity_focus", 1)] }),
      failure(2, { detected: [shows("premature_final", 1), shows("wrong_entity_focus", 1)] }),
    ];
    const { clusters } = clusterFailures(found, known, { minClusterSize: 1 });
    expect(clusters.map(({ id, isNewCategory }) => [id, isNewCategory])).toEqual([
      ["detector:wrong_entity_focus", true],
      ["detector:partial_answer", true],
      ["detector:repeated_search", true],
      ["detector:premature_final", false],
    ]);
  });
});
