/** A call that many events ask for and that is made once, after `ms` milliseconds without another. */
export interface Calm {
  readonly poke: () => void;
  readonly dispose: () => void;
}

export function calm(ms: number, call: () => void): Calm {
  let timer: NodeJS.Timeout | undefined;
  const poke = (): void => {
    clearTimeout(timer);
    timer = setTimeout(call, ms);
  };
  return { poke, dispose: () => clearTimeout(timer) };
}
