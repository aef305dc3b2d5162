function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, swap));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** Words that differ only in case or in `_`, `-` and spaces are the same slip of the hand. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[_\-\s]/g, "");
}

/** The candidate a person most likely meant, or undefined when none is close. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  // Longer than any of our words: comparing would only cost time.
  if (word.length > 60) return undefined;
  const typed = plain(word);
  const allowed = Math.max(1, Math.floor(typed.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    const d = distance(typed, plain(candidate));
    if (d < bestDistance) [best, bestDistance] = [candidate, d];
  }
  return best;
}

/** What to do about an unknown word: the likely one, else all of them. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const match = closest(word, candidates);
  return match === undefined ? `Use one of: ${candidates.join(", ")}.` : `Did you mean "${match}"?`;
}
