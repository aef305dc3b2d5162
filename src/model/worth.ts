import type { StandingOutcome } from "./episode.ts";
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

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How much more often changes help in wrong episodes than they harm in right ones. */
export interface Separation {
  /** The share of wrong episodes that it helps less the share of right ones that it harms. */
  readonly value: number;
  /** Judged episodes, and those of them in which the change helped or could help (wrong) or harmed (right). */
  readonly wrong: { readonly episodes: number; readonly helped: number };
  readonly right: { readonly episodes: number; readonly harmed: number };
  /** The separation of a trigger that fires at random, as often in episodes of as many steps with as long a question. */
  readonly random: number;
  /** The separation less that of the random trigger; less nothing where that one harms more than it helps, since none at all is better. */
  readonly aboveRandom: number;
  /** Measured changes in wrong and right episodes. */
  readonly changes: number;
  /** 95 % intervals; undefined where too few changes are measured to say. */
  readonly intervals: Readonly<Record<"value" | "aboveRandom" | "helped" | "harmed", Interval>> | undefined;
}

/** What is separated: all changes, or those of one kind. */
export const SEPARATED = ["all", "answer", "search"] as const;
export type Separated = (typeof SEPARATED)[number];

/** The worth of the changes of a skill or of a library. Each episode counts once, by its first change. */
export interface GroupWorth {
  /** Episodes by their outcome, the kind of the first change and its worth. */
  readonly counts: Readonly<Record<StandingOutcome, Readonly<Record<WorthKind, WorthCounts>>>>;
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
  outcomes: readonly StandingOutcome[] = OUTCOMES,
): WorthCounts {
  const all = outcomes.flatMap((outcome) => Object.values(counts[outcome]));
  return ofEach((value) => all.reduce((sum, one) => sum + one[value], 0));
}

/** How many have each value. */
export function countWorths(values: readonly WorthValue[]): WorthCounts {
  return ofEach((value) => values.filter((one) => one === value).length);
}

/** Fewer measured changes say nothing about whether a skill separates. */
export const ENOUGH_CHANGES = 10;

/** Every answer is held back, right and wrong alike, so that neither it nor a random trigger tells them apart. */
const holdsAll = ({ wrong, right, intervals }: Separation): boolean =>
  intervals !== undefined && wrong.helped === wrong.episodes && right.harmed === right.episodes;

/** Whether a skill acts on every answer, as one that always asks for a check. Its separation is 0 by construction. */
export function firesAlways({ separation: { all } }: Pick<GroupWorth, "separation">): boolean {
  return all !== undefined && holdsAll(all);
}

/** Of such a skill, in place of a separation. */
export const FIRES_ALWAYS = "fires on every answer: nothing to separate";

/**
 * Whether the changes are shown to be worth more than those of a random trigger: the 95 % interval of the difference lies above zero.
 * Undefined where too few changes are measured to say, such as those of a skill that only adds contexts: how often that one fires in
 * right episodes shows no harm. Undefined, too, where there is nothing to separate (`firesAlways`).
 */
export function separates(worth: Pick<GroupWorth, "separation">): boolean | undefined {
  const { intervals } = worth.separation.all ?? {};
  return firesAlways(worth) ? undefined : intervals && intervals.aboveRandom.low > 0;
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

const within = (value: number, interval: Interval | undefined): string =>
  interval === undefined
    ? "too few measured changes"
    : `${signed(value)} (95%: ${signed(interval.low)} to ${signed(interval.high)})`;

/** How far a separation is above that of the random trigger, with its interval; that nothing can be said of few changes. */
export const aboveRandomWords = ({ aboveRandom, intervals }: Separation): string =>
  within(aboveRandom, intervals?.aboveRandom);

/** A separation, with its interval; that nothing can be said of few changes, or of a skill that always fires. */
export const separationValue = (separation: Separation): string =>
  holdsAll(separation) ? FIRES_ALWAYS : within(separation.value, separation.intervals?.value);

function shareWords(hits: number, episodes: number, interval: Interval | undefined): string {
  const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;
  const ends = interval === undefined ? "" : ` (95%: ${percent(interval.low)} to ${percent(interval.high)})`;
  return `${hits} of ${episodes}${ends}`;
}

/** A separation in one line, with its intervals and the random trigger. */
export function separationWords(of: Separated, separation: Separation): string {
  const { wrong, right, random, changes, intervals } = separation;
  const help = `help in ${shareWords(wrong.helped, wrong.episodes, intervals?.helped)} wrong`;
  const harm = `harm in ${shareWords(right.harmed, right.episodes, intervals?.harmed)} right`;
  const shares = `${SEPARATED_WORDS[of]}: ${help}, ${harm}`;
  if (holdsAll(separation)) return `${shares}; ${FIRES_ALWAYS}`;
  if (intervals === undefined) {
    const few = changes === 1 ? "1 measured change is" : `${changes} measured changes are`;
    return `${shares}; ${few} too few to say more`;
  }
  return (
    `${shares}: separation ${separationValue(separation)}; ` +
    `random trigger ${signed(random)}; above it ${aboveRandomWords(separation)}`
  );
}
