/** JSON with the keys of every object sorted, so that equal values have equal texts. Keys in `without` are left out at any depth. */
export function canonicalJson(value: unknown, without: ReadonlySet<string> = new Set()): string {
  const ordered = (_key: string, inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    const kept = Object.entries(inner).filter(([key]) => !without.has(key));
    return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.stringify(value, ordered) ?? "null";
}
