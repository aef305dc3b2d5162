/** Says when nothing has been asked for a while. */
export interface IdleWatch {
  /** Runs the work; the time that it takes does not count as idle. */
  during<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Calls `onIdle` once, `ms` milliseconds after the last work has ended. */
export function watchIdle(ms: number, onIdle: () => void): IdleWatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let under = 0;
  let closed = false;
  const rest = (): void => {
    if (!closed && under === 0) timer = setTimeout(onIdle, ms);
  };
  rest();
  return {
    async during(work) {
      clearTimeout(timer);
      under += 1;
      try {
        return await work();
      } finally {
        under -= 1;
        rest();
      }
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
