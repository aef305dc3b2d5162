/** What kind of question it is, by its words alone (SPEC §4, "PFSelector"). */
export type QuestionKind = "computation" | "factoid" | "multi_hop";

/** Signs in a question that several facts have to be chained. */
export interface QuestionSigns {
  readonly words: number;
  /** Relative clauses, possessives, "of the" links, comparisons. */
  readonly hops: number;
  /** Phrases that restrict the answer: before 1990, other than, at least, only. */
  readonly constraints: number;
}

const RELATIVE = /(?:(?<=[\p{L}\d"”)] )|, )(?:who|whom|whose|which|that|where)\b/giu;
const POSSESSIVE = /\p{L}['’]s?(?= \p{L})/giu;
const OF_THE = /\p{L}+ (?:of|by|in|from) (?:the|a|an) \p{L}/giu;
const COMPARISON =
  /\b(?:both|older|younger|earlier|later|first|longer|larger|more|same|which of|between|than)\b|\bor\b/gi;
const CONSTRAINT =
  /\b(?:before|after|between|during|since|until|other than|except|excluding|not|never|only|at least|at most|more than|less than|no later than)\b|\b\d{4}\b/gi;
const COMPUTATION =
  /\b(?:calculate|compute|sum of|difference between the|product of|percent(?:age)? of|multipl(?:y|ied)|divided? by|square root)\b|\d\s*[-+*/×÷^]\s*\d/i;

const hits = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Characters of a question that are looked at. */
const LOOKED_AT = 4_000;

export function signsOf(question: string): QuestionSigns {
  const text = question.slice(0, LOOKED_AT);
  return {
    words: hits(text, /\S+/g),
    hops: [RELATIVE, POSSESSIVE, OF_THE, COMPARISON].reduce((sum, pattern) => sum + hits(text, pattern), 0),
    constraints: hits(text, CONSTRAINT),
  };
}

/** A simple question names what it asks about: few words, and nothing to chain. */
const FACTOID_WORDS = 12;

export function kindOf(question: string): QuestionKind {
  if (COMPUTATION.test(question.slice(0, LOOKED_AT))) return "computation";
  const { words, hops } = signsOf(question);
  return hops === 0 && words <= FACTOID_WORDS ? "factoid" : "multi_hop";
}
