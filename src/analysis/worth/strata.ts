/** What a trigger can tell without looking at what the agent did. */
export interface EpisodeShape {
  /** Of the episode. */
  readonly steps: number;
  /** Characters of the question. */
  readonly length: number;
}

/** Episodes that a stratum holds on average, at least. */
const LEAST_IN_STRATUM = 10;
const MOST_LENGTH_BINS = 3;

/** The bin of each value, from 0: about as many values in each, equal values in one. */
function binsOf(values: readonly number[], bins: number): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const cuts = Array.from({ length: bins - 1 }, (_, i) =>
    sorted.at(Math.floor(((i + 1) * sorted.length) / bins)),
  );
  return values.map((value) => cuts.filter((cut) => cut !== undefined && value >= cut).length);
}

/** A bin for each number, from the smallest on; numbers that too few have share one with the next, and the last with the one before. */
function binOfNumber(numbers: readonly number[], least: number): ReadonlyMap<number, number> {
  const counts = Map.groupBy(numbers, (one) => one);
  const bins = new Map<number, number>();
  let [bin, held, left] = [0, 0, numbers.length];
  for (const number of [...counts.keys()].toSorted((a, b) => a - b)) {
    if (held >= least && left >= least) [bin, held] = [bin + 1, 0];
    bins.set(number, bin);
    const count = counts.get(number)?.length ?? 0;
    held += count;
    left -= count;
  }
  return bins;
}

/**
 * The stratum of each episode, a number that says nothing by itself: episodes of one stratum have as many steps, or nearly where few have as
 * many, and about as long a question. A few episodes are all of one stratum.
 */
export function strataOf(episodes: readonly EpisodeShape[]): readonly number[] {
  const most = Math.max(1, Math.floor(Math.sqrt(episodes.length / LEAST_IN_STRATUM)));
  const lengthBins = Math.min(most, MOST_LENGTH_BINS);
  const lengths = binsOf(
    episodes.map((one) => one.length),
    lengthBins,
  );
  const steps = binOfNumber(
    episodes.map((one) => one.steps),
    lengthBins * LEAST_IN_STRATUM,
  );
  return episodes.map((one, i) => (steps.get(one.steps) ?? 0) * MOST_LENGTH_BINS + (lengths[i] ?? 0));
}
