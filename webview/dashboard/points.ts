import {
  CURVES,
  POINT_COLUMNS,
  type CurveName,
  type PointColumn,
  type PointColumns,
  type PointsChunk,
} from "../../src/protocol/dashboard.ts";
import { placed, smoothed, type XAxis } from "./axis.ts";
import type { Line } from "./decimate.ts";

/** A run on an axis: its lines by scalar, as recorded and smoothed. */
export interface RunCurves {
  readonly raw: Readonly<Record<CurveName, Line>>;
  readonly smooth: Readonly<Record<CurveName, Line>>;
  /** The x at which each iteration but the first begins. */
  readonly boundaries: readonly number[];
}

/** The points of one run, as far as they have arrived. */
export interface RunPoints {
  readonly length: number;
  /** Of `length` points. */
  columns(): PointColumns;
  /** Takes a chunk; points from its position on are replaced. */
  put(chunk: Pick<PointsChunk, "from" | "columns">): void;
  /** Made once for the points that are there. */
  curves(axis: XAxis): RunCurves;
}

function keep(values: Float64Array, isKept: (i: number) => boolean): Float64Array {
  return values.filter((_, i) => isKept(i));
}

function curvesOf(columns: PointColumns, axis: XAxis): RunCurves {
  const { xs, boundaries } = placed(columns, axis);
  const isPlaced = (i: number): boolean => !Number.isNaN(xs[i] ?? Number.NaN);
  const at = keep(xs, isPlaced);
  const lines = (shape: (ys: Float64Array) => Float64Array): Record<CurveName, Line> =>
    Object.fromEntries(
      CURVES.map((name) => [name, { xs: at, ys: shape(keep(columns[name], isPlaced)) }]),
    ) as Record<CurveName, Line>;
  return { raw: lines((ys) => ys), smooth: lines(smoothed), boundaries };
}

type Held = Record<PointColumn, Float64Array>;

function grown(held: Held, length: number): Held {
  if (held.step.length >= length) return held;
  const capacity = Math.max(1024, 2 ** Math.ceil(Math.log2(length)));
  const entries = POINT_COLUMNS.map((name) => {
    const larger = new Float64Array(capacity);
    larger.set(held[name]);
    return [name, larger];
  });
  return Object.fromEntries(entries) as Held;
}

export function createRunPoints(): RunPoints {
  let held = Object.fromEntries(POINT_COLUMNS.map((name) => [name, new Float64Array(0)])) as Held;
  let length = 0;
  let made: { readonly axis: XAxis; readonly curves: RunCurves } | undefined;
  const columns = (): PointColumns =>
    Object.fromEntries(POINT_COLUMNS.map((name) => [name, held[name].subarray(0, length)])) as Held;
  return {
    get length() {
      return length;
    },
    columns,
    put({ from, columns: added }) {
      const end = from + added.step.length;
      held = grown(held, end);
      for (const name of POINT_COLUMNS) held[name].set(added[name], from);
      length = end;
      made = undefined;
    },
    curves(axis) {
      if (made?.axis !== axis) made = { axis, curves: curvesOf(columns(), axis) };
      return made.curves;
    },
  };
}
