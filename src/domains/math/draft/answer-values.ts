import { variablesOf, type Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import { readValue } from "../judge/read-value.ts";
import { answerText } from "./answer-text.ts";
import { LIST_SEPARATOR, splitUnit } from "./answer.ts";

/** Characters of an answer that are read, and values of it. */
const LONGEST = 300;
const MOST = 10;

/** One value of an answer. */
export interface AnswerValue {
  readonly text: string;
  readonly expression: Expression;
  /** The letter in front: `x = 5`. */
  readonly variable?: string;
}

const LAYOUT = /\\(?:left|right|displaystyle)(?![a-zA-Z])|\\[,;:! ]/g;
const SET = /^\\?\{(.*?)\\?\}$/s;
const BOTH_SIGNS = /±|\\pm(?![a-zA-Z])/;
/** In front of the first `=`: the letter, and words before it. */
const NAME = /^(?:[a-zA-Z ]{1,40} )?([a-zA-Z])(?:_\{?\d{1,3}\}?)?$/;

/** Values that an answer lists: `x = 2 \text{ or } x = -3`. None where a part of it has no value. */
export function valuesOf(answer: string): readonly AnswerValue[] {
  const text = answerText(answer);
  if (text.length > LONGEST) return [];
  const inside = SET.exec(text.replaceAll(/\\(?:left|right)(?![a-zA-Z])/g, "").trim())?.[1] ?? text;
  const parts = inside.split(LIST_SEPARATOR).filter((part) => part.trim() !== "");
  const values = parts.map((part) => valuesIn(part.replaceAll(LAYOUT, "").trim()));
  const known = values.filter((value) => value !== undefined).flat();
  return values.includes(undefined) || known.length > MOST ? [] : known;
}

/** The value of `x = 10/2 = 5`; two of `±5`. Undefined where a side of it has no value. */
function valuesIn(part: string): readonly AnswerValue[] | undefined {
  const sides = part.split("=").map((side) => side.trim());
  const variable = sides.length > 1 ? NAME.exec(sides[0] ?? "")?.[1] : undefined;
  const values = (variable === undefined ? sides : sides.slice(1)).map(valuesOfSide);
  const last = values.at(-1);
  if (last === undefined || values.includes(undefined)) return undefined;
  return variable === undefined ? last : last.map((value) => ({ ...value, variable }));
}

function valuesOfSide(side: string): readonly AnswerValue[] | undefined {
  const signs = BOTH_SIGNS.test(side) ? ["+", "-"] : [""];
  const values = signs.map((sign) =>
    valueOf(
      side
        .replace(BOTH_SIGNS, sign)
        .replace(/^\+\s*/, "")
        .replace(/^- /, "-"),
    ),
  );
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Without its unit. A percentage may stand for a number or for its hundredth. */
function valueOf(text: string): AnswerValue | undefined {
  const { core, unit } = splitUnit(text);
  const expression = unit === "%" ? undefined : (parseExpression(core) ?? readValue(core)?.expression);
  return expression && variablesOf(expression).length === 0 ? { text: core, expression } : undefined;
}
