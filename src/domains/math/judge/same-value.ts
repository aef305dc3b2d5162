import { boundedValue } from "../expression/numeric.ts";
import type { Bounded } from "../expression/bounded.ts";
import { length, minus } from "../expression/complex.ts";
import { degreeOf } from "../expression/degree.ts";
import { exactValue, type Values } from "../expression/evaluate.ts";
import { partsOf, variablesOf, type Expression } from "../expression/expression.ts";
import { keyOf } from "../expression/key.ts";
import { equal, toText, type Rational } from "../expression/rational.ts";
import { agreeInPieces } from "./pieces.ts";
import { MAX_VARIABLES, samplePoints } from "./sample-points.ts";

/** Numbers that agree within their errors are the same if these are so small a share of what one digit of a text changes. */
const SURE = 1e-3;
/** As many digits in a text come as near to another number by chance as doubles can tell. */
const MOST_DIGITS = 13;
/** A decimal with as many digits comes so near to an irrational number only by rounding it. */
const ROUNDED_DIGITS = 9;
/** Points at which both functions must have a value. */
const LEAST_POINTS = 3;

/** The sign of an infinity; undefined of any other expression. */
export function infinityOf(expression: Expression): 1 | -1 | undefined {
  if (expression.kind === "constant") return expression.name === "infinity" ? 1 : undefined;
  const inner = expression.kind === "negate" ? infinityOf(expression.of) : undefined;
  return inner === undefined ? undefined : inner === 1 ? -1 : 1;
}

/** Digits without the zeros at the end. */
function digitsIn(text: string): number {
  return text.replaceAll(/\D/g, "").replace(/0+$/, "").length;
}

function isRounded(expression: Expression): boolean {
  if (expression.kind !== "number") return partsOf(expression).some(isRounded);
  return /\.\d*[1-9]/.test(expression.text) && digitsIn(expression.text) >= ROUNDED_DIGITS;
}

function digitsOf(expression: Expression): number {
  if (expression.kind === "number") return digitsIn(expression.text);
  return partsOf(expression).reduce((sum, part) => sum + digitsOf(part), 0);
}

/** So many digits that a double cannot tell the number from an irrational one beside it. */
function isLong(expression: Expression): boolean {
  const exact = exactValue(expression);
  if (exact === undefined) return digitsOf(expression) >= MOST_DIGITS;
  return digitsIn(toText(exact)) >= ROUNDED_DIGITS;
}

function hasImaginary(expression: Expression): boolean {
  if (expression.kind === "constant") return expression.name === "i";
  return partsOf(expression).some(hasImaginary);
}

/** `imaginary`: different, but a number on the way has an imaginary part, so that it depends on the branch. */
type AtPoint = boolean | "imaginary" | undefined;

/** Undefined where the doubles are too near to each other for a decision. */
function sameNumbers(x: Bounded, y: Bounded): AtPoint {
  const error = x.error + y.error;
  const distance = length(minus(x.value, y.value));
  if (!Number.isFinite(error)) return undefined;
  if (distance > error) return x.isReal && y.isReal ? false : "imaginary";
  return error <= SURE * Math.min(x.grain, y.grain) ? true : undefined;
}

/** Whether both have the same value there; undefined where one has none that can be computed. */
function sameAt(a: Expression, b: Expression, values: Values): AtPoint {
  const left = exactValue(a, values);
  const right = exactValue(b, values);
  if (left !== undefined && right !== undefined) return equal(left, right);
  const [x, y] = [boundedValue(a, values), boundedValue(b, values)];
  if (x === undefined || y === undefined) return undefined;
  const same = sameNumbers(x, y);
  const [exact, other] = left === undefined ? [b, a] : [a, b];
  if (same === false || (left ?? right) === undefined || !isRounded(exact)) return same;
  return isRounded(other) ? undefined : false;
}

/** Whether functions have the same values at points. A difference that depends on the branch of a root or a logarithm is none for sure. */
function agree(a: Expression, b: Expression, points?: readonly Values[]): boolean | undefined {
  const names = [...new Set([...variablesOf(a), ...variablesOf(b)])];
  if (names.length > MAX_VARIABLES) return undefined;
  const isComplex = hasImaginary(a) || hasImaginary(b);
  let compared = 0;
  let isSure = true;
  for (const values of points ?? samplePoints(names)) {
    const same = sameAt(a, b, values);
    if (same === false || (same === "imaginary" && isComplex)) return false;
    if (same === "imaginary") isSure = false;
    if (same === true) compared += 1;
  }
  return isSure && compared >= LEAST_POINTS ? true : undefined;
}

/**
 * Whether two expressions have one value: exact where they are rational, in doubles with a bound of their error where not; of functions
 * the values at points, and on each piece. Undefined where that cannot be computed.
 */
export function sameValue(a: Expression, b: Expression): boolean | undefined {
  const infinite = infinityOf(a);
  if (infinite !== undefined || infinityOf(b) !== undefined) return infinite === infinityOf(b);
  if (keyOf(a) === keyOf(b)) return true;
  if (variablesOf(a).length + variablesOf(b).length === 0) return sameConstants(a, b);
  const same = agree(a, b);
  return same === true ? agreeInPieces(a, b, agree) : same;
}

function sameConstants(a: Expression, b: Expression): boolean | undefined {
  const same = sameAt(a, b, new Map());
  if (same === "imaginary") return false;
  const areExact = exactValue(a) !== undefined && exactValue(b) !== undefined;
  return same === true && !areExact && (isLong(a) || isLong(b)) ? undefined : same;
}

export interface Equation {
  readonly left: Expression;
  readonly right: Expression;
}

const differenceOf = ({ left, right }: Equation): Expression => ({ kind: "subtract", left, right });

/** The functions that an equation gives for single variables: of `y = x`, one for each. */
function solvedFor({ left, right }: Equation): ReadonlyMap<string, Expression> {
  const solved = new Map<string, Expression>();
  for (const [name, of] of [
    [left, right],
    [right, left],
  ] as const)
    if (name.kind === "variable" && !variablesOf(of).includes(name.name)) solved.set(name.name, of);
  return solved;
}

/**
 * Whether two equations are multiples of each other: `y = 2x + 1`, `4x - 2y + 2 = 0`. Others are different for sure only where both are
 * linear or solved for the same variable; no equation is solved here.
 */
export function sameEquation(a: Equation, b: Equation): boolean | undefined {
  const solved = solvedFor(b);
  for (const [name, of] of solvedFor(a)) {
    const other = solved.get(name);
    if (other !== undefined) return sameValue(of, other);
  }
  const [first, second] = [differenceOf(a), differenceOf(b)];
  const same = areMultiples(first, second);
  return same === false && [first, second].some((one) => degreeOf(one) !== 1) ? undefined : same;
}

function areMultiples(first: Expression, second: Expression): boolean | undefined {
  const names = [...new Set([...variablesOf(first), ...variablesOf(second)])];
  if (names.length === 0 || names.length > MAX_VARIABLES) return undefined;
  for (const values of samplePoints(names)) {
    const [x, y] = [exactValue(first, values), exactValue(second, values)];
    if (x === undefined || y === undefined || x.num === 0n || y.num === 0n) continue;
    return sameValue(scaled(y, first), scaled(x, second));
  }
  return undefined;
}

const scaled = (value: Rational, of: Expression): Expression => ({
  kind: "multiply",
  left: { kind: "number", value, text: "" },
  right: of,
});
