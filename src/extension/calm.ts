import { hold } from "./pending-work.ts";

/** A call that many events ask for and that is made once, after `ms` milliseconds without another. */
export interface Calm {
  readonly poke: () => void;
  readonly dispose: () => void;
}

export function calm(ms: number, call: () => void): Calm {
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
