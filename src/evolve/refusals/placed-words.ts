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

/** A text as words that can be looked up. */
export interface PlacedText {
  readonly words: readonly PlacedWord[];
  /** The position of each word, in order. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** `wordsOf`, each with its line. */
export function placedText(text: string): PlacedText {
  const words = text.split("\n").flatMap((line, at) => wordsOf(line).map((word) => ({ word, line: at })));
  const places = new Map<string, number[]>();
  for (const [at, { word }] of words.entries()) {
    const known = places.get(word);
    if (known === undefined) places.set(word, [at]);
    else known.push(at);
  }
  return { words, places };
}

/** Positions at which these words begin, one behind the other. */
export function placesOf(phrase: readonly string[], { words, places }: PlacedText): readonly number[] {
  const [first = ""] = phrase;
  const begins = places.get(first) ?? [];
  return begins.filter((at) => phrase.every((one, i) => words[at + i]?.word === one));
}
