import type { Range } from "./zoom.ts";

/** A curve: ascending xs without NaN; a NaN among the ys is a gap. */
export interface Line {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

/** Values at common xs, as uPlot draws them. Null: a gap. Undefined: this line has no point there, and runs on. */
export type Values = (number | null | undefined)[];

/** Lines over common xs. */
export interface Aligned {
  readonly xs: readonly number[];
  readonly lines: readonly Values[];
}

/** The first position whose x is at least `x`. */
export function firstAt(xs: Float64Array, x: number): number {
  let [low, high] = [0, xs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The points in the range, with one beyond each end, so that the line reaches the edges. */
function inSight({ xs }: Line, { from, to }: Range): { readonly start: number; readonly end: number } {
  return { start: Math.max(0, firstAt(xs, from) - 1), end: Math.min(xs.length, firstAt(xs, to) + 1) };
}

const valueOf = (y: number | undefined): number | null => (y === undefined || Number.isNaN(y) ? null : y);

/** All points in sight at their own xs. */
function exact(lines: readonly Line[], range: Range): Aligned {
  const pieces = lines.map((line) => ({ line, ...inSight(line, range) }));
  const all = new Set<number>();
  for (const { line, start, end } of pieces) for (const x of line.xs.subarray(start, end)) all.add(x);
  const xs = Float64Array.from(all).sort();
  return {
    xs: [...xs],
    lines: pieces.map(({ line, start, end }) => {
      const values: Values = Array.from({ length: xs.length });
      let at = 0;
      for (let i = start; i < end; i++) {
        const x = line.xs[i] ?? 0;
        while ((xs[at] ?? Infinity) < x) at++;
        values[at] = valueOf(line.ys[i]);
      }
      return values;
    }),
  };
}

/** Least and greatest value of each bucket, two cells a bucket in the order of their xs. */
interface Buckets {
  /** Number of the first bucket; bucket n holds the xs from n times the width on. */
  readonly first: number;
  readonly count: number;
  readonly cells: Values;
}

function fill({ xs, ys }: Line, width: number, first: number, count: number): Buckets {
  const cells: Values = Array.from({ length: 2 * count });
  const end = firstAt(xs, (first + count) * width);
  for (let i = firstAt(xs, first * width); i < end;) {
    const bucket = Math.floor((xs[i] ?? 0) / width);
    const next = (bucket + 1) * width;
    let [low, high, lowAt, highAt] = [Infinity, -Infinity, -1, -1];
    const began = i;
    for (; i < end && (i === began || (xs[i] ?? 0) < next); i++) {
      const y = ys[i] ?? Number.NaN;
      if (y < low) [low, lowAt] = [y, i];
      if (y > high) [high, highAt] = [y, i];
    }
    const cell = 2 * (bucket - first);
    // No cell is outside: a bucket at the edge may round to a neighbour.
    if (cell < 0 || cell >= cells.length) continue;
    if (lowAt === -1) [cells[cell], cells[cell + 1]] = [null, null];
    else [cells[cell], cells[cell + 1]] = lowAt <= highAt ? [low, high] : [high, low];
  }
  return { first, count, cells };
}

/** Draws lines of any length with about two points a pixel. */
export interface Decimator {
  /** `columns`: pixels of the plot. Few points in sight come as they are. */
  align(lines: readonly Line[], range: Range, columns: number): Aligned;
}

/** Screens to either side that are prepared with the one in sight, for panning. */
const MARGIN = 1;

/** Buckets lie on a grid that panning does not move, and are kept until a line or the zoom changes. */
export function createDecimator(): Decimator {
  const kept = new WeakMap<Line, { readonly width: number; readonly buckets: Buckets }>();

  function bucketsOf(line: Line, width: number, first: number, count: number): Buckets {
    const known = kept.get(line);
    const isThere =
      known?.width === width &&
      known.buckets.first <= first &&
      known.buckets.first + known.buckets.count >= first + count;
    if (isThere) return known.buckets;
    const margin = Math.ceil(MARGIN * count);
    const buckets = fill(line, width, first - margin, count + 2 * margin);
    kept.set(line, { width, buckets });
    return buckets;
  }

  return {
    align(lines, range, columns) {
      const points = lines.reduce((sum, line) => {
        const { start, end } = inSight(line, range);
        return sum + end - start;
      }, 0);
      if (points <= 2 * columns) return exact(lines, range);
      // The width of a pan and the next differs by rounding alone.
      const width = Number(((range.to - range.from) / columns).toPrecision(9));
      const first = Math.floor(range.from / width) - 1;
      const count = columns + 3;
      const xs: number[] = [];
      for (let i = 0; i < count; i++) xs.push((first + i + 0.25) * width, (first + i + 0.75) * width);
      return {
        xs,
        lines: lines.map((line) => {
          const { first: begin, cells } = bucketsOf(line, width, first, count);
          return cells.slice(2 * (first - begin), 2 * (first - begin + count));
        }),
      };
    },
  };
}
