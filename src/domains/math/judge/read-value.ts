import type { Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import { withoutTextCommands } from "./clean.ts";
import type { ValueShape } from "./shapes.ts";
import { unitOf } from "./units.ts";

const CURRENCY = /^([-−]?)\s*(?:\\\$|\$|\\text\{\s*\\?\$\s*\}|€|£)\s*/;
const SIGNS: Readonly<Record<string, string>> = { "€": "€", "£": "£" };
const ORDINAL =
  /^(\d{1,20})\s*(?:st|nd|rd|th|\^\{?\s*(?:\\text|\\mathrm)?\s*\{?\s*(?:st|nd|rd|th)\s*\}?\s*\}?)$/;
/** `5 m`; a product would be written `5m`. */
const ONE_LETTER = /^([-−]?[\d.,{}]{1,40})\s+([mgshLl])$/;
/** Characters of a unit behind a number. */
const LONGEST_UNIT = 60;

const NUMBER_WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );

/** Start of the words at the end of a text, such as ` square feet` or ` cm^2`; its length where there are none. */
function unitStart(text: string): number {
  const least = Math.max(0, text.length - LONGEST_UNIT);
  let start = text.length;
  for (let at = text.length - 1; at >= least; at -= 1) {
    const char = text[at] ?? "";
    if (/[a-zA-Z]/.test(char)) start = at;
    else if (!/[\s./^²³'¢°%-]/.test(char) && !/\^\{?\d?$/.test(text.slice(Math.max(0, at - 2), at))) break;
  }
  return start;
}

function make(text: string, expression: Expression | undefined, unit?: string): ValueShape | undefined {
  if (expression === undefined) return undefined;
  if (expression.kind === "percent") return make(text, expression.of, unit ?? "%");
  if (expression.kind === "degree") return make(text, expression.of, unit ?? "°");
  return { kind: "value", text, expression, ...(unit !== undefined && { unit }) };
}

/** Unit in `\text{…}` at the end, with its exponent: `5\text{ cm}^2`. */
function texted(text: string): readonly [string, string] | undefined {
  const start = Math.max(
    text.lastIndexOf("\\text"),
    text.lastIndexOf("\\mathrm"),
    text.lastIndexOf("\\mbox"),
  );
  if (start <= 0) return undefined;
  const [, unit = "", power = ""] =
    /^\\(?:text(?:bf|it|rm)?|mathrm|mbox)\s*\{([^{}]*)\}\s*((?:\^\{?\d\}?)?)$/.exec(text.slice(start)) ?? [];
  return unit === "" ? undefined : [text.slice(0, start), unit.trim() + power];
}

/** A value without a currency in front; with a unit, or with the name of what is counted. */
function readPlain(text: string, unit?: string): ValueShape | undefined {
  const [, digits, letter = ""] = ONE_LETTER.exec(text) ?? [];
  if (digits !== undefined) return make(text, parseExpression(digits), unit ?? unitOf(letter));
  const [, place] = ORDINAL.exec(text) ?? [];
  if (place !== undefined) return make(text, parseExpression(place), unit);
  const whole = text.includes("\\text") || text.includes("\\mbox") ? undefined : parseExpression(text);
  if (whole !== undefined) return make(text, whole, unit);
  const number = NUMBER_WORDS.indexOf(text.toLowerCase());
  if (number >= 0) return make(text, parseExpression(`${number}`), unit);
  const inText = texted(text);
  if (inText !== undefined) return readPlain(inText[0].trim(), unit ?? unitOf(inText[1]));
  const plain = withoutTextCommands(text);
  const start = unitStart(plain);
  const behind = plain.slice(start);
  if (start === 0 || !/[a-zA-Z]{2}/.test(behind)) return undefined;
  return make(text, parseExpression(plain.slice(0, start).replace(/-\s*$/, "")), unit ?? unitOf(behind));
}

/** A number or a function, with currency or unit. Undefined where the text is none. */
export function readValue(text: string): ValueShape | undefined {
  const [sign, minus = ""] = CURRENCY.exec(text) ?? [];
  if (sign === undefined) return readPlain(text);
  const currency = SIGNS[sign.trim().at(-1) ?? ""] ?? "$";
  const value = readPlain(minus + text.slice(sign.length), currency);
  return value && { ...value, text };
}
