/** Uniform numbers in [0, 1). The same seed gives the same numbers on every machine. */
export type Random = () => number;

/** The generator mulberry32 (32 bits of state): good enough to shuffle and to sample, no defence against anybody. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A shuffled copy (Fisher–Yates, from the end): every order is equally likely as far as `random` is uniform. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other] as T, copy[last] as T];
  }
  return copy;
}
