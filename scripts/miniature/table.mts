/** Reads the runs of the demonstration and says what they show: shares with intervals, and how often skills act. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import { middleOf } from "../../src/scoring/bootstrap.ts";
import { seededRandom } from "../../src/model/random.ts";

const RESAMPLES = 2_000;
const SEED = 42;

/** An episode, as far as the table cares. */
interface Result {
  readonly person: string;
  readonly right: boolean;
  /** Skills that applied, were overridden by another one, or abstained, each once. */
  readonly acted: readonly string[];
  /** Steps at which another action ran than was proposed. */
  readonly changed: number;
}

interface RecordedEpisode {
  readonly questionId: string;
  readonly outcome: string;
  readonly steps: readonly {
    readonly events?: readonly {
      readonly skillId: string;
      readonly status: string;
      readonly intervention?: { readonly type: string };
    }[];
  }[];
}

const TRIGGERED: ReadonlySet<string> = new Set(["applied", "overridden", "noop"]);

/** The episodes of a run; undefined where there is no such run. Ids of questions begin with the person. */
export function resultsOf(run: string): readonly Result[] | undefined {
  const file = resolve(run, "episodes.jsonl");
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => resultOf(JSON.parse(line) as RecordedEpisode));
}

function resultOf({ questionId, outcome, steps }: RecordedEpisode): Result {
  const events = steps.flatMap((step) => step.events ?? []);
  const acted = events.filter(({ status }) => TRIGGERED.has(status)).map(({ skillId }) => skillId);
  const changed = steps.filter((step) =>
    step.events?.some(
      ({ status, intervention }) => status === "applied" && intervention?.type === "MODIFY_ACTION",
    ),
  );
  return {
    person: questionId.split("-", 1)[0] ?? questionId,
    right: outcome === "correct",
    acted: [...new Set(acted)],
    changed: changed.length,
  };
}

/** The mean of a result over the questions of each person: one map for each seed. */
export type ByPerson = readonly ReadonlyMap<string, number>[];

export const byPerson = (
  seeds: readonly (readonly Result[])[],
  value: (result: Result) => number,
): ByPerson =>
  seeds.map((results) => {
    const people = Map.groupBy(results, ({ person }) => person);
    return new Map([...people].map(([person, own]) => [person, mean(own.map(value))]));
  });

const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The mean of each seed. */
  readonly seeds: readonly number[];
}

/**
 * The mean over seeds of the mean over people, with a 95% interval by a bootstrap: in each of 2,000 resamples as many people of each seed are
 * drawn anew, with all of their questions. With `less` it is the difference, of the same people.
 */
export function estimate(of: ByPerson, less?: ByPerson): Estimate {
  const seeds = of.map((people, seed) =>
    [...people].map(([person, value]) => value - (less?.[seed]?.get(person) ?? 0)),
  );
  const random = seededRandom(SEED);
  const means = new Float64Array(RESAMPLES).map(() =>
    mean(seeds.map((values) => mean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)))),
  );
  const own = seeds.map(mean);
  return { value: mean(own), ...middleOf(means), seeds: own };
}

/** Share of episodes in which each skill acted, over all seeds, the most frequent first. */
export function triggerRates(seeds: readonly (readonly Result[])[]): readonly (readonly [string, number])[] {
  const all = seeds.flat();
  const counts = new Map<string, number>();
  for (const skill of all.flatMap(({ acted }) => acted)) counts.set(skill, (counts.get(skill) ?? 0) + 1);
  const rates = [...counts].map(([skill, count]) => [skill, count / all.length] as const);
  return rates.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}
