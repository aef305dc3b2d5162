import { findAnswer } from "../find-answer.ts";

/** Characters from the end of a text in which its answer is looked for. */
const LOOKED_AT = 20_000;

/** Signs of LaTeX that enclose mathematics. */
const DELIMITERS = /\\[()[\]]|\$\$/g;
/** An escaped one is money. */
const DOLLAR = /(?<!\\)\$/g;
/** In front of a bare value: `= 5`, `≈ 3.1`. */
const RELATION = /^(?:=|≈|~|\\approx(?![a-zA-Z]))\s*/;
const BEHIND_CONNECTIVE = /^(?:therefore|thus|so|hence),?\s/i;

/** The answer of a text without box, label, sign of equality in front, full stop and dollar signs of LaTeX; empty where there is none. */
export function answerText(text: string): string {
  const found = findAnswer(text.slice(-LOOKED_AT))?.text ?? "";
  const plain = withoutDollars(found.replace(BEHIND_CONNECTIVE, ""))
    .replaceAll(DELIMITERS, " ")
    .trim()
    .replace(RELATION, "");
  return /[^.]\.$/.test(plain) ? plain.slice(0, -1).trim() : plain;
}

/** Dollar signs that come in pairs enclose mathematics; one alone is money. */
function withoutDollars(text: string): string {
  const signs = text.match(DOLLAR)?.length ?? 0;
  return signs > 0 && signs % 2 === 0 ? text.replaceAll(DOLLAR, "") : text;
}
