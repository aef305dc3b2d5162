/** Prompts that are looked at, the latest; and characters of each: a pasted log is no wish. */
const LATEST = 20;
const LOOKED_AT = 4_000;

/** A sentence with one of these says what must not be, or sets a limit: too uncertain to let anything through. */
const NEGATION =
  /\b(?:no|not|never|without|avoid|cannot|forbid(?:den)?|stop|refuse[sd]?|unless|instead of|rather than)\b|n['’]t\b|\bdont\b/i;
/** A sentence that only wants to know. */
const QUESTION = /^(?:why|how|what|when|where|which|who|does|did|is|are|was|were|has|have|should)\b/i;

/**
 * Whether the person's own words ask for something: the latest sentence that `wish` matches, of what the person said, neither forbids
 * it nor only asks about it. Lines that quote (`> …`) and fenced blocks do not count. Through "hasp", for guards that step aside.
 */
export function askedFor(ctx: { readonly prompts: readonly string[] }, wish: RegExp): boolean {
  const sentences = ctx.prompts.slice(-LATEST).flatMap(sentencesOf);
  const last = sentences.findLast((sentence) => sentence.search(wish) !== -1);
  return last !== undefined && !NEGATION.test(last) && !QUESTION.test(last);
}

function sentencesOf(prompt: string): string[] {
  const own = prompt
    .slice(0, LOOKED_AT)
    .replace(/```[^]*?(?:```|$)/g, "\n")
    .replace(/^\s*>.*$/gm, "");
  // A dot within a name, as in `.env` or `v1.2`, ends no sentence.
  return own
    .split(/[.!?;](?=\s|$)|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
