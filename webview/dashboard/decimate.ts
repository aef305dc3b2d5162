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
  /** The xs are columns of pixels, each with the extremes of many points. */
  readonly isDense: boolean;
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
    isDense: false,
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

/** Buckets of a grid over the x axis: bucket n holds the xs from n times the width on. */
interface Grid {
  readonly width: number;
  /** Number of the first bucket. */
  readonly first: number;
  readonly count: number;
}

const isWithin = (inner: Grid, outer: Grid): boolean =>
  inner.width === outer.width &&
  outer.first <= inner.first &&
  outer.first + outer.count >= inner.first + inner.count;

/** Positions of the first points of the buckets, and one more for the end of the last bucket. */
function startsOf(xs: Float64Array, { width, first, count }: Grid): Int32Array {
  return Int32Array.from({ length: count + 1 }, (_, i) => firstAt(xs, (first + i) * width));
}

/** A bucket not looked at yet; without a point; with points but without a number; with numbers. */
const [UNKNOWN, EMPTY, GAP, FULL] = [0, 1, 2, 3] as const;

/** Least and greatest value of each bucket, two cells a bucket in the order of their xs. */
interface Extremes extends Grid {
  readonly cells: Float64Array;
  readonly kinds: Uint8Array;
}

function look(ys: Float64Array, from: number, end: number, { cells, kinds }: Extremes, bucket: number): void {
  let low = Infinity;
  let high = -Infinity;
  let lowAt = 0;
  let highAt = 0;
  for (let i = from; i < end; i++) {
    const y = ys[i] as number;
    if (y < low) {
      low = y;
      lowAt = i;
    }
    if (y > high) {
      high = y;
      highAt = i;
    }
  }
  kinds[bucket] = from === end ? EMPTY : low > high ? GAP : FULL;
  cells[2 * bucket] = lowAt <= highAt ? low : high;
  cells[2 * bucket + 1] = lowAt <= highAt ? high : low;
}

/** Draws lines of any length with about two points a pixel. */
export interface Decimator {
  /** `columns`: pixels of the plot. Few points in sight come as they are. */
  align(lines: readonly Line[], range: Range, columns: number): Aligned;
}

/** Screens to either side that have room beside the one in sight, for panning. */
const MARGIN = 1;

/** Buckets lie on a grid that panning does not move, and are kept until a line or the zoom changes. */
export function createDecimator(): Decimator {
  const kept = new WeakMap<Line, Extremes>();
  const starts = new WeakMap<Float64Array, Grid & { readonly at: Int32Array }>();

  /** The lines of a run share their xs. */
  function startsIn(xs: Float64Array, grid: Grid): Int32Array {
    const known = starts.get(xs);
    if (known?.width === grid.width && known.first === grid.first && known.count === grid.count)
      return known.at;
    const at = startsOf(xs, grid);
    starts.set(xs, { ...grid, at });
    return at;
  }

  function extremesOf(line: Line, grid: Grid): Extremes {
    const known = kept.get(line);
    if (known !== undefined && isWithin(grid, known)) return known;
    const margin = Math.ceil(MARGIN * grid.count);
    const count = grid.count + 2 * margin;
    const kinds = new Uint8Array(count);
    const made = {
      width: grid.width,
      first: grid.first - margin,
      count,
      cells: new Float64Array(2 * count),
      kinds,
    };
    kept.set(line, made);
    return made;
  }

  function valuesIn(line: Line, grid: Grid): Values {
    const at = startsIn(line.xs, grid);
    const extremes = extremesOf(line, grid);
    const { cells, kinds } = extremes;
    const values: Values = [];
    for (let i = 0; i < grid.count; i++) {
      const bucket = grid.first - extremes.first + i;
      if (kinds[bucket] === UNKNOWN) look(line.ys, at[i] as number, at[i + 1] as number, extremes, bucket);
      if (kinds[bucket] === FULL) values.push(cells[2 * bucket], cells[2 * bucket + 1]);
      else if (kinds[bucket] === GAP) values.push(null, null);
      else values.push(undefined, undefined);
    }
    return values;
  }

  return {
    align(lines, range, columns) {
      const points = lines.reduce((sum, line) => {
        const { start, end } = inSight(line, range);
        return sum + end - start;
      }, 0);
      // A line with a point a pixel still shows its dashes.
      if (points <= columns * lines.length) return exact(lines, range);
      // The width of a pan and the next differs by rounding alone.
      const width = Number(((range.to - range.from) / columns).toPrecision(9));
      const grid = { width, first: Math.floor(range.from / width) - 1, count: columns + 3 };
      const xs: number[] = [];
      for (let i = 0; i < grid.count; i++)
        xs.push((grid.first + i + 0.25) * width, (grid.first + i + 0.75) * width);
      return { xs, lines: lines.map((line) => valuesIn(line, grid)), isDense: true };
    },
  };
}
