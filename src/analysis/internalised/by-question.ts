import type { Behaviour, Gain, MeanOfQuestions } from "../../model/internalised.ts";
import { meanOf } from "../../scoring/group-figures.ts";
import { meanInterval } from "../../scoring/bootstrap.ts";
import { signTest } from "../compare-measures.ts";
import type { ReadEpisode } from "./read-episode.ts";

/** A question of one run, its samples taken together. */
export interface RunQuestion extends Behaviour {
  /** Share of right samples among the judged ones; undefined where none is. */
  readonly right: number | undefined;
  /** Skills that did so in any sample. */
  readonly applied: ReadonlySet<string>;
  readonly triggered: ReadonlySet<string>;
}

/** The questions of a run by their id. */
export type RunQuestions = ReadonlyMap<string, RunQuestion>;

const union = (sets: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set(sets.flatMap((one) => [...one]));

function questionOf(samples: readonly ReadEpisode[]): RunQuestion {
  const mean = (of: (one: ReadEpisode) => number): number => meanOf(samples.map(of)) ?? 0;
  const judged = samples.flatMap(({ right }) => (right === undefined ? [] : [right ? 1 : 0]));
  return {
    right: meanOf(judged),
    applied: union(samples.map(({ applied }) => applied)),
    triggered: union(samples.map(({ triggered }) => triggered)),
    searches: mean(({ searches }) => searches ?? 0),
    reads: mean(({ reads }) => reads ?? 0),
    answersWithoutSearch: mean(({ answersUnsearched }) => (answersUnsearched ? 1 : 0)),
  };
}

/** In the order of the ids, so that the order of the episodes has no influence on a bootstrap. */
export function questionsOfRun(episodes: readonly ReadEpisode[]): RunQuestions {
  const groups = [...Map.groupBy(episodes, ({ questionId }) => questionId)];
  const sorted = groups.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    sorted.map(([id, samples]) => [id, questionOf(samples.toSorted((a, b) => a.sample - b.sample))]),
  );
}

/** Undefined without a value. */
export function meanWithInterval(values: readonly number[]): MeanOfQuestions | undefined {
  const [mean, interval] = [meanOf(values), meanInterval(values)];
  if (mean === undefined || interval === undefined) return undefined;
  return { questions: values.length, mean, ...interval };
}

/** A number of a question in two runs. */
export interface Pair {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** The shares of right answers of the questions that both runs have judged. */
export function pairsOfRight(from: RunQuestions, to: RunQuestions): readonly Pair[] {
  return [...from].flatMap(([id, one]) => {
    const other = to.get(id)?.right;
    return one.right === undefined || other === undefined ? [] : [{ id, from: one.right, to: other }];
  });
}

/** Undefined where no question is judged in both runs. */
export function gainOf(pairs: readonly Pair[]): Gain | undefined {
  const mean = meanWithInterval(pairs.map(({ from, to }) => to - from));
  if (mean === undefined) return undefined;
  const better = pairs.filter(({ from, to }) => to > from).length;
  const worse = pairs.filter(({ from, to }) => to < from).length;
  return { ...mean, better, worse, p: signTest(better, worse) };
}
