/**
 * Runs `work`, never twice at once: however many calls come during a run, one more follows it, and the promise settles after that one.
 * `isStale` tells a run that another one will follow.
 */
export function coalesce(work: (isStale: () => boolean) => Promise<void>): () => Promise<void> {
  let isStale = false;
  let running: Promise<void> | undefined;
  async function runs(): Promise<void> {
    try {
      while (isStale) {
        isStale = false;
        await work(() => isStale);
      }
    } finally {
      running = undefined;
    }
  }
  return () => {
    isStale = true;
    return (running ??= runs());
  };
}
