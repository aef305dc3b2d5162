/**
 * Texts that are read together are also parsed together, and no other work gets a turn on this thread meanwhile. No task may hold it for
 * over 50 ms: `npm run bench -- keystroke` measures that.
 */
const FEW = 8;

/** Like `Promise.all` over `work`, with few of them begun before the others are done. */
export async function fewAtATime<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += FEW)
    done.push(...(await Promise.all(items.slice(at, at + FEW).map(work))));
  return done;
}
