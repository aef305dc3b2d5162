import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fineScore, meanReward, slotNumbers } from "../../../../src/analysis/signals/aggregate.ts";
import { episodeSignals } from "../../../../src/analysis/signals/episode-signals.ts";
import { signalTally } from "../../../../src/analysis/signals/signal-tally.ts";
import type { Action } from "../../../../src/model/action.ts";
import { outcomeSchema, type Episode } from "../../../../src/model/episode.ts";
import { wasRight } from "../../../../src/model/outcomes.ts";
import { pfStatusSchema } from "../../../../src/model/intervention.ts";
import {
  DEFAULT_WEIGHTS,
  FAMILIES,
  familyWeights,
  SLOTS,
  type FamilyNumbers,
  type SignalFamily,
  type SignalPart,
  type SignalSlot,
  type SignalWeights,
  type SlotNumbers,
} from "../../../../src/model/signals.ts";
import {
  episodeOf,
  event,
  FACTS,
  inject,
  modify,
  step,
  type MadeStep,
} from "../../../support/signal-steps.ts";

const PARTS: readonly SignalPart[] = [...FAMILIES, ...SLOTS];

/** The slots of a family by their names alone, so that a slot in the wrong list is found. */
const FAMILY_OF: Readonly<Record<string, SignalFamily>> = {
  s1: "timing",
  s2: "modality",
  s3: "correctness",
  s4: "outcome",
};
const familyOf = (slot: SignalSlot): SignalFamily => {
  const family = FAMILY_OF[slot.slice(0, 2)];
  if (family === undefined) throw new Error(slot);
  return family;
};

const isLeft = (slot: SignalSlot, { dropped }: SignalWeights): boolean =>
  !dropped.includes(slot) && !dropped.includes(familyOf(slot));

const actions: fc.Arbitrary<Action> = fc.record({
  type: fc.constantFrom("SEARCH", "READ", "FINAL", "invalid"),
  arg: fc.constantFrom("", "Walton", "doc_0"),
});
const events = fc
  .tuple(
    fc.constantFrom(...pfStatusSchema.options),
    fc.constantFrom(inject, modify("READ", "doc_0"), undefined),
    fc.constantFrom("reader", "warner"),
  )
  .map(([status, intervention, skillId]) => event(status, intervention, { skillId }));
const steps: fc.Arbitrary<MadeStep> = fc
  .record({
    proposed: actions,
    again: fc.array(actions, { maxLength: 1 }),
    executed: actions,
    observation: fc.constantFrom("", "Sam Walton founded it."),
    events: fc.array(events, { maxLength: 3 }),
    asProposed: fc.boolean(),
  })
  .map(({ proposed, again, executed, observation, events: found, asProposed }) =>
    step(proposed, { again, observation, events: found, ...(!asProposed && { executed }) }),
  );
const episodes: fc.Arbitrary<Episode> = fc
  .record({
    made: fc.array(steps, { maxLength: 30 }),
    outcome: fc.constantFrom(...outcomeSchema.options),
    searchReturnsText: fc.boolean(),
    recorded: fc.boolean(),
  })
  .map(({ made, outcome, searchReturnsText, recorded }) =>
    episodeOf(made, {
      outcome,
      facts: { ...FACTS, searchReturnsText },
      ...(recorded && { settings: { policy: "recorded:first" } }),
    }),
  );

/** Weights in thousandths: shares of the smallest doubles lose too many digits to be compared. */
const weight = (min: number) => fc.integer({ min: min * 1000, max: 10_000 }).map((one) => one / 1000);
const numbersOf = <Name extends string>(names: readonly Name[], min: number) =>
  fc
    .array(fc.oneof(fc.constant(0), weight(min)), { minLength: names.length, maxLength: names.length })
    .map(
      (values) =>
        Object.fromEntries(names.map((name, i) => [name, values[i] ?? 0])) as Readonly<Record<Name, number>>,
    );
const families: fc.Arbitrary<FamilyNumbers> = numbersOf(FAMILIES, 0);
const slots: fc.Arbitrary<SlotNumbers> = numbersOf(SLOTS, -10);
const dropped = fc.subarray([...PARTS]);
/** The paper's weights, or any others, without any set of families and slots. */
const weightings: fc.Arbitrary<SignalWeights> = fc
  .tuple(fc.option(fc.record({ families, slots })), dropped)
  .map(([own, without]) => ({ ...(own ?? DEFAULT_WEIGHTS), dropped: without }));

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
/** Room for the last digits of a sum. */
const HAIR = 1e-9;

/** The least and the highest A under these weights, each slot being in [0, 1]: a penalty counts in full, or not at all. */
function boundsOf(weights: SignalWeights): { readonly least: number; readonly most: number } {
  const scaled = familyWeights(weights);
  const ranges = FAMILIES.map((family) => {
    const counted = SLOTS.filter((slot) => familyOf(slot) === family && isLeft(slot, weights));
    const each = counted.map((slot) => weights.slots[slot]);
    const total = sum(each.map(Math.abs));
    if (total === 0) return { least: 0, most: 0 };
    const least = sum(each.filter((one) => one < 0)) / total;
    const most = sum(each.filter((one) => one > 0)) / total;
    return { least: scaled[family] * least, most: scaled[family] * most };
  });
  return { least: sum(ranges.map(({ least }) => least)), most: sum(ranges.map(({ most }) => most)) };
}

describe("the weights of the families", () => {
  it("sum to 1 whatever is dropped, or are all 0 where nothing is left", () => {
    fc.assert(
      fc.property(weightings, (weights) => {
        const scaled = familyWeights(weights);
        const left = FAMILIES.filter(
          (family) =>
            weights.families[family] > 0 &&
            SLOTS.some(
              (slot) => familyOf(slot) === family && isLeft(slot, weights) && weights.slots[slot] !== 0,
            ),
        );
        expect(sum(Object.values(scaled))).toBeCloseTo(left.length === 0 ? 0 : 1, 9);
        expect(FAMILIES.filter((family) => scaled[family] > 0)).toEqual(left);
      }),
    );
  });

  it("keep their proportions when another family is dropped", () => {
    fc.assert(
      fc.property(fc.subarray([...FAMILIES], { maxLength: 3 }), (without) => {
        const scaled = familyWeights({ ...DEFAULT_WEIGHTS, dropped: without });
        const kept = FAMILIES.filter((family) => !without.includes(family));
        const total = sum(kept.map((family) => DEFAULT_WEIGHTS.families[family]));
        for (const family of FAMILIES) {
          const share = kept.includes(family) ? DEFAULT_WEIGHTS.families[family] / total : 0;
          expect(scaled[family]).toBeCloseTo(share, 10);
        }
      }),
    );
  });

  it("do not depend on their scale", () => {
    fc.assert(
      fc.property(weightings, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (weights, factor) => {
        const by = Object.fromEntries(
          FAMILIES.map((family) => [family, weights.families[family] * factor]),
        ) as FamilyNumbers;
        const [one, other] = [familyWeights(weights), familyWeights({ ...weights, families: by })];
        for (const family of FAMILIES) expect(other[family]).toBeCloseTo(one[family], 9);
      }),
    );
  });
});

describe("the signals of any episode", () => {
  it("are slots in [0, 1], and an A within the bounds that the weights give", () => {
    fc.assert(
      fc.property(episodes, weightings, (episode, weights) => {
        const { least, most } = boundsOf(weights);
        for (const { values, reward, fine } of episodeSignals(episode, weights).steps) {
          for (const slot of SLOTS) {
            expect(values[slot].value).toBeGreaterThanOrEqual(0);
            expect(values[slot].value).toBeLessThanOrEqual(1);
          }
          expect(reward).toBeGreaterThanOrEqual(least - HAIR);
          expect(reward).toBeLessThanOrEqual(most + HAIR);
          expect(Math.abs(fine)).toBeLessThanOrEqual(1 + HAIR);
        }
      }),
    );
  });

  it("have their bounds reached by the slots that count for and against", () => {
    fc.assert(
      fc.property(weightings, (weights) => {
        const fine = (value: (slot: SignalSlot) => number) =>
          fineScore(slotNumbers(value), weights, { normalised: false });
        const counted = SLOTS.filter((slot) => isLeft(slot, weights)).map((slot) => weights.slots[slot]);
        const best = fine((slot) => (weights.slots[slot] > 0 ? 1 : 0));
        const worst = fine((slot) => (weights.slots[slot] < 0 ? 1 : 0));
        expect(best).toBeCloseTo(sum(counted.filter((one) => one > 0)), 9);
        expect(worst).toBeCloseTo(sum(counted.filter((one) => one < 0)), 9);
      }),
    );
  });

  it("do not depend on a slot that is dropped", () => {
    fc.assert(
      fc.property(
        slots,
        weightings,
        fc.double({ min: -5, max: 5, noNaN: true }),
        (values, weights, other) => {
          const moved = slotNumbers((slot) => (isLeft(slot, weights) ? values[slot] : other));
          for (const normalised of [true, false])
            expect(fineScore(moved, weights, { normalised })).toBe(
              fineScore(values, weights, { normalised }),
            );
        },
      ),
    );
  });

  it("give an episode a reward halfway between the mean of its steps and its outcome", () => {
    fc.assert(
      fc.property(episodes, weightings, (episode, weights) => {
        const { mean, reward, passed, divergence, steps: scored } = episodeSignals(episode, weights);
        const last = divergence?.t ?? Infinity;
        expect(mean).toBeCloseTo(meanReward(scored.filter(({ t }) => t <= last).map((one) => one.reward)), 9);
        const isKnown = divergence === undefined && wasRight(episode.outcome) !== undefined;
        expect(reward !== undefined).toBe(isKnown);
        if (reward === undefined) return;
        const em = passed ? 1 : 0;
        expect(reward).toBeGreaterThanOrEqual(Math.min(mean, em) - HAIR);
        expect(reward).toBeLessThanOrEqual(Math.max(mean, em) + HAIR);
        expect(reward - mean).toBeCloseTo(em - reward, 9);
      }),
    );
  });
});

describe("a permutation of the episodes", () => {
  const runs = fc
    .array(episodes, { minLength: 1, maxLength: 8 })
    .map((all) => all.map((episode, i) => ({ ...episode, id: `e${i}` })));
  const shuffled = runs.chain((run) =>
    fc.tuple(
      fc.constant(run),
      fc.shuffledSubarray([...run], { minLength: run.length, maxLength: run.length }),
    ),
  );

  it("changes no signal", () => {
    fc.assert(
      fc.property(shuffled, ([run, other]) => {
        const byId = (of: readonly Episode[]) =>
          new Map(of.map((episode) => [episode.id, episodeSignals(episode, DEFAULT_WEIGHTS)]));
        expect(byId(other)).toEqual(byId(run));
      }),
    );
  });

  it("changes no figure of the report", () => {
    const reportOf = (run: readonly Episode[]) => {
      const tally = signalTally();
      for (const episode of run)
        tally.add(
          episodeSignals(episode, DEFAULT_WEIGHTS),
          { run: "run", index: Number(episode.id.slice(1)), episode: episode.id },
          () => false,
        );
      return tally.report();
    };
    fc.assert(
      fc.property(shuffled, ([run, other]) => {
        const [one, two] = [reportOf(run), reportOf(other)];
        const close = (value: number) => expect.closeTo(value, 9);
        expect(two).toMatchObject({
          episodes: one.episodes,
          unjudged: one.unjudged,
          diverged: one.diverged,
          behindDivergence: one.behindDivergence,
          modified: one.modified,
          revised: one.revised,
          bins: one.bins,
          all: { steps: one.all.steps, overFloor: one.all.overFloor, reward: close(one.all.reward) },
          episodeReward: { episodes: one.episodeReward.episodes, sum: close(one.episodeReward.sum) },
          skills: one.skills.map(({ skillId, steps: acted, modified, reward }) => ({
            skillId,
            steps: acted,
            modified,
            reward: close(reward),
          })),
        });
      }),
    );
  });
});
