/** A stretch of the x axis. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The narrowest stretch, as a share of all. */
const NARROWEST = 1e-5;

/** The range within `all`, with its width kept as far as it fits; undefined: all of it. */
export function within(all: Range, { from, to }: Range): Range | undefined {
  const whole = all.to - all.from;
  const width = Math.max(to - from, whole * NARROWEST);
  if (width >= whole) return undefined;
  const start = Math.min(Math.max(from, all.from), all.to - width);
  return { from: start, to: start + width };
}

/** `factor` under 1 zooms in; `at`, a value of the axis, stays in its place. */
export function zoomed(all: Range, now: Range | undefined, factor: number, at?: number): Range | undefined {
  const { from, to } = now ?? all;
  const middle = at ?? (from + to) / 2;
  return within(all, { from: middle - (middle - from) * factor, to: middle + (to - middle) * factor });
}

/** Moves by a share of the width in sight: to the right where it is positive. */
export function panned(all: Range, now: Range | undefined, share: number): Range | undefined {
  if (now === undefined) return undefined;
  const by = (now.to - now.from) * share;
  return within(all, { from: now.from + by, to: now.to + by });
}
