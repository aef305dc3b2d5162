import { hold } from "./pending-work.ts";

/** A call that many events ask for and that is made once, after `ms` milliseconds without another. */
export interface Debounced {
  readonly poke: () => void;
  readonly dispose: () => void;
}

export function debounce(ms: number, call: () => void): Debounced {
  let timer: NodeJS.Timeout | undefined;
  let release: (() => void) | undefined;
  const end = (): void => {
    clearTimeout(timer);
    release?.();
    release = undefined;
  };
  const fire = (): void => {
    // The call may poke again.
    const done = release;
    release = undefined;
    try {
      call();
    } finally {
      done?.();
    }
  };
  const poke = (): void => {
    clearTimeout(timer);
    release ??= hold();
    timer = setTimeout(fire, ms);
  };
  return { poke, dispose: end };
}
