import type { Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import { withoutTextCommands } from "./clean.ts";
import { leadingUnit } from "../draft/units.ts";
import { changesNumber, deniesOrAdds } from "../words-that-calculate.ts";
import type { ValueShape } from "./shapes.ts";
import { withoutSign } from "./unit-sign.ts";
import { unitOf } from "./units.ts";

const CURRENCY = /^([-−]?)\s*(?:\\\$|\$|\\text\{\s*\\?\$\s*\}|[€£¢])\s*/;
const CURRENCY_BEHIND = /(?:\\\$|[$€£¢])$/;
const ORDINAL =
  /^(\d{1,20})\s*(?:st|nd|rd|th|\^\{?\s*(?:\\text|\\mathrm)?\s*\{?\s*(?:st|nd|rd|th)\s*\}?\s*\}?)$/;
const LETTER = String.raw`[mgshLl](?:\^\{?[23]\}?|[²³])?`;
/** `5 m`, `5 m/s`; a product would be written `5m`. */
const ONE_LETTER = new RegExp(String.raw`^([-−]?[\d.,{}]{1,40})\s+(${LETTER}(?:\s?/\s?${LETTER})?)$`);
/** `20^\circ C`, `20°\text{C}`: no multiple of C. */
const TEMPERATURE =
  /^([^°]{1,60}?)\s*(?:\^\s?\{?\s?(?:\\circ|°)\s?\}?|°|\\degree)\s*(?:\\(?:text|mathrm|mbox)\s*\{\s*)?([CF])(?:elsius|ahrenheit)?\s*\}?$/;
/** A unit, or another word, within the formula. */
const IN_TEXT = /\\(?:text|mbox|mathrm\s*\{\s*[a-zA-Z]{2})/;
const SCALE = /^\s*(hundred|thousand|million|billion|trillion)(?![a-z])\s*/i;
const SCALES: Readonly<Record<string, string>> = {
  hundred: "100",
  thousand: "1000",
  million: "10^6",
  billion: "10^9",
  trillion: "10^12",
};
const COMMAND = /\\[a-zA-Z]+/g;
/** Characters of a unit behind a number. */
const LONGEST_UNIT = 60;

const NUMBER_WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );

/** Start of the words at the end of a text, such as ` square feet` or ` cm^2`, behind all commands; its length where there are none. */
function unitStart(text: string): number {
  const command = [...text.matchAll(COMMAND)].at(-1);
  const least = Math.max(
    0,
    text.length - LONGEST_UNIT,
    command === undefined ? 0 : command.index + command[0].length,
  );
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
  const unsigned = withoutSign(expression);
  if (unsigned !== undefined) return make(text, unsigned.of, unit ?? unsigned.sign);
  return { kind: "value", text, expression, ...(unit !== undefined && { unit }) };
}

/** A value that was read from a part of the text. */
function asWritten(text: string, value: ValueShape | undefined): ValueShape | undefined {
  return value && { ...value, text };
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

/** Words behind a number: its unit, or none where they name what is counted. */
interface Behind {
  readonly unit?: string;
}

/** A longer name of a unit: `in` and `m` are mostly none in prose. */
const UNIT_WORD = /[a-zA-Z]{3,}/g;

/** Undefined where the words may change the number, deny it or add to it, or name two units: `5 dozen`, `5 feet six inches`. */
function readBehind(words: string): Behind | undefined {
  const whole = unitOf(words);
  if (whole !== undefined) return { unit: whole };
  if (changesNumber(words.replace(/^\s*percent/i, "")) || deniesOrAdds(words)) return undefined;
  const leading = /^\s*[a-zA-Z]{3}/.test(words) ? leadingUnit(words) : undefined;
  if (leading?.includes("/") === true) return { unit: leading };
  const units = (words.match(UNIT_WORD) ?? []).filter((word) => unitOf(word) !== undefined);
  if (leading !== undefined && units.length > 1) return undefined;
  return leading === undefined ? {} : { unit: leading };
}

/** A value without a currency in front; with a unit, or with the name of what is counted. */
function readPlain(text: string, unit?: string): ValueShape | undefined {
  const [, digits, letter = ""] = ONE_LETTER.exec(text) ?? [];
  if (digits !== undefined) return make(text, parseExpression(digits), unit ?? unitOf(letter));
  const [, degrees, scale = ""] = TEMPERATURE.exec(text) ?? [];
  if (degrees !== undefined) return make(text, parseExpression(degrees), unit ?? `°${scale}`);
  const [, place] = ORDINAL.exec(text) ?? [];
  if (place !== undefined) return make(text, parseExpression(place), unit);
  const whole = IN_TEXT.test(text) ? undefined : parseExpression(text);
  if (whole !== undefined) return make(text, whole, unit);
  const named = NUMBER_WORDS.indexOf(text.toLowerCase());
  if (named >= 0) return make(text, parseExpression(`${named}`), unit);
  const inText = texted(text);
  if (inText !== undefined) {
    const read = readBehind(inText[1]);
    return read && asWritten(text, readPlain(inText[0].trim(), unit ?? read.unit));
  }
  const plain = withoutTextCommands(text);
  const start = unitStart(plain);
  const behind = plain.slice(start);
  if (start === 0 || !/[a-zA-Z]{2}/.test(behind)) return undefined;
  // Of `$5/hour` the currency is the unit.
  const number = plain.slice(0, start).replace(unit === undefined ? /-\s*$/ : /[-/]\s*$/, "");
  const [scaled = "", power = ""] = SCALE.exec(behind) ?? [];
  const factor = power === "" ? "" : ` \\cdot ${SCALES[power.toLowerCase()]}`;
  const read = readBehind(behind.slice(scaled.length));
  return read && make(text, parseExpression(number + factor), unit ?? read.unit);
}

/** A number or a function, with currency or unit. Undefined where the text is none. */
export function readValue(text: string): ValueShape | undefined {
  const [sign, minus = ""] = CURRENCY.exec(text) ?? [];
  const [behind] = sign === undefined ? (CURRENCY_BEHIND.exec(text) ?? []) : [];
  if (behind !== undefined) return asWritten(text, readValue(behind + text.slice(0, -behind.length)));
  if (sign === undefined) return readPlain(text);
  const [currency] = /[€£¢]/.exec(sign) ?? ["$"];
  return asWritten(text, readPlain(minus + text.slice(sign.length), currency));
}
