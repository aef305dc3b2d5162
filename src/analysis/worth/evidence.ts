import type { Passage } from "../../domains/environment.ts";
import { normaliseAnswer } from "../../scoring/exact-match.ts";

/** A search can find the answer of a question, or a page that supports it. */
export interface Evidence {
  /** Normalised. */
  readonly gold: readonly string[];
  /** Normalised titles. */
  readonly pages: ReadonlySet<string>;
}

/** In nearly every text; finding one says nothing. */
const EVERYWHERE: ReadonlySet<string> = new Set(["", "yes", "no"]);

/** The evidence of a question. Neither part of it where the answer is yes or no and no page is known. */
export function evidenceOf(gold: readonly string[], pages: Iterable<string> = []): Evidence {
  return {
    gold: gold.map(normaliseAnswer).filter((one) => !EVERYWHERE.has(one)),
    pages: new Set([...pages].map(normaliseAnswer)),
  };
}

export const isKnown = ({ gold, pages }: Evidence): boolean => gold.length > 0 || pages.size > 0;

/** Whether the words of `part` come one behind the other in `whole`; both normalised. */
const holds = (whole: string, part: string): boolean => ` ${whole} `.includes(` ${part} `);

/** The pieces of evidence in a text: `GOLD`, and titles of supporting pages that it names. */
export function evidenceIn(text: string, { gold, pages }: Evidence): ReadonlySet<string> {
  const plain = normaliseAnswer(text);
  const found = new Set([...pages].filter((title) => holds(plain, title)));
  if (gold.some((one) => holds(plain, one))) found.add(GOLD);
  return found;
}

/** The pieces of evidence in the results of a search: a supporting page counts where it is a result itself. */
export function evidenceInResults(
  results: readonly Passage[],
  { gold, pages }: Evidence,
): ReadonlySet<string> {
  const found = new Set(
    results.map(({ title }) => normaliseAnswer(title)).filter((title) => pages.has(title)),
  );
  const hasGold = results.some(({ title, text }) => {
    const plain = normaliseAnswer(`${title} ${text}`);
    return gold.some((one) => holds(plain, one));
  });
  if (hasGold) found.add(GOLD);
  return found;
}

/** A piece of evidence that is no title: a normalised title holds no punctuation. */
const GOLD = "<gold>";

/** Whether results bring evidence that the episode had not seen. */
export const bringsNew = (found: ReadonlySet<string>, seen: ReadonlySet<string>): boolean =>
  [...found].some((piece) => !seen.has(piece));
