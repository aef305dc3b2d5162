import { normaliseAnswer } from "./exact-match.ts";

/** How far the words of an answer and of an accepted answer overlap; each from 0 to 1. */
export interface Overlap {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
}

const NONE: Overlap = { f1: 0, precision: 0, recall: 0 };
/** Answers of one word that say everything: next to them an overlap of words means nothing. */
const CLOSED = new Set(["yes", "no", "noanswer"]);

function sharedWords(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of b) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared++;
    left.set(word, count - 1);
  }
  return shared;
}

const wordsOf = (normal: string): readonly string[] => (normal === "" ? [] : normal.split(" "));

function overlap(answer: string, accepted: string): Overlap {
  const [given, wanted] = [normaliseAnswer(answer), normaliseAnswer(accepted)];
  if (given !== wanted && (CLOSED.has(given) || CLOSED.has(wanted))) return NONE;
  const [words, wantedWords] = [wordsOf(given), wordsOf(wanted)];
  const shared = sharedWords(words, wantedWords);
  if (shared === 0) return NONE;
  const [precision, recall] = [shared / words.length, shared / wantedWords.length];
  return { f1: (2 * precision * recall) / (precision + recall), precision, recall };
}

/**
 * F1 of the words after normalisation, as HotpotQA's official evaluation counts it (SPEC §9): repeated words count as often as both
 * have them, and a `yes`, `no` or `noanswer` on one side is worth nothing unless the other is the same. Of several accepted answers
 * the one with the best F1 counts. An answer that normalises to nothing has an F1 of 0 even where it matches exactly, as there.
 */
export function wordOverlap(answer: string, gold: readonly string[]): Overlap {
  return gold.map((accepted) => overlap(answer, accepted)).reduce((a, b) => (b.f1 > a.f1 ? b : a), NONE);
}

/** `wordOverlap`, its F1 alone. */
export function tokenF1(answer: string, gold: readonly string[]): number {
  return wordOverlap(answer, gold).f1;
}
