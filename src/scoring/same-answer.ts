import { normaliseAnswer } from "./exact-match.ts";

/** What makes no difference between two answers, as the prompt says it of questions that ask for a few words. */
export const SAME_ANSWER = `- Wording, spelling, order, titles, units and how precisely a name is written do not matter, as long as the same thing is
  meant. \`J. F. Kennedy\` and \`John Fitzgerald Kennedy\` are the same; so are \`1 May 1990\` and \`May 1, 1990\`.
- More detail than the reference is fine where it does not contradict it. Less is not fine where the question asks for it:
  a year does not answer a question for a day.`;

/** What makes no difference between two answers of a domain. */
export interface Likeness {
  /** For a model, as a list. */
  readonly words: string;
  /** Equal for two answers between which there is none. */
  readonly key: (answer: string) => string;
}

/** Of answers of a few words. */
export const LIKE_WORDS: Likeness = { words: SAME_ANSWER, key: normaliseAnswer };
