/** Values by key; the one that was not asked for the longest goes first. */
export interface Memory<T> {
  get(key: string): { readonly value: T } | undefined;
  /** @param weight what it counts, in the unit of the limit. */
  set(key: string, value: T, weight: number): void;
}

/** A memory that holds values of at most `most` together. One that is heavier by itself is not kept. */
export function createMemory<T>(most: number): Memory<T> {
  const kept = new Map<string, { readonly value: T; readonly weight: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      // A map lists its keys in the order of insertion: the first is the stalest.
      kept.delete(key);
      kept.set(key, entry);
      return entry;
    },
    set(key, value, weight) {
      drop(key);
      if (weight > most) return;
      kept.set(key, { value, weight });
      total += weight;
      for (const stale of kept.keys()) {
        if (total <= most) return;
        drop(stale);
      }
    },
  };
}
