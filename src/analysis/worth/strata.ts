/** Episodes of a group of steps, and of a part of it by length, at least: fewer tell no base rate. */
const FEWEST_OF_STEPS = 10;
const FEWEST_OF_LENGTH = 20;
const MOST_LENGTHS = 3;

/** What a trigger can tell without looking at what the agent did. */
export interface EpisodeShape {
  /** Of the episode. */
  readonly steps: number;
  readonly question: string;
}

/** The group of each value, from 0: each number on its own, those with too few episodes together with the next greater ones. */
function groupsOf(values: readonly number[]): readonly number[] {
  const counts = Map.groupBy(values, (value) => value);
  const groups = new Map<number, number>();
  let [group, size] = [0, 0];
  for (const value of [...counts.keys()].toSorted((a, b) => a - b)) {
    groups.set(value, group);
    size += counts.get(value)?.length ?? 0;
    if (size >= FEWEST_OF_STEPS) [group, size] = [group + 1, 0];
  }
  // The greatest values may be too few by themselves.
  const last = size > 0 ? Math.max(0, group - 1) : group;
  return values.map((value) => Math.min(last, groups.get(value) ?? 0));
}

/** Episodes of the same group of steps by the length of their question: equal parts, equal lengths in one. */
function lengthsOf(lengths: readonly number[]): readonly number[] {
  const parts = Math.max(1, Math.min(MOST_LENGTHS, Math.floor(lengths.length / FEWEST_OF_LENGTH)));
  const sorted = lengths.toSorted((a, b) => a - b);
  const cuts = Array.from({ length: parts - 1 }, (_, i) =>
    sorted.at(Math.floor(((i + 1) * sorted.length) / parts)),
  );
  return lengths.map((length) => cuts.filter((cut) => cut !== undefined && length >= cut).length);
}

/**
 * A number for each episode; those of one number have about as many steps and about as long a question, which a trigger can tell without
 * looking at what the agent did. Steps are taken apart finely: an agent that is at its last step is nearly always wrong, and in a wider group
 * a trigger for last steps would pass for knowledge.
 */
export function strataOf(episodes: readonly EpisodeShape[]): readonly number[] {
  const groups = groupsOf(episodes.map(({ steps }) => steps));
  const strata = groups.map((group) => group * MOST_LENGTHS);
  for (const group of new Set(groups)) {
    const places = groups.flatMap((one, i) => (one === group ? [i] : []));
    const lengths = lengthsOf(places.map((i) => episodes[i]?.question.trim().length ?? 0));
    for (const [j, i] of places.entries()) strata[i] = group * MOST_LENGTHS + (lengths[j] ?? 0);
  }
  return strata;
}
