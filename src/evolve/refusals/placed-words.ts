/** A word of a text, in lower case. */
export interface PlacedWord {
  readonly word: string;
  /** 0-based. */
  readonly line: number;
}

/** English articles say nothing: HotpotQA's comparison of answers leaves them out, too. */
const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "the"]);
const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a text in order, in lower case and without articles. */
export function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(WORD) ?? []).filter((word) => !ARTICLES.has(word));
}

/** `wordsOf`, each with its line. */
export function placedWords(text: string): readonly PlacedWord[] {
  return text.split("\n").flatMap((line, at) => wordsOf(line).map((word) => ({ word, line: at })));
}

/** Where these words begin, one behind the other. */
export function placesOf(phrase: readonly string[], words: readonly PlacedWord[]): readonly number[] {
  const [first] = phrase;
  if (first === undefined) return [];
  return words.flatMap(({ word }, at) =>
    word === first && phrase.every((one, i) => words[at + i]?.word === one) ? [at] : [],
  );
}
