import { perOutcome } from "../../model/outcomes.ts";
import { SEARCH } from "../../model/action-types.ts";
import type { StandingOutcome } from "../../model/episode.ts";
import {
  WORTH_KINDS,
  WORTH_VALUES,
  type ChangeWorth,
  type GroupWorth,
  type Separated,
  type WorthKind,
  type WorthValue,
} from "../../model/worth.ts";
import type { Change } from "./changes.ts";
import { separationOf, type Draws, type SeparatedEpisode } from "./separation.ts";

/** What a random trigger does as well: hold an answer back, put a search in the place of an answer, or in that of a search. */
const DEEDS = ["hold", "replace", "search"] as const;
export type Deed = (typeof DEEDS)[number];

/** Undefined for a change that nothing random is like: an answer that is reworded, an action of another kind. */
export function deedOf({ kind, before, after }: Change): Deed | undefined {
  if (kind === "search") return after?.type === SEARCH ? "search" : undefined;
  if (kind !== "answer") return undefined;
  if (after === undefined) return "hold";
  return after.type === before.type ? undefined : "replace";
}

/** One episode, with the worth of its changes. */
export interface Settled {
  /** From 0. */
  readonly question: number;
  readonly outcome: StandingOutcome;
  /** See strataOf. */
  readonly stratum: number;
  readonly asked: ReadonlySet<string>;
  readonly contexts: readonly string[];
  /** An answer was proposed. */
  readonly answers: boolean;
  /** In order; all but the last one are the same as what they replace. */
  readonly worths: readonly { readonly change: Change; readonly worth: ChangeWorth }[];
  /** The worth of random changes; undefined where it was not worked out. */
  readonly random: Readonly<Record<"search" | "replace", WorthValue | undefined>>;
}

type Measured = Settled["worths"][number];

const isJudged = ({ outcome }: Settled): boolean => outcome === "wrong" || outcome === "correct";

/** It helps or could help a wrong episode, or harms a right one. */
function isHit(outcome: StandingOutcome, value: WorthValue | undefined): boolean {
  if (outcome === "wrong") return value === "helped" || value === "could_help";
  return outcome === "correct" && value === "harmed";
}

function emptyCounts(): Record<StandingOutcome, Record<WorthKind, Record<WorthValue, number>>> {
  const values = () =>
    Object.fromEntries(WORTH_VALUES.map((value) => [value, 0])) as Record<WorthValue, number>;
  const kinds = () =>
    Object.fromEntries(WORTH_KINDS.map((kind) => [kind, values()])) as Record<
      WorthKind,
      Record<WorthValue, number>
    >;
  return perOutcome(kinds);
}

/** The worth of the changes that one of these skills made or took part in: in each episode, of the last one that was measured. */
export function groupWorth(
  settled: readonly Settled[],
  isOf: (skillId: string) => boolean,
  draws: Draws,
): GroupWorth {
  const counts = emptyCounts();
  const own = settled.map(({ worths }) => worths.findLast(({ change }) => change.skillIds.some(isOf)));
  for (const [i, found] of own.entries()) {
    const outcome = settled[i]?.outcome;
    if (found !== undefined && outcome !== undefined)
      counts[outcome][found.worth.kind][found.worth.value] += 1;
  }
  const rows = settled.flatMap((one, i) => (isJudged(one) ? [{ one, own: own[i] }] : []));
  const separated = (of: Separated): GroupWorth["separation"][Separated] => separate(rows, of, draws);
  return {
    counts,
    contexts: settled.reduce((sum, { contexts }) => sum + contexts.filter(isOf).length, 0),
    separation: { all: separated("all"), answer: separated("answer"), search: separated("search") },
  };
}

interface Row {
  readonly one: Settled;
  readonly own: Measured | undefined;
}

type Rates = Readonly<Record<Deed, number>>;

/** How often each deed is done in the episodes of each stratum, of those in which it can be done. */
function ratesOf(rows: readonly Row[]): ReadonlyMap<number, Rates> {
  const strata = Map.groupBy(rows, ({ one }) => one.stratum);
  return new Map(
    [...strata].map(([stratum, some]) => {
      const answering = some.filter(({ one }) => one.answers).length;
      const rateOf = (deed: Deed): number => {
        // An episode without a search counts, too: a random change there is never a hit.
        const able = deed === "search" ? some.length : answering;
        const done = some.filter(({ own }) => own !== undefined && deedOf(own.change) === deed).length;
        return able === 0 ? 0 : done / able;
      };
      return [stratum, { hold: rateOf("hold"), replace: rateOf("replace"), search: rateOf("search") }];
    }),
  );
}

/** The chance that a trigger which fires at random at these rates makes a hit at an episode: what is known, and what was worked out on some. */
function randomHits(one: Settled, { hold, replace, search }: Rates) {
  const isLost = one.outcome === "correct";
  const answer = one.answers ? hold + (isLost ? replace : 0) : 0;
  const wantsReplace = replace > 0 && !isLost && one.answers;
  const { random } = one;
  if ((search > 0 && random.search === undefined) || (wantsReplace && random.replace === undefined))
    return { answer, searched: undefined };
  const inSearch = isHit(one.outcome, random.search) ? search : 0;
  const inReplace = wantsReplace && isHit(one.outcome, random.replace) ? replace : 0;
  return { answer, searched: inSearch + inReplace };
}

function separate(all: readonly Row[], of: Separated, draws: Draws): GroupWorth["separation"][Separated] {
  const rows = all.map(({ one, own }) => ({
    one,
    own: own !== undefined && (of === "all" || of === own.worth.kind) ? own : undefined,
  }));
  const changed = rows.flatMap(({ own }) => own ?? []);
  if (changed.length === 0) return undefined;
  const rates = ratesOf(rows);
  const episodes = rows.map(({ one, own }): SeparatedEpisode => {
    const random = randomHits(one, rates.get(one.stratum) ?? { hold: 0, replace: 0, search: 0 });
    return {
      question: one.question,
      isWrong: one.outcome === "wrong",
      isHit: isHit(one.outcome, own?.worth.value),
      randomHit: random.answer,
      randomSearched: random.searched,
    };
  });
  const changes = changed.filter(({ worth }) => worth.value !== "not_measured").length;
  return separationOf(episodes, changes, draws);
}
