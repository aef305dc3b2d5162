import { exactValue } from "../expression/evaluate.ts";
import { partsOf, type Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import { readValue } from "../judge/read-value.ts";
import { toText } from "../expression/rational.ts";
import type { AnswerForm, DraftAnswer } from "../math-types.d.ts";
import { answerText } from "./answer-text.ts";
import { simplestForm } from "./simplest.ts";
import { unitInThought } from "./unit-in-thought.ts";
import { leadingUnit } from "./units.ts";

/** Characters of an answer that is read; a longer one is words. */
const LONGEST = 2_000;

/** `x = 3`, with the part behind the sign. */
const SOLVED = /^[a-zA-Z]\s*=([^=<>≤≥≠]+)$/;

/** Reads a proposed answer: text, exact value, unit, form, and its simplest form where it is in another. The thought may have its unit. */
export function readAnswer(proposed: string, thought: string): DraftAnswer {
  const text = answerText(proposed);
  if (text === "") return { text, form: "none" };
  if (text.length > LONGEST) return { text: text.slice(0, LONGEST), form: "words" };
  const [, solved] = SOLVED.exec(text) ?? [];
  const { core, unit = unitInThought(core, thought) } = splitUnit(solved?.trim() ?? text);
  // "seven", "7th", "2 million": the judge reads these as values.
  const expression = parseExpression(core) ?? readValue(core)?.expression;
  const value = expression && exactValue(expression);
  const form = solved === undefined || isTuple(solved) ? formOf(core, expression, unit) : "equation";
  const simplest = expression && simplestForm(core, expression);
  const name = unit === undefined ? undefined : leadingUnit(unit);
  return {
    text,
    ...(value !== undefined && { value: toText(value) }),
    ...(unit !== undefined && { unit }),
    ...(name !== undefined && { unitName: name }),
    form,
    ...(simplest !== undefined && { simplest }),
  };
}

const MONEY = /^(-?)\s?(\\\$|[$€£])\s?(.*)$/su;
const PERCENT = /^(.*[^\s\\])\s?(\\?%)$/su;
const DEGREES = /^(.*\S)\s?(\^\{?\\circ\}?|\\degree|°)\s?[CF]?$/su;
const TEXT_BEHIND = /^(.*\S)\s?\\(?:text|mathrm|mbox)\s?\{([^{}]*)\}\s?((?:\^\{?[23]\}?|[²³])?)$/su;
const LETTERS_BEHIND = /^(-?[\d.,]+)((?:[a-zA-Z]{1,4}|¢)(?:\^[23]|[²³])?)$/u;
/** Words that go on with mathematics instead of naming a unit. */
const NO_UNIT =
  /^(?:hundred|thousand|million|billion|trillion|pi|and|or|times|sqrt|over|plus|minus|to|mod|divided|is|are)\b/i;
const LONGEST_UNIT = 60;

interface Split {
  readonly core: string;
  readonly unit?: string;
}

/** A number and the unit in front of it or behind it. */
export function splitUnit(text: string): Split {
  const [, sign = "", money, amount] = MONEY.exec(text) ?? [];
  if (money !== undefined && amount !== undefined) return moneyOf(money.slice(-1), sign, wordsBehind(amount));
  const [, percentage, percent] = PERCENT.exec(text) ?? [];
  if (percentage !== undefined && percent !== undefined) return { core: percentage, unit: "%" };
  const [, angle, degrees] = DEGREES.exec(text) ?? [];
  if (angle !== undefined && degrees !== undefined) return { core: angle, unit: degrees };
  const [, before, inner, exponent = ""] = TEXT_BEHIND.exec(text) ?? [];
  if (before !== undefined && inner !== undefined) return withUnit(text, before, inner.trim() + exponent);
  const [, number, letters] = LETTERS_BEHIND.exec(text) ?? [];
  if (number !== undefined && letters !== undefined && leadingUnit(letters) !== undefined)
    return { core: number, unit: letters };
  return wordsBehind(text);
}

/** "$12.50 per hour" is a rate; other words behind an amount do not change its unit. */
function moneyOf(unit: string, sign: string, { core, unit: words = "" }: Split): Split {
  return { core: sign + core, unit: /^(?:per|an?|each|every)\b/.test(words) ? `${unit} ${words}` : unit };
}

function withUnit(text: string, before: string, unit: string): Split {
  const core = before.replace(/(?:\\[,;:! ]|~|\s)+$/, "");
  return unit === "" || !/\d/.test(core) ? { core: text } : { core, unit };
}

/** A number, and words behind it: "3 1/2 cups of flour". */
function wordsBehind(text: string): Split {
  const at = /\s[a-zA-Z]/.exec(text)?.index;
  if (at === undefined) return { core: text };
  const [core, unit] = [text.slice(0, at), text.slice(at + 1)];
  const isUnit = unit.length <= LONGEST_UNIT && !NO_UNIT.test(unit) && !/[=+*\\()]/.test(unit);
  return isUnit && isNumber(parseExpression(core)) ? { core, unit } : { core: text };
}

function isNumber(expression: Expression | undefined): boolean {
  return expression !== undefined && exactValue(expression) !== undefined;
}

const INTEGER = /^[-+−]?\d+$|^[-+−]?\d{1,3}(?:(?:,\\!|\{,\}|\\,|,| )\d{3})+$/;
const DECIMAL = /^[-+−]?[\d,]*\.\d+$/;
const FRACTION =
  /^[-+−]?(?:\d+(?:\s|\\,)?)?(?:\d+\s?\/\s?\d+|\\[dt]?frac\s?(?:\{\s?-?[\d.]+\s?\}\s?\{\s?-?[\d.]+\s?\}|\d\s?\d))$/;
const RELATION = /(?<![<>≤≥])=|[<>≤≥≠≈]|\\(?:leq?|geq?|neq?|approx)\b/;

/** `(x, y) = (4, 3)`, with the tuple behind the sign. */
const NAMED_TUPLE = /^(?:\\left)?\(\s*[a-zA-Z](?:\s*,\s*[a-zA-Z]){0,5}\s*(?:\\right)?\)\s*=([^=]+)$/;

const isTuple = (text: string): boolean => listForm(text.trim()) === "tuple";

function formOf(core: string, expression: Expression | undefined, unit: string | undefined): AnswerForm {
  if (isTuple(NAMED_TUPLE.exec(core)?.[1] ?? "")) return "tuple";
  if (INTEGER.test(core) || DECIMAL.test(core) || FRACTION.test(core)) return numberForm(core, unit);
  if (RELATION.test(core)) return "equation";
  return expression === undefined ? listForm(core) : expressionForm(expression);
}

function numberForm(core: string, unit: string | undefined): AnswerForm {
  if (unit === "%") return "percent";
  if (INTEGER.test(core)) return "integer";
  return DECIMAL.test(core) ? "decimal" : "fraction";
}

function expressionForm(expression: Expression): AnswerForm {
  if (expression.kind === "number") return expression.value.den === 1n ? "integer" : "decimal";
  const isOfNumbers = !has(expression, ({ kind }) => kind === "variable" || kind === "constant");
  const isRoot = isOfNumbers && has(expression, (part) => part.kind === "call" && part.name === "sqrt");
  return isRoot ? "root" : "expression";
}

function has(expression: Expression, asked: (part: Expression) => boolean): boolean {
  return asked(expression) || partsOf(expression).some((part) => has(part, asked));
}

const INTERVAL = /^(?:\\left)?([[(]).*,.*([\])])$/su;

/** Of what is no expression: `(1, 2)`, `\{1, 2\}`, `1, 2`, `[0, 1)`; words otherwise. */
function listForm(core: string): AnswerForm {
  if (/\\cup|∪/.test(core)) return "interval";
  if (/^(?:\\left)?\\?\{/.test(core) || /\\emptyset|∅|\\varnothing/.test(core)) return "set";
  const [, open, close] = INTERVAL.exec(core) ?? [];
  if (open === undefined) return isList(core) ? "set" : "words";
  if (open !== "(" || close !== ")" || /\\infty|∞|\binf/.test(core)) return "interval";
  return "tuple";
}

/** Between the entries of a list; a comma may also be one of a number. */
export const LIST_SEPARATOR = /;|,(?![\\!]|\d{3}\b)|\band\b|\bor\b|\\text\s?\{\s?(?:and|or)\s?\}/;

/** Values between commas or "and". */
function isList(core: string): boolean {
  const entries = core.split(LIST_SEPARATOR).filter((one) => one.trim() !== "");
  return (
    entries.length > 1 && entries.length <= 100 && entries.every((one) => parseExpression(one) !== undefined)
  );
}
