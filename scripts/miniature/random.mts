/** Draws that depend on a text alone, so that a program that starts again draws the same. */

/** A whole number from 0 to 2^32 − 1: FNV-1a, mixed once more because its last bits barely change. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** From 0 to 1, without 1. */
export const shareOf = (text: string): number => hashOf(text) / 2 ** 32;

/** One of a list that is not empty. */
export function oneOf<T>(list: readonly T[], text: string): T {
  const chosen = list[hashOf(text) % list.length];
  if (chosen === undefined) throw new Error("Nothing to choose from.");
  return chosen;
}

/** The list in an order that depends on the text. */
export function mixed<T>(list: readonly T[], text: string): T[] {
  const keyed = list.map((value, at) => ({ value, key: hashOf(`${text} ${at}`) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
