/**
 * Work that the extension does unasked: a debounce that waits, a check under way. Tests wait for its end, because only that
 * tells that no diagnostic is still to come. An extension host has one extension of ours, so a module holds it.
 */
const pending = new Set<symbol>();
let waiting: (() => void)[] = [];

/** Counts as pending until the function it returns is called. */
export function hold(): () => void {
  const one = Symbol("pending");
  pending.add(one);
  return () => {
    if (!pending.delete(one) || pending.size > 0) return;
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  };
}

/** Counts as pending until the promise settles; gives it back as it is. */
export function track<T>(work: Promise<T>): Promise<T> {
  const release = hold();
  work.then(release, release);
  return work;
}

/** Turns of the event loop for which nothing is pending: an event that VS Code delivers between two of them begins new work. */
const QUIET_TURNS = 5;

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Resolves once nothing is pending, and nothing began in the turns after that. Changes on disk count from when they are heard of. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    if (pending.size > 0) {
      quiet = -1;
      await new Promise<void>((resolve) => void waiting.push(resolve));
    }
    await turn();
  }
}
