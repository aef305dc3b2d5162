/** One line of the table that `npm run bench` prints. */
export interface BenchRow {
  readonly name: string;
  /** Median, in `unit`. */
  readonly ours: number;
  /** Undefined where there is nothing to compare with. */
  readonly baseline: number | undefined;
  readonly unit: string;
  /** Median of the ratios of pairs, where both were measured in turn; else it is that of `ours` and `baseline`. */
  readonly ratio?: number;
  /** The ratio that is not to be exceeded. */
  readonly limit?: number;
  /** What was measured, how often, and against what. */
  readonly method: string;
}

export async function milliseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The value that `percent` of 100 do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/**
 * Medians of both, measured in turn so that a neighbour's noise meets both. The first `warmUp` rounds do not count. The
 * work is given the number of the round, so that no round can be answered from a cache of another.
 */
export async function compare(
  rounds: number,
  ours: (round: number) => unknown,
  baseline: (round: number) => unknown,
  warmUp = 1,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + warmUp; round++) {
    const pair = [await milliseconds(() => ours(round)), await milliseconds(() => baseline(round))] as const;
    if (round < warmUp) continue;
    times[0].push(pair[0]);
    times[1].push(pair[1]);
  }
  return [median(times[0]), median(times[1])];
}
