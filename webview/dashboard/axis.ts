import type { PointColumns } from "../../src/protocol/dashboard.ts";

/** Quantities that the x axis can count. */
export const X_AXES = ["step", "tokens"] as const;
export type XAxis = (typeof X_AXES)[number];

/** The place of each point on the x axis, and where iterations begin. */
export interface Placed {
  /** Ascending. NaN: the point has no place. */
  readonly xs: Float64Array;
  /** The x of the last point before, for each iteration but the first. */
  readonly boundaries: readonly number[];
}

/**
 * Puts the iterations of a training on one axis. The values of an iteration that count from the beginning again are offset by the last
 * value before; those that go on counting, as our trainer's do, stay as they are. A value under the one before it has no place.
 */
export function placeOnAxis(iterations: Float64Array, values: Float64Array): Placed {
  const xs = new Float64Array(values.length).fill(Number.NaN);
  const boundaries: number[] = [];
  let offset = 0;
  let last = Number.NaN;
  let begins = false;
  for (let i = 0; i < values.length; i++) {
    begins ||= i > 0 && iterations[i] !== iterations[i - 1];
    const value = values[i] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (begins && !Number.isNaN(last)) {
      boundaries.push(last);
      offset = value + offset <= last ? last : offset;
    }
    begins = false;
    const x = offset + value;
    if (x < last) continue;
    xs[i] = last = x;
  }
  return { xs, boundaries };
}

export function placed(columns: PointColumns, axis: XAxis): Placed {
  return placeOnAxis(columns.iteration, axis === "step" ? columns.step : columns.num_tokens);
}

/** Points on either side of one that its smoothed value takes in. */
const HALF_WINDOW = 2;

/**
 * Means over five points, the point in their middle. The window shrinks evenly towards the ends and towards gaps: it stays centred, and
 * a gap (NaN) stays a gap.
 */
export function smoothed(values: Float64Array): Float64Array {
  const result = new Float64Array(values.length).fill(Number.NaN);
  for (let from = 0; from < values.length;) {
    let end = from;
    while (end < values.length && !Number.isNaN(values[end] ?? Number.NaN)) end++;
    for (let i = from; i < end; i++) {
      const half = Math.min(HALF_WINDOW, i - from, end - 1 - i);
      let sum = 0;
      for (let k = i - half; k <= i + half; k++) sum += values[k] ?? 0;
      result[i] = sum / (2 * half + 1);
    }
    from = Math.max(end, from + 1);
  }
  return result;
}
