import { strataOf } from "../analysis/worth/strata.ts";
import type { BaseRate, HeldOutWorth } from "../model/evolution.ts";
import { atLeast, chancesOfBetter } from "./base-rate.ts";
import { effectsHash } from "./candidate-hash.ts";
import { hasEffect, sumsOf, type WorthSums } from "./held-out-worth.ts";
import { holm } from "./sign-test.ts";
import type { PlacedWorth } from "./worth-episodes.ts";
import { expectedOf, nothingToShow, worthVerdict, type Ruling, type TestResult } from "./worth-verdict.ts";

/** A candidate as the test reads it. */
export interface TestedCandidate {
  readonly id: string;
  /** See programHash. */
  readonly program: string;
  /** The judged held-out episodes, the same for all candidates. */
  readonly episodes: readonly PlacedWorth[];
  /** Why it is not tested, a sentence: nothing of the held-out questions plays a part in it. */
  readonly barred?: Ruling | undefined;
}

/** The result of an earlier candidate of the evolution. */
export interface EarlierWorth {
  readonly id: string;
  readonly epoch: number;
  readonly worth: HeldOutWorth;
}

type Hashes = Pick<BaseRate, "program" | "effects">;

/** A candidate with all that does not depend on the others. */
interface Measured extends TestResult, Hashes {
  readonly candidate: TestedCandidate;
}

/** The test of a candidate, or of a library, against a trigger that knows nothing. */
export function testOf(episodes: readonly PlacedWorth[]): TestResult {
  const strata = strataOf(episodes);
  const chances = chancesOfBetter(
    episodes.map((one, i) => ({
      question: one.question,
      isWrong: one.outcome === "wrong",
      stratum: strata[i] ?? 0,
      hasEffect: hasEffect(one),
    })),
  );
  const sums = sumsOf(episodes);
  const p = atLeast(chances, sums.better);
  const attainable = nothingToShow(sums) === undefined ? atLeast(chances, chances.length) : 1;
  return { sums, chances, p, attainable };
}

const measured = (candidate: TestedCandidate): Measured => ({
  ...testOf(candidate.episodes),
  candidate,
  program: candidate.program,
  effects: effectsHash(candidate.episodes),
});

const questionsOf = ({ better, worse, ties }: WorthSums): number => better + worse + ties;

const isSame = (a: Hashes, b: Hashes): boolean =>
  a.program === b.program || (a.effects !== "" && a.effects === b.effects);

/** The first test of the same candidate; none where it was left undecided and there are more questions now. */
function firstTest(one: Measured, earlier: readonly EarlierWorth[]): EarlierWorth | undefined {
  return earlier.find(({ worth }) => {
    const { baseRate } = worth;
    if (baseRate?.tested !== true || !isSame(one, baseRate)) return false;
    return baseRate.verdict !== "undecided" || questionsOf(one.sums) <= questionsOf(worth);
  });
}

/**
 * How many candidates may be tested, so that each of them could pass (Tarone): the smallest K with at most K whose least p is below alpha / K.
 * How the candidates did plays no part in it.
 */
export function mostTests(attainable: readonly number[], alpha: number): number {
  let most = 1;
  while (attainable.filter((p) => p < alpha / most).length > most) most++;
  return most;
}

/** The result of the first test, as that of this candidate. */
function testedBefore({ program, effects }: Hashes, first: EarlierWorth, epoch: number): HeldOutWorth {
  const { worth, id } = first;
  const where = first.epoch === epoch ? `as ${id}` : `in epoch ${first.epoch} as ${id}`;
  const why = `The same candidate was tested ${where} and is not tested again. ${worth.why}`;
  const baseRate = worth.baseRate && { ...worth.baseRate, tested: false, testedAs: id, program, effects };
  return { ...worth, why, baseRate };
}

/**
 * The worth of the candidates of one epoch on questions that their author never saw, in the order given. `alpha`: what the epoch may spend, see
 * alphaOfNext. A candidate that comes again has the result of its first test.
 */
export function baseRateWorths(
  candidates: readonly TestedCandidate[],
  {
    alpha,
    epoch,
    earlier,
  }: { readonly alpha: number; readonly epoch: number; readonly earlier: readonly EarlierWorth[] },
): readonly HeldOutWorth[] {
  const all = candidates.map(measured);
  const open: Measured[] = [];
  for (const one of all) {
    const isKnown = firstTest(one, earlier) !== undefined || open.some((other) => isSame(one, other));
    if (one.candidate.barred === undefined && !isKnown) open.push(one);
  }
  const most = mostTests(
    open.map(({ attainable }) => attainable),
    alpha,
  );
  const tested = open.filter(({ attainable }) => attainable < alpha / most);
  const steps = holm(
    tested.map(({ p }) => p),
    alpha,
  );
  const results: EarlierWorth[] = [];
  return all.map((one) => {
    const { candidate, program, effects, sums, p, attainable, chances } = one;
    const first = candidate.barred === undefined ? firstTest(one, [...earlier, ...results]) : undefined;
    if (first !== undefined) return testedBefore(one, first, epoch);
    const step = steps[tested.indexOf(one)];
    const level = step?.level ?? alpha / most;
    const { verdict, why, enough } = candidate.barred ?? worthVerdict(one, level, step?.passed);
    const baseRate: BaseRate = {
      verdict,
      expected: expectedOf(chances),
      attainable,
      tested: step !== undefined,
      ...(enough !== undefined && { enough }),
      program,
      effects,
    };
    const worth = { ...sums, p, level, passed: verdict === "passed", why, baseRate };
    results.push({ id: candidate.id, epoch, worth });
    return worth;
  });
}
