/** The words of a text as searches and patterns are compared: runs of letters and digits in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Distinct words that both have, over those that any of both has; 0 where neither has one. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  const any = a.size + b.size - both;
  return any === 0 ? 0 : both / any;
}
