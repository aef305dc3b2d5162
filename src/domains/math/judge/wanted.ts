/** What the words of a question decide about its answers. */
export interface Wanted {
  /** It asks for a percentage: `25` is 25%. */
  readonly percent: boolean;
  /** It speaks of percent, whatever it asks for. */
  readonly saysPercent: boolean;
  /** It speaks of a ratio: `3:4` is 3/4, and 6:8. */
  readonly ratio: boolean;
}

const MAX_SEARCHED = 20_000;

export function wantedBy(question: string): Wanted {
  const searched = question.slice(0, MAX_SEARCHED);
  return {
    percent: /\b(?:what|which|how many|as an?|in|the)\s{1,5}percent(?:age)?\b/i.test(searched),
    saysPercent: /percent|%/i.test(searched),
    ratio: /\bratio\b/i.test(searched),
  };
}
