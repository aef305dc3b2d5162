import {
  add,
  divide,
  equal,
  multiply,
  negate,
  rational,
  subtract,
  toText,
  type Rational,
} from "../expression/rational.ts";
import { exactValue } from "../expression/evaluate.ts";
import { variablesOf, type Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import type { SolvedEquation } from "../math-types.d.ts";
import { quoted, type Link } from "./links.ts";

/** An equation in one variable. */
export interface OpenEquation {
  readonly left: Expression;
  readonly right: Expression;
  readonly variable: string;
}

/** Both sides of a link, where one variable alone is in them. */
export function openEquation({ left, right, isAbout }: Link): OpenEquation | undefined {
  if (isAbout || (!left.isOpen && !right.isOpen)) return undefined;
  const a = parseExpression(left.expression);
  const b = a && parseExpression(right.expression);
  if (a === undefined || b === undefined) return undefined;
  const [variable, ...others] = new Set([...variablesOf(a), ...variablesOf(b)]);
  return variable === undefined || others.length > 0 ? undefined : { left: a, right: b, variable };
}

/** Links that are linear in one variable, with the exact solution, at most `most`. */
export function solvedOf(text: string, links: readonly Link[], most: number): readonly SolvedEquation[] {
  const solved: SolvedEquation[] = [];
  for (const link of links) {
    if (solved.length >= most) break;
    const equation = openEquation(link);
    const solution = equation && solutionOf(equation);
    if (equation === undefined || solution === undefined) continue;
    solved.push({
      text: quoted(text, link.start, link.end),
      variable: equation.variable,
      solution: toText(solution),
    });
  }
  return solved;
}

/** Undefined where the equation is not linear, or has none or all numbers as its solutions. */
function solutionOf({ left, right, variable }: OpenEquation): Rational | undefined {
  const difference = (at: number): Rational | undefined => {
    const values = new Map([[variable, rational(at) ?? { num: 0n, den: 1n }]]);
    const a = exactValue(left, values);
    const b = a && exactValue(right, values);
    return a && b && subtract(a, b);
  };
  const [start, one, three, back] = [difference(0), difference(1), difference(3), difference(-2)];
  if (start === undefined || one === undefined || three === undefined || back === undefined) return undefined;
  const slope = subtract(one, start);
  if (slope === undefined || slope.num === 0n) return undefined;
  const isOnLine = (value: Rational, at: bigint): boolean => {
    const moved = multiply(slope, { num: at, den: 1n });
    const expected = moved && add(start, moved);
    return expected !== undefined && equal(expected, value);
  };
  return isOnLine(three, 3n) && isOnLine(back, -2n) ? divide(negate(start), slope) : undefined;
}
