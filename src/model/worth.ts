import type { Outcome } from "./episode.ts";
import { OUTCOMES } from "./outcomes.ts";

/** What a changed action is: an answer that did not end the episode or was reworded, a search, or anything else. */
export const WORTH_KINDS = ["answer", "search", "other"] as const;
export type WorthKind = (typeof WORTH_KINDS)[number];

/**
 * The worth of a change on its record. `could_help`: a wrong answer did not end the episode; nobody knows what would have followed.
 * `not_measured`: the record does not show it.
 */
export const WORTH_VALUES = ["helped", "could_help", "same", "harmed", "not_measured"] as const;
export type WorthValue = (typeof WORTH_VALUES)[number];

export const WORTH_WORDS: Readonly<Record<WorthValue, string>> = {
  helped: "helped",
  could_help: "could help",
  same: "same",
  harmed: "harmed",
  not_measured: "not measured",
};

/** The worth of the first change of an episode. */
export interface ChangeWorth {
  readonly kind: WorthKind;
  readonly value: WorthValue;
  /** A sentence. */
  readonly why: string;
}

export type WorthCounts = Readonly<Record<WorthValue, number>>;

/** A value with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** How much more often changes help in wrong episodes than they harm in right ones. */
export interface Separation extends Estimate {
  /** Judged episodes, and those of them in which the change helped or could help (wrong) or harmed (right). */
  readonly wrong: { readonly episodes: number; readonly helped: number };
  readonly right: { readonly episodes: number; readonly harmed: number };
  /** The separation that a trigger has which fires as often, at random. */
  readonly random: number;
  /** The separation above that of the random trigger. */
  readonly aboveRandom: Estimate;
}

/** What is separated: all changes, or those of one kind. */
export const SEPARATED = ["all", "answer", "search"] as const;
export type Separated = (typeof SEPARATED)[number];

/** The worth of the changes of a skill or of a library. Each episode counts once, by its first change. */
export interface GroupWorth {
  /** Episodes by their outcome, the kind of the first change and its worth. */
  readonly counts: Readonly<Record<Outcome, Readonly<Record<WorthKind, WorthCounts>>>>;
  /** Steps at which a context was added to another action than the final one: they have no worth. */
  readonly contexts: number;
  /** Undefined without judged episodes, or without a change of this kind in one. */
  readonly separation: Readonly<Record<Separated, Separation | undefined>>;
}

const ofEach = (of: (value: WorthValue) => number): WorthCounts => ({
  helped: of("helped"),
  could_help: of("could_help"),
  same: of("same"),
  harmed: of("harmed"),
  not_measured: of("not_measured"),
});

/** Sums over kinds, and over all outcomes or these. */
export function totalWorth(
  { counts }: Pick<GroupWorth, "counts">,
  outcomes: readonly Outcome[] = OUTCOMES,
): WorthCounts {
  const all = outcomes.flatMap((outcome) => Object.values(counts[outcome]));
  return ofEach((value) => all.reduce((sum, one) => sum + one[value], 0));
}

/** How many have each value. */
export function countWorths(values: readonly WorthValue[]): WorthCounts {
  return ofEach((value) => values.filter((one) => one === value).length);
}

/** Fewer measured changes say nothing about whether a skill separates. */
const ENOUGH_CHANGES = 10;

/** Measured changes of wrong and right episodes, which are those of a separation. */
function measuredChanges(worth: GroupWorth): number {
  const { not_measured: _, ...measured } = totalWorth(worth, ["wrong", "correct"]);
  return Object.values(measured).reduce((sum, n) => sum + n, 0);
}

/**
 * Whether the changes are shown to be worth more than those of a random trigger: the 95 % interval of the difference lies above zero.
 * Undefined where too few changes are measured to say, such as those of a skill that only adds contexts: how often that one fires in
 * right episodes shows no harm.
 */
export function separates(worth: GroupWorth): boolean | undefined {
  const { all } = worth.separation;
  if (all === undefined || measuredChanges(worth) < ENOUGH_CHANGES) return undefined;
  return all.aboveRandom.low > 0;
}

/** Of a skill that does not separate. */
export const NOT_SEPARATING = "its changes are not shown to be worth more than those of a random trigger";

/** `helped 3, could help 9, harmed 1, same 30`; parts that are nothing are left out. Empty without a change. */
export function worthWords(counts: WorthCounts): string {
  return (["helped", "could_help", "harmed", "same", "not_measured"] as const)
    .flatMap((value) => (counts[value] === 0 ? [] : [`${WORTH_WORDS[value]} ${counts[value]}`]))
    .join(", ");
}

export const SEPARATED_WORDS: Readonly<Record<Separated, string>> = {
  all: "all changes",
  answer: "answers",
  search: "searches",
};

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value * 100).toFixed(1)}%`;
/** A share with its 95 % interval. */
export const withInterval = ({ value, low, high }: Estimate): string =>
  `${signed(value)} (95%: ${signed(low)} to ${signed(high)})`;

/** A separation in one line, with its intervals and the random trigger. */
export function separationWords(of: Separated, separation: Separation): string {
  const { wrong, right, random, aboveRandom } = separation;
  const shares = `help in ${wrong.helped} of ${wrong.episodes} wrong, harm in ${right.harmed} of ${right.episodes} right`;
  return (
    `${SEPARATED_WORDS[of]}: ${shares}: separation ${withInterval(separation)}; ` +
    `random trigger ${signed(random)}; above it ${withInterval(aboveRandom)}`
  );
}
