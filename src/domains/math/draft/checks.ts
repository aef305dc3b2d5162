import { exactValue } from "../expression/evaluate.ts";
import { numericValue } from "../expression/numeric.ts";
import { variablesOf, type Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import { equal, toText } from "../expression/rational.ts";
import type { AnswerCheck } from "../math-types.d.ts";
import { linksOf, quoted } from "./links.ts";
import { openEquation, type OpenEquation } from "./solved.ts";
import { tokensOf } from "./tokens.ts";

/** Characters of a question and of an answer that are read; equations of a question, and values of an answer. */
const QUESTION = 4_000;
const ANSWER = 300;
const EQUATIONS = 5;
const VALUES = 10;
/** Part by which sides in floating point may differ. */
const NOISE = 1e-9;

const BOX = /\\f?boxed\s?\{(.*)\}/s;
const LAYOUT = /\$|\\[()[\]{},;!: ]|\\(?:left|right|displaystyle|text\s?\{(?:and|or)\})|[{}]$|^[{}]/g;
const BETWEEN = /[,;]|\b(?:and|or)\b/;
/** Something made of the variable's values is asked for, or a value that is not exact. */
const MADE_OF =
  /\b(?:sum|product|difference|how many|number of|average|mean|total|ratio|maximum|minimum|in terms of|nearest|round\w*|approximat\w*)\b/i;
const ASKS = String.raw`\b(?:what (?:is|are|does|must)|find|solve|determine|compute|calculate|values? of|value does|solutions?|roots?)\b`;

/** Equations of the question in one variable whose value it asks for, with each value of the answer put in. */
export function checksOf(question: string, answer: string): readonly AnswerCheck[] {
  const text = question.slice(0, QUESTION);
  const equations = linksOf(tokensOf(text)).flatMap((link) => {
    const equation = openEquation(link);
    return equation && asksFor(text, equation.variable)
      ? [{ ...equation, text: quoted(text, link.start, link.end) }]
      : [];
  });
  const values = equations.length === 0 ? [] : valuesOf(answer);
  return equations
    .slice(0, EQUATIONS)
    .flatMap((equation) => values.flatMap((value) => putIn(equation, value) ?? []));
}

/** The question asks for the variable itself: "what is x", and not "what is x + 1", "find f(x)" or "the sum of all x". */
function asksFor(question: string, variable: string): boolean {
  if (!/^[A-Za-z]$/.test(variable) || MADE_OF.test(question)) return false;
  const alone = String.raw`(?<![-+*/^=|<>(\\]\s?)\b${variable}\b(?!\s?[-+*/^=|<>(\\])`;
  const behind = /^[aAI]$/.test(variable)
    ? String.raw`(?=\s*(?:$|[.?,:;]|(?:such|if|when|that|in|for|given)\b))`
    : "";
  const plain = question.replaceAll(/\$|\\[()[\]]/g, "");
  return new RegExp(`${ASKS}[^.?!]{0,60}?${alone}${behind}`, "i").test(plain);
}

/** Values that an answer lists: `x = 2 \text{ or } x = -3`. None where a part of it has no value. */
function valuesOf(answer: string): readonly Value[] {
  if (answer.length > ANSWER) return [];
  const inside = BOX.exec(answer)?.[1] ?? answer;
  const parts = inside
    .replaceAll(LAYOUT, " ")
    .trim()
    .split(BETWEEN)
    .filter((part) => part.trim() !== "");
  const values = parts.flatMap((part) => {
    const text = part.replace(/^.*=/s, "").trim();
    const expression = parseExpression(text);
    return expression === undefined || variablesOf(expression).length > 0 ? [] : [{ text, expression }];
  });
  return values.length === parts.length && values.length <= VALUES ? values : [];
}

interface Value {
  readonly text: string;
  readonly expression: Expression;
}

function putIn(equation: OpenEquation & { readonly text: string }, value: Value): AnswerCheck | undefined {
  const { text, variable } = equation;
  const left = withValue(equation.left, variable, value.expression);
  const right = withValue(equation.right, variable, value.expression);
  const sides = exactSides(left, right) ?? numericSides(left, right);
  return sides && { equation: text, variable, value: value.text, ...sides };
}

function withValue(expression: Expression, variable: string, value: Expression): Expression {
  const inside = (part: Expression): Expression => withValue(part, variable, value);
  if (expression.kind === "variable") return expression.name === variable ? value : expression;
  if (expression.kind === "call") return { ...expression, args: expression.args.map(inside) };
  if ("left" in expression)
    return { ...expression, left: inside(expression.left), right: inside(expression.right) };
  return "of" in expression ? { ...expression, of: inside(expression.of) } : expression;
}

type Sides = Pick<AnswerCheck, "left" | "right" | "holds">;

function exactSides(left: Expression, right: Expression): Sides | undefined {
  const a = exactValue(left);
  const b = a && exactValue(right);
  return a && b && { left: toText(a), right: toText(b), holds: equal(a, b) };
}

function numericSides(left: Expression, right: Expression): Sides | undefined {
  const [a, b] = [numericValue(left), numericValue(right)];
  if (a === undefined || b === undefined) return undefined;
  const most = NOISE * Math.max(1, Math.hypot(a.re, a.im), Math.hypot(b.re, b.im));
  return { left: written(a), right: written(b), holds: Math.hypot(a.re - b.re, a.im - b.im) <= most };
}

/** To six digits: `2.64575`, `1 + 2i`. */
function written({ re, im }: { readonly re: number; readonly im: number }): string {
  const short = (value: number): string => `${Number(value.toPrecision(6))}`;
  return Math.abs(im) <= NOISE * Math.max(1, Math.abs(re)) ? short(re) : `${short(re)} + ${short(im)}i`;
}
