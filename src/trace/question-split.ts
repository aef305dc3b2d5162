import { hashText } from "./hash.ts";

/** Some of `of` parts into which questions fall. */
export interface QuestionSplit {
  /** Which parts, counted from 1. */
  readonly parts: readonly number[];
  readonly of: number;
  /** Another seed deals the questions out anew. */
  readonly seed: number;
}

/** The seed that the data sets are shuffled with too (SPEC §7). */
export const SPLIT_SEED = 42;

/**
 * The part, from 1, that a question falls into: the low 32 bits of `hashText("<seed>:<question>")`, modulo `of`. The text of the
 * question decides, without the blanks around it, so that all tries at one question, of whatever run, are on the same side.
 */
export function partOf(question: string, { of, seed }: Pick<QuestionSplit, "of" | "seed">): number {
  return (Number.parseInt(hashText(`${seed}:${question.trim()}`).slice(-8), 16) % of) + 1;
}

export function isInSplit(question: string, split: QuestionSplit): boolean {
  return split.parts.includes(partOf(question, split));
}

/** `3/3` or `1,2/3`; undefined where the text is neither. */
export function parseSplit(text: string): Omit<QuestionSplit, "seed"> | undefined {
  const match = /^\s*(\d{1,4}(?:\s*,\s*\d{1,4})*)\s*\/\s*(\d{1,4})\s*$/.exec(text);
  if (match === null) return undefined;
  const of = Number(match[2]);
  const parts = [...new Set((match[1] ?? "").split(",").map(Number))];
  return parts.every((part) => part >= 1 && part <= of) ? { parts, of } : undefined;
}
