import { exactValue } from "../expression/evaluate.ts";
import { partsOf, type Expression } from "../expression/expression.ts";
import {
  add,
  commonDivisor,
  divide,
  isWhole,
  magnitude,
  multiply,
  negate,
  ONE,
  toText,
  type Rational,
} from "../expression/rational.ts";

/** Sum of rational multiples of square roots: from the number under the root to its factor; 1 is the rational part. */
type RootSum = ReadonlyMap<bigint, Rational>;

/** Larger numbers under a root are not searched for squares. */
const LARGEST_RADICAND = 1_000_000n;
const MOST_DIGITS = 12;
const LONGEST = 200;
const MOST_TERMS = 8;
/** A date. */
const DATE = /\d\/\d{1,4}\/\d/;
const OPERATIONS: ReadonlySet<string> = new Set(["add", "subtract", "multiply", "divide"]);

/**
 * The simplest form of a number that is written in another: lowest terms, no square under a root, no root under a fraction's
 * line. Undefined for one that is in it, and for anything but fractions and sums of square roots.
 */
export function simplestForm(text: string, expression: Expression): string | undefined {
  if (text.length > LONGEST || DATE.test(text)) return undefined;
  if (!isReadable(expression) || isSimplest(expression)) return undefined;
  const sum = rootSum(expression);
  return sum && rendered(sum, text);
}

/** Nothing but short numbers, the four operations and square roots, so that exact values cost little. */
function isReadable(expression: Expression): boolean {
  if (expression.kind === "number") return expression.text.length <= MOST_DIGITS;
  const isKnown = expression.kind === "negate" || OPERATIONS.has(expression.kind) || isSquareRoot(expression);
  return isKnown && partsOf(expression).every(isReadable);
}

function isSimplest(expression: Expression): boolean {
  if (expression.kind === "divide" && !isLowest(expression.left, expression.right)) return false;
  if (isSquareRoot(expression) && !isSquareFree(expression)) return false;
  return partsOf(expression).every(isSimplest);
}

function isSquareRoot(expression: Expression): expression is Extract<Expression, { kind: "call" }> {
  return expression.kind === "call" && expression.name === "sqrt" && expression.args.length === 1;
}

function isSquareFree({ args: [radicand] }: Extract<Expression, { kind: "call" }>): boolean {
  const value = radicand && exactValue(radicand);
  if (value === undefined) return true;
  return isWhole(value) && value.num > 1n && outsideRoot(value.num) === 1n;
}

/** Of what stands over and under the line of a fraction. Not of numbers with a point. */
function isLowest(top: Expression, bottom: Expression): boolean {
  const [sum, divisor] = [rootSum(top), rootSum(bottom)];
  const only = divisor?.get(1n);
  if (sum === undefined || divisor === undefined) return true;
  if (divisor.size !== 1 || only === undefined) return false;
  const factors = [...sum.values(), only];
  if (!factors.every(isWhole)) return false;
  return only.num > 1n && factors.reduce((shared, { num }) => commonDivisor(shared, num), 0n) === 1n;
}

/** The largest number whose square divides another: 2 of 8. */
function outsideRoot(radicand: bigint): bigint {
  if (radicand > LARGEST_RADICAND) return 1n;
  const value = Number(radicand);
  for (let factor = Math.floor(Math.sqrt(value)); factor > 1; factor -= 1)
    if (value % (factor * factor) === 0) return BigInt(factor);
  return 1n;
}

function rootSum(expression: Expression): RootSum | undefined {
  const value = exactValue(expression);
  if (value !== undefined) return new Map([[1n, value]]);
  if (isSquareRoot(expression)) return rootOf(expression.args[0]);
  if (expression.kind === "negate") return times(rootSum(expression.of), new Map([[1n, negate(ONE)]]));
  if (!("left" in expression)) return undefined;
  const [left, right] = [rootSum(expression.left), rootSum(expression.right)];
  if (expression.kind === "add") return plus(left, right);
  if (expression.kind === "subtract") return plus(left, times(right, new Map([[1n, negate(ONE)]])));
  return times(left, expression.kind === "multiply" ? right : inverse(right));
}

/** √(p/q) is √(pq)/q. */
function rootOf(radicand: Expression | undefined): RootSum | undefined {
  const value = radicand && exactValue(radicand);
  if (value === undefined || value.num <= 0n || value.num * value.den > LARGEST_RADICAND) return undefined;
  const whole = value.num * value.den;
  const factor = outsideRoot(whole);
  const outside = divide({ num: factor, den: 1n }, { num: value.den, den: 1n });
  return outside && new Map([[whole / (factor * factor), outside]]);
}

function plus(left: RootSum | undefined, right: RootSum | undefined): RootSum | undefined {
  if (left === undefined || right === undefined) return undefined;
  const sum = new Map(left);
  for (const [radicand, factor] of right) {
    const both = add(sum.get(radicand) ?? { num: 0n, den: 1n }, factor);
    if (both === undefined) return undefined;
    if (both.num === 0n) sum.delete(radicand);
    else sum.set(radicand, both);
  }
  return sum.size > MOST_TERMS ? undefined : sum;
}

function times(left: RootSum | undefined, right: RootSum | undefined): RootSum | undefined {
  if (left === undefined || right === undefined) return undefined;
  let sum: RootSum | undefined = new Map();
  for (const [a, first] of left)
    for (const [b, second] of right) {
      const radicand = a * b;
      if (radicand > LARGEST_RADICAND) return undefined;
      const factor = outsideRoot(radicand);
      const product = multiply(first, second);
      const whole = product && multiply(product, { num: factor, den: 1n });
      sum = whole && plus(sum, new Map([[radicand / (factor * factor), whole]]));
    }
  return sum;
}

/** Of one term: the root of a sum's conjugate is more than a rule of form. */
function inverse(sum: RootSum | undefined): RootSum | undefined {
  const [term, another] = sum ?? [];
  if (term === undefined || another !== undefined) return undefined;
  const [radicand, factor] = term;
  const bottom = multiply(factor, { num: radicand, den: 1n });
  const inverted = bottom && divide(ONE, bottom);
  return inverted && new Map([[radicand, inverted]]);
}

/** In the notation of the answer: LaTeX where that has a backslash. */
function rendered(sum: RootSum, like: string): string | undefined {
  const isLatex = like.includes("\\");
  const terms = [...sum].toSorted(([a], [b]) => Number(a - b));
  const [only, another] = terms;
  if (only === undefined) return "0";
  if (!isLatex && another === undefined && only[0] === 1n) return toText(only[1]);
  const den = terms.reduce(
    (common, [, factor]) => (common / commonDivisor(common, factor.den)) * factor.den,
    1n,
  );
  const isNegative = another === undefined && only[1].num < 0n;
  const top = terms
    .map(([radicand, { num, den: own }], at) => {
      const factor = (num * den) / own;
      return term(
        isNegative ? -factor : factor,
        radicand,
        at === 0,
        isLatex ? (n) => `\\sqrt{${n}}` : plainRoot(like),
      );
    })
    .join("");
  const sign = isNegative ? "-" : "";
  if (den === 1n) return sign + top;
  if (isLatex) return `${sign}\\frac{${top}}{${den}}`;
  return another === undefined ? `${sign}${top}/${den}` : `(${top})/${den}`;
}

function plainRoot(like: string): (radicand: bigint) => string {
  return like.includes("√") ? (n) => `√${n}` : (n) => `sqrt(${n})`;
}

function term(
  factor: bigint,
  radicand: bigint,
  isFirst: boolean,
  root: (radicand: bigint) => string,
): string {
  const sign = factor < 0n ? "-" : isFirst ? "" : "+";
  const size = magnitude(factor);
  if (radicand === 1n) return `${sign}${size}`;
  return `${sign}${size === 1n ? "" : size}${root(radicand)}`;
}
