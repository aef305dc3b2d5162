/** A part of the work of a use case is done: `done` of `total`, and the same in words, such as `3 of 12 episodes`. */
export interface Progress {
  readonly kind: "progress";
  readonly done: number;
  readonly total: number;
  readonly words: string;
}

/** Progress over things that are counted; `unit` names them, such as `episodes judged`. */
export function progressOf(done: number, total: number, unit: string): Progress {
  return { kind: "progress", done, total, words: `${done} of ${total} ${unit}` };
}
