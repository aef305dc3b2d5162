/** A step of an episode. */
export interface Position {
  readonly index: number;
  /** 0-based. */
  readonly t: number;
}

/** Places a person came from, and those they went back from; the nearest is the last of each. */
export interface History {
  readonly back: readonly Position[];
  readonly forward: readonly Position[];
}

export const NO_HISTORY: History = { back: [], forward: [] };

/** More places nobody walks back. */
const LONGEST = 100;

/** Walking from step to step is no jump: going back leads past it, as an editor's history does with the cursor. */
export function remember(history: History, from: Position, to: Position): History {
  const isWalk = from.index === to.index && Math.abs(from.t - to.t) <= 1;
  return isWalk ? history : { back: [...history.back, from].slice(-LONGEST), forward: [] };
}

/** One place back or forward from `here`; undefined where there is none. */
export function travel(
  { back, forward }: History,
  here: Position,
  direction: "back" | "forward",
): { readonly history: History; readonly to: Position } | undefined {
  const to = (direction === "back" ? back : forward).at(-1);
  if (to === undefined) return undefined;
  const history =
    direction === "back"
      ? { back: back.slice(0, -1), forward: [...forward, here] }
      : { back: [...back, here], forward: forward.slice(0, -1) };
  return { history, to };
}
