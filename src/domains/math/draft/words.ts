import type { Token } from "./token.ts";

/** Words between an operand and its operator. */
export const WORDS = 6;

/** Words that calculate. An operand beside one is part of something that is not read. */
const CALCULATES = new Set(
  (
    "half halves thirds quarter fourths fifths sixths eighths tenths twice thrice double triple dozen dozens hundred hundreds thousand" +
    " thousands million millions billion mod modulo squared cubed factorial choose remainder than percent minus plus"
  ).split(" "),
);

/** Words that begin a part of a sentence: they are no unit of the number in front. */
export const CONNECTIVES = new Set(
  "is are was were because since so then thus therefore but while if when which who".split(" "),
);

/** Also a part of a word: "two-thirds". */
export const calculates = (word: string): boolean => word.split("-").some((part) => CALCULATES.has(part));

/** The words from an index on, at most one too many, and the index behind them and behind the power of a unit: `cm^2`. */
export function wordsAt(
  tokens: readonly Token[],
  from: number,
): { readonly words: readonly string[]; readonly behind: number } {
  const words: string[] = [];
  let behind = from;
  while (tokens[behind]?.kind === "word" && words.length <= WORDS) words.push(tokens[behind++]?.text ?? "");
  const [power, exponent] = [tokens[behind], tokens[behind + 1]];
  if (words.length > 0 && power?.kind === "operator" && power.text === "^" && exponent?.kind === "number")
    behind += 2;
  if (words.length > 0 && power?.kind === "postfix" && power.text.startsWith("^")) behind += 1;
  return { words, behind };
}
