/** Steps that are drawn, measured and put away together. */
export const GROUP = 10;
/** Pixels from the top of the view at which the step under the eye is looked for, and to which a chosen step is brought. */
export const EYE_LINE = 40;
export const STEP_TOP = 8;

export interface Range {
  /** First group that is drawn, and the one behind the last. */
  readonly from: number;
  readonly to: number;
}

/** The visible part of the transcript, in pixels. */
export interface Viewport {
  readonly scrollTop: number;
  readonly height: number;
  readonly scrollHeight: number;
}

/**
 * Pixels below the top of the view at which a person reads: near its top, and towards the end, where nothing more can be
 * scrolled, wandering down to its bottom, so that every step comes under the eye.
 */
export function eyeLine({ scrollTop, height, scrollHeight }: Viewport): number {
  const most = scrollHeight - height;
  if (most <= 0) return EYE_LINE;
  const span = Math.min(height, most);
  const way = Math.min(Math.max(1 - (most - scrollTop) / span, 0), 1);
  return EYE_LINE + way * (height - EYE_LINE - 1);
}

/** Position of the last of `length` ascending tops that is not below `y`; 0 where all are. */
export function lastAbove(length: number, topOf: (i: number) => number, y: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (topOf(middle) <= y) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

/** The groups around one, for a step that is to be shown before anything is laid out. */
export function rangeAround(group: number, groups: number): Range {
  return { from: Math.max(group - 1, 0), to: Math.min(group + 3, groups) };
}
