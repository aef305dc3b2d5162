import { normaliseAnswer } from "../scoring/exact-match.ts";

/** Equal for two questions that differ in case, marks, articles or blanks alone. */
export const questionKey = (question: string): string => normaliseAnswer(question) || question.trim();
