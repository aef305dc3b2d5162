import { exactValue } from "../expression/evaluate.ts";
import { numericValue } from "../expression/numeric.ts";
import type { Expression } from "../expression/expression.ts";
import { equal, toText } from "../expression/rational.ts";
import type { AnswerCheck } from "../math-types.d.ts";
import { valuesOf, type AnswerValue } from "./answer-values.ts";
import { askedVariables } from "./asked-variable.ts";
import { linksOf, quoted } from "./links.ts";
import { openEquation, type OpenEquation } from "./solved.ts";
import { tokensOf } from "./tokens.ts";

/** Characters of a question that are read, and its equations. */
const QUESTION = 4_000;
const EQUATIONS = 5;
/** Part by which sides in floating point may differ. */
const NOISE = 1e-9;

/** With its text as the question writes it. */
interface CheckedEquation extends OpenEquation {
  readonly text: string;
}

/** Equations of the question in one variable whose value it asks for, with each value of the answer put in. */
export function checksOf(question: string, answer: string): readonly AnswerCheck[] {
  const text = question.slice(0, QUESTION);
  const asksFor = askedVariables(text);
  const equations: CheckedEquation[] = [];
  for (const link of linksOf(tokensOf(text))) {
    if (equations.length >= EQUATIONS) break;
    const equation = openEquation(link);
    if (equation !== undefined && asksFor(equation.variable, link))
      equations.push({ ...equation, text: quoted(text, link.start, link.end) });
  }
  const values = equations.length === 0 ? [] : valuesOf(answer);
  return equations.flatMap((equation) => values.flatMap((value) => putIn(equation, value) ?? []));
}

function putIn(equation: CheckedEquation, value: AnswerValue): AnswerCheck | undefined {
  const { text, variable } = equation;
  if (value.variable !== undefined && value.variable !== variable) return undefined;
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
