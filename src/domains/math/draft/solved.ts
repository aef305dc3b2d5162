import { exactValue } from "../expression/evaluate.ts";
import { variablesOf, type Expression } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import {
  add,
  divide,
  equal,
  multiply,
  negate,
  ONE,
  rational,
  subtract,
  toText,
  ZERO,
  type Rational,
} from "../expression/rational.ts";
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

/** `slope * x + constant`. */
interface Linear {
  readonly slope: Rational;
  readonly constant: Rational;
}

interface Solved extends SolvedEquation {
  /** Text between it and the equation before. */
  readonly between: string;
  /** Left side less right side. */
  readonly difference: Linear;
  /** Terms of the left and of the right side. */
  readonly terms: readonly [readonly Linear[], readonly Linear[]];
}

/** Equations before one in which its solution may already be. */
const BEFORE = 6;
/** Characters in front of an equation that may say that it is another case. */
const IN_FRONT = 40;
const OR = /\bor\b/i;

/** Links that are linear in one variable, with the exact solution, at most `most`. */
export function solvedOf(text: string, links: readonly Link[], most: number): readonly SolvedEquation[] {
  const solved: Solved[] = [];
  let behind = 0;
  for (const link of links) {
    if (solved.length >= most) break;
    const equation = openEquation(link);
    const one = equation && solve(equation);
    if (one === undefined) continue;
    const between = text.slice(Math.max(behind, link.start - IN_FRONT), link.start);
    solved.push({ ...one, text: quoted(text, link.start, link.end), between });
    behind = link.end;
  }
  return solved.map(({ text: written, variable, solution, between }, at) => {
    const isKnown = solved.slice(Math.max(0, at - BEFORE), at).some((one) => one.solution === solution);
    const isCase = isKnown || (at > 0 && OR.test(between));
    const keptSign = isCase ? undefined : keptSignAt(solved, at);
    return {
      text: written,
      variable,
      solution,
      ...(isCase && { isCase: true }),
      ...(keptSign !== undefined && { keptSign }),
    };
  });
}

/** Undefined where the equation is not linear, or has none or all numbers as its solutions. */
function solve({ left, right, variable }: OpenEquation): Omit<Solved, "text" | "between"> | undefined {
  const terms = [termsOf(left, variable), termsOf(right, variable)] as const;
  const [a, b] = terms.map((side) => side && sumOf(side));
  const difference = a && b && plus(a, times(b, MINUS_ONE));
  if (terms[0] === undefined || terms[1] === undefined || difference === undefined) return undefined;
  const solution = divide(negate(difference.constant), difference.slope);
  return solution && { variable, solution: toText(solution), difference, terms: [terms[0], terms[1]] };
}

const MINUS_ONE = negate(ONE);
const NOTHING: Linear = { slope: ZERO, constant: ZERO };

function plus(a: Linear, b: Linear): Linear | undefined {
  const slope = add(a.slope, b.slope);
  const constant = add(a.constant, b.constant);
  return slope && constant && { slope, constant };
}

function sumOf(terms: readonly Linear[]): Linear | undefined {
  return terms.reduce<Linear | undefined>((sum, term) => sum && plus(sum, term), NOTHING);
}

function times({ slope, constant }: Linear, by: Rational): Linear {
  return { slope: multiply(slope, by) ?? ZERO, constant: multiply(constant, by) ?? ZERO };
}

/** The terms that a side adds up; undefined where one is not linear. */
function termsOf(side: Expression, variable: string): readonly Linear[] | undefined {
  const terms: Linear[] = [];
  const visit = (one: Expression, sign: Rational): boolean => {
    if (one.kind === "negate") return visit(one.of, negate(sign));
    if (one.kind === "add") return visit(one.left, sign) && visit(one.right, sign);
    if (one.kind === "subtract") return visit(one.left, sign) && visit(one.right, negate(sign));
    const linear = linearOf(one, variable);
    if (linear !== undefined) terms.push(times(linear, sign));
    return linear !== undefined;
  };
  return visit(side, ONE) ? terms : undefined;
}

/** Read off at 0 and 1, and tried at 3 and -2. */
function linearOf(term: Expression, variable: string): Linear | undefined {
  const at = (x: bigint): Rational | undefined =>
    exactValue(term, new Map([[variable, { num: x, den: 1n }]]));
  const [constant, one] = [at(0n), at(1n)];
  const slope = constant && one && subtract(one, constant);
  if (constant === undefined || slope === undefined) return undefined;
  const isOnLine = (x: bigint): boolean => {
    const [value, moved] = [at(x), multiply(slope, { num: x, den: 1n })];
    const expected = moved && add(constant, moved);
    return value !== undefined && expected !== undefined && equal(value, expected);
  };
  return isOnLine(3n) && isOnLine(-2n) ? { slope, constant } : undefined;
}

/**
 * The term of the equation before that is gone from its side, where the equation follows if the term changes sides with its sign. None where
 * the other side stays: there a term was left out.
 */
function keptSignAt(solved: readonly Solved[], at: number): string | undefined {
  const [before, now] = [solved[at - 1], solved[at]];
  if (before === undefined || now === undefined || before.variable !== now.variable) return undefined;
  for (const side of [0, 1] as const) {
    if (now.terms[side].length >= before.terms[side].length) continue;
    const [otherBefore, otherNow] = [before, now].map(({ terms }) => sumOf(terms[1 - side] ?? []));
    if (otherNow !== undefined && isSame(otherBefore, otherNow)) continue;
    const twice = rational(side === 0 ? -2n : 2n) ?? ZERO;
    const kept = before.terms[side].find((term) =>
      isSame(plus(before.difference, times(term, twice)), now.difference),
    );
    if (kept !== undefined) return written(kept, now.variable);
  }
  return undefined;
}

function isSame(a: Linear | undefined, b: Linear): boolean {
  return a !== undefined && equal(a.slope, b.slope) && equal(a.constant, b.constant);
}

/** `5`, `-2x`. */
function written({ slope, constant }: Linear, variable: string): string {
  if (slope.num === 0n) return toText(constant);
  const factor = toText(slope);
  return `${factor === "1" ? "" : factor === "-1" ? "-" : factor}${variable}`;
}
