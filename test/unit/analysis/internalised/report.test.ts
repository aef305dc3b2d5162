import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReadEpisode } from "../../../../src/analysis/internalised/read-episode.ts";
import { internalisedReport, type InternalisedInput } from "../../../../src/analysis/internalised/report.ts";
import { NO_REPLIES } from "../../../../src/model/replies.ts";

interface Told extends Partial<Omit<ReadEpisode, "applied" | "triggered">> {
  readonly applied?: readonly string[];
  /** Beside those that were applied. */
  readonly noop?: readonly string[];
}

const episode = (questionId: string, { applied = [], noop = [], ...more }: Told = {}): ReadEpisode => ({
  questionId,
  question: `Question ${questionId}?`,
  sample: 1,
  right: false,
  searches: 1,
  reads: 1,
  replies: NO_REPLIES,
  answersUnsearched: false,
  ...more,
  applied: new Set(applied),
  triggered: new Set([...applied, ...noop]),
});

/** `count` questions with these ids: q0, q1, … */
const several = (count: number, of: (i: number) => Told): ReadEpisode[] =>
  Array.from({ length: count }, (_, i) => episode(`q${i}`, of(i)));

const reportOf = (episodes: InternalisedInput["episodes"], library: readonly string[] = []) =>
  internalisedReport({ episodes, titles: {}, library });

const skillOf = (report: ReturnType<typeof reportOf>, id: string) => {
  const found = report.skills.find(({ skillId }) => skillId === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};

describe("four runs that are worked out by hand", () => {
  // q0 gained by PFs and kept; q1 gained and not kept; q2 wrong before both ways, right after without PFs;
  // q3 wrong everywhere; q4 right everywhere.
  const report = reportOf(
    {
      beforeOff: [
        episode("q0", { searches: 0, reads: 0, answersUnsearched: true }),
        episode("q1", { searches: 1, reads: 0 }),
        episode("q2", { searches: 1, reads: 0 }),
        episode("q3", { searches: 0, reads: 0, answersUnsearched: true }),
        episode("q4", { right: true, searches: 3, reads: 5 }),
      ],
      beforeOn: [
        episode("q0", { right: true, applied: ["a"] }),
        episode("q1", { right: true, applied: ["a", "b"] }),
        episode("q2", { applied: ["a"] }),
        episode("q3", { applied: ["b"], noop: ["a"] }),
        episode("q4", { right: true }),
      ],
      afterOff: [
        episode("q0", { right: true, searches: 2, reads: 1 }),
        episode("q1", { searches: 2, reads: 1 }),
        episode("q2", { right: true, searches: 2, reads: 1 }),
        episode("q3", { searches: 2, reads: 1 }),
        episode("q4", { right: true, searches: 2, reads: 1 }),
      ],
      afterOn: [
        episode("q0", { right: true }),
        episode("q1", { right: true, applied: ["a", "b"] }),
        episode("q2", { right: true, noop: ["a"] }),
        episode("q3", { applied: ["a"] }),
        episode("q4", { right: true, noop: ["b"] }),
      ],
    },
    ["never"],
  );

  it("counts right answers and gains", () => {
    const right = Object.entries(report.right).map(([name, { mean }]) => [name, mean]);
    expect(right).toEqual([
      ["beforeOff", 0.2],
      ["beforeOn", 0.6],
      ["afterOff", 0.6],
      ["afterOn", 0.8],
    ]);
    // Two won of two: a fair coin falls so evenly twice in a half of all cases.
    expect(report.gains.before).toMatchObject({ mean: 0.4, better: 2, worse: 0, p: 0.5, questions: 5 });
    expect(report.gains.after).toMatchObject({ mean: expect.closeTo(0.2, 12), better: 1, worse: 0, p: 1 });
    expect(report.gains.trainingOff).toMatchObject({ better: 2, worse: 0 });
    expect(report.gains.trainingOn).toMatchObject({ better: 1, worse: 0 });
  });

  it("counts the gain that stays, and beside it what training did to the others", () => {
    expect(report.kept?.kept).toMatchObject({ count: 1, of: 2, share: 0.5 });
    expect(report.kept?.others).toMatchObject({ count: 1, of: 2 });
    // Training won q2 with PFs on, where a is silent: it has nothing to change any more.
    expect(report.wonSilently).toMatchObject({ count: 1, of: 1 });
  });

  it("has no shift of behaviour where nothing can be searched", () => {
    const silent = [episode("q0", { searches: undefined, reads: undefined, answersUnsearched: true })];
    const runs = { beforeOff: silent, beforeOn: silent, afterOff: silent, afterOn: silent };
    expect(reportOf(runs)).not.toHaveProperty("behaviour");
  });

  it("counts the shift of behaviour with PFs off", () => {
    expect(report.behaviour?.before).toEqual({ searches: 1, reads: 1, answersWithoutSearch: 0.4 });
    expect(report.behaviour?.after).toEqual({ searches: 2, reads: 1, answersWithoutSearch: 0 });
    expect(report.behaviour?.change.searches.mean).toBe(1);
    expect(report.behaviour?.change.reads.mean).toBe(0);
    expect(report.behaviour?.change.answersWithoutSearch.mean).toBeCloseTo(-0.4, 12);
  });

  it("counts each skill: triggered with its noops, silent and woken by what was applied", () => {
    expect(report.skills.map(({ skillId }) => skillId)).toEqual(["a", "b", "never"]);
    const a = skillOf(report, "a");
    expect(a.triggered.before).toMatchObject({ count: 4, of: 5 });
    expect(a.triggered.after).toMatchObject({ count: 3, of: 5 });
    expect(a.silent).toMatchObject({ count: 2, of: 3 });
    expect(a.woken).toBe(1);
    expect(a.gain?.kept).toMatchObject({ count: 1, of: 2 });
    expect(a.gain?.others).toMatchObject({ count: 1, of: 1 });
    // On q0 to q3, where a was or is applied: q1 alone is right with PFs and wrong without.
    expect(a.stillHelps).toMatchObject({ questions: 4, better: 1, worse: 0, mean: 0.25 });
    const b = skillOf(report, "b");
    expect(b.silent).toMatchObject({ count: 1, of: 2 });
    expect(b.woken).toBe(0);
    expect(b.triggered.after).toMatchObject({ count: 2, of: 5 });
    expect(skillOf(report, "never").silent).toMatchObject({ count: 0, of: 0 });
  });

  it("says nothing of skills with too few questions", () => {
    for (const { verdict, why } of report.skills) {
      expect(verdict).toBe("too_few");
      expect(why).toContain("the rule asks for 20");
    }
  });
});

describe("verdicts", () => {
  const applied = (yes: boolean): Told => (yes ? { applied: ["a"] } : {});
  /** `of` questions on which the skill was applied, of which it is silent on `silent`, and `woken` others. */
  function judged(of: number, silent: number, woken = 0, off?: (i: number) => boolean, on = off) {
    const count = of + woken;
    const report = reportOf({
      beforeOn: several(count, (i) => applied(i < of)),
      afterOn: several(count, (i) => ({ ...applied(i >= silent), right: on?.(i) ?? false })),
      ...(off !== undefined && { afterOff: several(count, (i) => ({ right: off(i) })) }),
    });
    return skillOf(report, "a");
  }
  const even = (i: number): boolean => i % 2 === 0;

  it.each([
    // 15 of 20: the exact interval begins at 50.9%; 14 of 20 at 45.7%.
    ["internalised", 20, 15, 0],
    ["partly", 20, 14, 0],
    ["too_few", 19, 19, 0],
    // 5 silent against none: p = 2/32 = 0.0625; 6: 0.03125.
    ["not", 40, 5, 0],
    ["partly", 40, 6, 0],
    // As many newly applied as silent: the skill moved, and did not fall silent.
    ["not", 20, 20, 20],
    ["not", 20, 20, 40],
  ] as const)("is %s with %d questions, silent on %d, woken on %d", (verdict, of, silent, woken) => {
    expect(judged(of, silent, woken, even).verdict).toBe(verdict);
  });

  it("keeps a silent skill whose questions PFs still gain beyond chance", () => {
    // 6 gained of 20, none lost: p = 2/64.
    expect(
      judged(
        20,
        20,
        0,
        () => false,
        (i) => i < 6,
      ),
    ).toMatchObject({ verdict: "partly" });
    // 5 gained: p = 2/32, as chance gives.
    expect(
      judged(
        20,
        20,
        0,
        () => false,
        (i) => i < 5,
      ),
    ).toMatchObject({ verdict: "internalised" });
    // PFs that now lose more than they gain are no reason to keep it.
    expect(
      judged(
        20,
        20,
        0,
        () => true,
        (i) => i >= 10,
      ),
    ).toMatchObject({ verdict: "internalised" });
  });

  it("lets no skill go without the run that shows what is right without it", () => {
    const { verdict, why, stillHelps, gain } = judged(20, 20);
    expect({ verdict, stillHelps, gain }).toEqual({
      verdict: "partly",
      stillHelps: undefined,
      gain: undefined,
    });
    expect(why).toContain("needs the run after training with PFs off");
  });
});

describe("samples and missing verdicts", () => {
  it("takes the samples of a question together: applied in any, right by the share of the judged ones", () => {
    const twice = (id: string, one: Told, other: Told): ReadEpisode[] => [
      episode(id, one),
      episode(id, { ...other, sample: 2 }),
    ];
    const report = reportOf({
      beforeOff: twice("q", { right: false }, { right: false }),
      beforeOn: twice("q", { right: true }, { right: false, applied: ["a"] }),
      afterOff: twice("q", { right: false }, { right: true }),
      afterOn: twice("q", { right: undefined }, { right: true }),
    });
    expect(report).toMatchObject({ questions: 1, episodes: 2 });
    expect(report.right.beforeOn?.mean).toBe(0.5);
    expect(report.right.afterOn?.mean).toBe(1);
    expect(report.kept?.kept).toMatchObject({ count: 1, of: 1 });
    expect(skillOf(report, "a").silent).toMatchObject({ count: 1, of: 1 });
  });

  it("leaves a question that nobody judged out of the answers, and keeps it in the triggers", () => {
    const unjudged = [episode("q", { right: undefined, applied: ["a"] })];
    const report = reportOf({
      beforeOn: unjudged,
      afterOn: unjudged,
      beforeOff: unjudged,
      afterOff: unjudged,
    });
    expect(report.right).toEqual({});
    expect(report.gains).toEqual({});
    expect(report.kept?.kept.of).toBe(0);
    expect(skillOf(report, "a").triggered.before).toMatchObject({ count: 1, of: 1 });
  });
});

describe("properties", () => {
  const skills = fc.subarray(["a", "b", "c"]);
  const told = fc.record({
    right: fc.option(fc.boolean(), { nil: undefined }),
    applied: skills,
    noop: skills,
    searches: fc.nat(5),
    reads: fc.nat(5),
    answersUnsearched: fc.boolean(),
  });
  const runs = fc
    .integer({ min: 1, max: 30 })
    .chain((n) =>
      fc.tuple(...Array.from({ length: 4 }, () => fc.array(told, { minLength: n, maxLength: n }))),
    )
    .map(
      (all) =>
        all.map((list) =>
          list.map((one, i) => episode(`q${i % 20}`, { ...one, sample: i < 20 ? 1 : 2 })),
        ) as [ReadEpisode[], ReadEpisode[], ReadEpisode[], ReadEpisode[]],
    );
  const of = ([beforeOff = [], beforeOn = [], afterOff = [], afterOn = []]: readonly ReadEpisode[][]) =>
    reportOf({ beforeOff, beforeOn, afterOff, afterOn });

  it("keeps shares within 0 and 1, each within its interval", () => {
    fc.assert(
      fc.property(runs, (given) => {
        const report = of(given);
        const shares = report.skills.flatMap(({ triggered, silent, gain }) => [
          triggered.before,
          triggered.after,
          silent,
          ...(gain === undefined ? [] : [gain.kept, gain.others]),
        ]);
        for (const { count, of: all, share, low, high } of [...shares, report.wonSilently]) {
          expect(count <= all).toBe(true);
          expect(0 <= low && low <= share && share <= high && high <= 1).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("turns around where before and after change places", () => {
    fc.assert(
      fc.property(runs, (given) => {
        const [off, on, offAfter, onAfter] = given;
        const [one, other] = [of(given), of([offAfter, onAfter, off, on])];
        expect(other.gains.before).toEqual(one.gains.after);
        expect(other.right.beforeOff).toEqual(one.right.afterOff);
        for (const { skillId, triggered, silent, woken, p } of one.skills) {
          const turned = skillOf(other, skillId);
          expect(turned.triggered).toEqual({ before: triggered.after, after: triggered.before });
          expect([turned.silent.count, turned.woken]).toEqual([woken, silent.count]);
          expect(turned.p).toBeCloseTo(p, 12);
        }
        for (const name of ["searches", "reads", "answersWithoutSearch"] as const) {
          const [a, b] = [one.behaviour?.change[name], other.behaviour?.change[name]];
          expect(a?.mean).toBeCloseTo(-(b?.mean ?? 0), 12);
          expect(a?.low).toBeCloseTo(-(b?.high ?? 0), 12);
        }
        expect(one.gains.trainingOff?.better).toBe(other.gains.trainingOff?.worse);
      }),
      { numRuns: 40 },
    );
  });

  it("does not depend on the order of the episodes", () => {
    fc.assert(
      fc.property(runs, (given) => {
        expect(of(given.map((list) => list.toReversed()))).toEqual(of(given));
      }),
      { numRuns: 40 },
    );
  });
});
