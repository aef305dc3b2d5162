import { exactValue, type Values } from "../expression/evaluate.ts";
import { partsOf, variablesOf, type Expression } from "../expression/expression.ts";
import { length, minus, type Complex } from "../expression/complex.ts";
import { numericValue } from "../expression/numeric.ts";
import { equal, rational, type Rational } from "../expression/rational.ts";

/** Doubles that are nearer to each other, as a share of the larger one, are the same irrational number. */
const TOLERANCE = 1e-12;
/** Smaller numbers count as large as this: `\sin \pi` is 1e-16 in doubles. */
const LEAST_SIZE = 1e-3;
/** A decimal with as many digits comes so near to an irrational number only by rounding it. */
const ROUNDED_DIGITS = 9;
const MAX_VARIABLES = 12;
/** Points at which functions are compared, and at how many of them both must have a value. */
const POINTS = 6;
const LEAST_POINTS = 3;
const PRIMES = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/** A value of the variable at a point: none is whole, and no two are the same. Two of six points are negative. */
function valueAt(variable: number, point: number): Rational | undefined {
  const num = 2 * PRIMES[(variable * 5 + point * 7) % PRIMES.length]! + point;
  return rational(point % 3 === 2 ? -num : num, 43 + 4 * variable + 10 * point);
}

/** The sign of an infinity; undefined for what is none. */
export function infinityOf(expression: Expression): 1 | -1 | undefined {
  if (expression.kind === "constant") return expression.name === "infinity" ? 1 : undefined;
  const inner = expression.kind === "negate" ? infinityOf(expression.of) : undefined;
  return inner === undefined ? undefined : inner === 1 ? -1 : 1;
}

function isRounded(expression: Expression): boolean {
  if (expression.kind === "number")
    return expression.text.includes(".") && expression.text.replaceAll(/\D/g, "").length >= ROUNDED_DIGITS;
  return partsOf(expression).some(isRounded);
}

function near(a: Complex, b: Complex): boolean {
  return length(minus(a, b)) <= TOLERANCE * Math.max(length(a), length(b), LEAST_SIZE);
}

/** Whether both have the same value there; undefined where one has none that can be computed. */
function sameAt(a: Expression, b: Expression, values: Values): boolean | undefined {
  const left = exactValue(a, values);
  const right = left === undefined ? undefined : exactValue(b, values);
  if (left !== undefined && right !== undefined) return equal(left, right);
  const [x, y] = [numericValue(a, values), numericValue(b, values)];
  if (x === undefined || y === undefined) return undefined;
  if (!near(x, y)) return false;
  const exact = left !== undefined ? a : exactValue(b, values) !== undefined ? b : undefined;
  return exact === undefined || !isRounded(exact);
}

/**
 * Whether two expressions have one value: exact where they are rational, in doubles where not; of functions the values at six points.
 * Undefined where that cannot be computed.
 */
export function sameValue(a: Expression, b: Expression): boolean | undefined {
  const infinite = infinityOf(a);
  if (infinite !== undefined || infinityOf(b) !== undefined) return infinite === infinityOf(b);
  const names = [...new Set([...variablesOf(a), ...variablesOf(b)])];
  if (names.length === 0) return sameAt(a, b, new Map());
  return sameFunction(names, (values) => sameAt(a, b, values));
}

function sameFunction(
  names: readonly string[],
  isSame: (values: Values) => boolean | undefined,
): boolean | undefined {
  if (names.length > MAX_VARIABLES) return undefined;
  let compared = 0;
  for (let point = 0; point < POINTS; point += 1) {
    const values = new Map<string, Rational>();
    for (const [n, name] of names.entries()) values.set(name, valueAt(n, point) as Rational);
    const same = isSame(values);
    if (same === false) return false;
    if (same === true) compared += 1;
  }
  return compared >= LEAST_POINTS ? true : undefined;
}

export interface Equation {
  readonly left: Expression;
  readonly right: Expression;
}

/** Whether two equations are multiples of each other: `y = 2x + 1`, `4x - 2y + 2 = 0`. Undefined where that cannot be computed. */
export function sameEquation(a: Equation, b: Equation): boolean | undefined {
  const difference = ({ left, right }: Equation): Expression => ({ kind: "subtract", left, right });
  const [first, second] = [difference(a), difference(b)];
  const names = [...new Set([...variablesOf(first), ...variablesOf(second)])];
  const points = [0, 1].map((point) => pointOf(names, point));
  const scale = points.map((values) => [numericValue(first, values), numericValue(second, values)] as const);
  const usable = scale.find(([x, y]) => x !== undefined && y !== undefined && length(x) > 0 && length(y) > 0);
  const at = points[scale.indexOf(usable as (typeof scale)[number])];
  if (usable === undefined || at === undefined || names.length === 0) return undefined;
  const [x, y] = [exactValue(first, at), exactValue(second, at)];
  if (x === undefined || y === undefined) return undefined;
  const times = (value: Rational, of: Expression): Expression => ({
    kind: "multiply",
    left: { kind: "number", value, text: "" },
    right: of,
  });
  return sameFunction(names, (values) => sameAt(times(y, first), times(x, second), values));
}

function pointOf(names: readonly string[], point: number): Values {
  return new Map(names.map((name, n) => [name, valueAt(n, point) as Rational]));
}
