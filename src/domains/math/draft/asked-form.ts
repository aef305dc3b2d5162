import type { AnswerForm, Asked } from "../math-types.d.ts";
import type { Asking } from "./asking.ts";

type AskedForm = NonNullable<Asked["form"]>;

const NUMBER: readonly AnswerForm[] = [
  "integer",
  "fraction",
  "decimal",
  "percent",
  "root",
  "expression",
  "equation",
];
const WHOLE: readonly AnswerForm[] = ["integer"];

/** Words about the form of the answer, and the forms that fit. */
const FORMS: readonly (readonly [RegExp, readonly AnswerForm[]])[] = [
  [/\b(?:as|is) an? (?:integer|whole number) (?:from|between) \d+ (?:to|and|through) \d+/i, WHOLE],
  [/\bas a single fraction\b/i, ["fraction", "integer", "expression"]],
  [/\bas an? (?:common|simplified|reduced|improper) fraction\b/i, ["fraction", "integer"]],
  [/\bas an? (?:reduced |simplified )?fraction\b/i, ["fraction", "integer"]],
  [/\b(?:as|to) an? mixed number\b/i, ["fraction", "integer"]],
  [/\bas an? decimal\b/i, ["decimal", "integer"]],
  [/\bas an? percent(?:age)?\b/i, ["percent", "integer", "decimal", "fraction"]],
  [/\bto the nearest (?:whole number|integer|whole percent)\b/i, ["integer", "percent"]],
  [/\bto the nearest (?:tenth|hundredth|thousandth|cent)\b/i, ["decimal", "integer", "percent"]],
  [/\bas an ordered (?:pair|triple|quadruple)\b/i, ["tuple"]],
  [/\b(?:in|using) interval notation\b/i, ["interval", "tuple", "set"]],
  [/\bin terms of \\?(?:pi\b|π)/i, ["expression"]],
  [/\bin terms of (?:[b-zB-HJ-Z]\b|a(?=[,.?;]|$| and\b))/, ["expression", "equation", "tuple", "set"]],
  [/\b(?:as a set|in set notation)\b/i, ["set"]],
  [/\bin simplest radical form\b|\bin radical form\b/i, ["root", "integer", "fraction", "expression"]],
];
/** Characters of the words that are quoted. */
const LONGEST = 100;
const HOW_MANY = /^how many\b/i;
/** "can be written as m/n … Find m + n": a whole number made of the parts. */
const PARTS =
  /\b(?:relatively prime|in the form|as the form|of the form|written as|expressed as|simplified fraction)\b/i;
const COMBINED =
  /\b(?:find|what is|compute|determine|calculate) (?:the (?:value of|sum) )?([a-z](?: ?[+-] ?[a-z]){1,4})(?![\w^])/i;

/** The form in which the question wants its answer, as its words say. */
export function readAskedForm(asking: Asking, question: string): AskedForm | undefined {
  const combined = combinedParts(asking, question);
  if (combined !== undefined) return { words: combined, wanted: WHOLE };
  const named = namedForms(asking.end);
  if (named !== undefined) return named;
  const [howMany] = HOW_MANY.exec(asking.clause) ?? [];
  return howMany === undefined ? undefined : { words: howMany, wanted: NUMBER };
}

/** All forms that the words name: "as a common fraction in terms of pi". Of words that are far apart the first are quoted. */
function namedForms(end: string): AskedForm | undefined {
  const found = FORMS.flatMap(([pattern, wanted]) => {
    const match = pattern.exec(end);
    return match === null ? [] : [{ at: match.index, behind: match.index + match[0].length, wanted }];
  }).toSorted((a, b) => a.at - b.at);
  const [first] = found;
  if (first === undefined) return undefined;
  const behind = Math.max(...found.map((one) => one.behind));
  const words = end.slice(first.at, behind - first.at > LONGEST ? first.behind : behind);
  return { words, wanted: [...new Set(found.flatMap(({ wanted }) => wanted))] };
}

/** `m+n`, where the question asks for that of a number which it writes with these letters. */
export function combinedParts({ clause, end }: Asking, question: string): string | undefined {
  const letters = COMBINED.exec(clause)?.[1] ?? COMBINED.exec(end)?.[1];
  return letters !== undefined && PARTS.test(question.slice(-2_000)) ? letters : undefined;
}
