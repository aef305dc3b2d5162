/** What a trigger can tell without looking at what the agent did. */
export interface EpisodeShape {
  /** Of the episode. */
  readonly steps: number;
  /** Characters of the question. */
  readonly length: number;
}

/** Episodes that a stratum holds on average, at least. */
const LEAST_IN_STRATUM = 10;
const MOST_STEP_BINS = 4;
const MOST_LENGTH_BINS = 3;

/** The bin of each value, from 0: about as many values in each, equal values in one. */
function binsOf(values: readonly number[], bins: number): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const cuts = Array.from({ length: bins - 1 }, (_, i) =>
    sorted.at(Math.floor(((i + 1) * sorted.length) / bins)),
  );
  return values.map((value) => cuts.filter((cut) => cut !== undefined && value >= cut).length);
}

/**
 * The stratum of each episode, a number that says nothing by itself: episodes of one stratum have about as many steps and about as long a
 * question. A few episodes are all of one stratum.
 */
export function strataOf(episodes: readonly EpisodeShape[]): readonly number[] {
  const most = Math.max(1, Math.floor(Math.sqrt(episodes.length / LEAST_IN_STRATUM)));
  const steps = binsOf(
    episodes.map((one) => one.steps),
    Math.min(most, MOST_STEP_BINS),
  );
  const lengths = binsOf(
    episodes.map((one) => one.length),
    Math.min(most, MOST_LENGTH_BINS),
  );
  return steps.map((step, i) => step * MOST_LENGTH_BINS + (lengths[i] ?? 0));
}
