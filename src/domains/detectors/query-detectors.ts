import { SEARCH } from "../../model/action-types.ts";
import { contentWords } from "../../model/content-words.ts";
import { wordsOf } from "../../model/words.ts";
import { shown, type Detector, type SeenStep } from "./episode-view.ts";

/**
 * A query of so few content words names no more than a subject. On the Reflexion episodes such a query that came back without an answer is
 * in 25% of failed and 15% of right ones; with three words it would be in 39% and 22%.
 */
const BROAD_WORDS = 2;
/** SPEC §1: a longer search asks for everything at once. */
const LONG_QUERY_WORDS = 15;
/** The page lists the meanings of a name instead of describing one. */
const AMBIGUOUS = /\b(?:may|can)(?: also)? refer to\b|\bdisambiguation\b/i;
/** An ambiguous page says so at its beginning. Characters. */
const BEGINNING = 300;
/** Words between quotation marks; one word is no phrase. */
const QUOTED_PHRASE = /"[^"]*\S\s+\S[^"]*"|“[^”]*\S\s+\S[^”]*”/;

const isSearch = ({ step }: SeenStep): boolean => step.executed.type === SEARCH;

function isTooBroad({ step, brought }: SeenStep): boolean {
  const words = contentWords(step.executed.arg).size;
  if (words > BROAD_WORDS) return false;
  return !brought || AMBIGUOUS.test(step.observation.slice(0, BEGINNING));
}

function isTooNarrow({ step, brought }: SeenStep): boolean {
  const { arg } = step.executed;
  return wordsOf(arg).length > LONG_QUERY_WORDS || (!brought && QUOTED_PHRASE.test(arg));
}

const searches = (n: number): string => (n === 1 ? "1 search" : `${n} searches`);

export const queryTooBroad: Detector = ({ steps }) =>
  shown(
    steps.filter((one) => isSearch(one) && isTooBroad(one)),
    (n) => `${searches(n)} of at most ${BROAD_WORDS} content words found nothing, or a page of many meanings`,
  );

export const queryTooNarrow: Detector = ({ steps }) =>
  shown(
    steps.filter((one) => isSearch(one) && isTooNarrow(one)),
    (n) => `${searches(n)} of over ${LONG_QUERY_WORDS} words, or for a quoted phrase that was not found`,
  );
