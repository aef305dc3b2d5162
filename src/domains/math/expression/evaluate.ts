import type { Binary, Expression } from "./expression.ts";
import {
  add,
  compare,
  divide,
  equal,
  floor,
  isWhole,
  multiply,
  negate,
  ONE,
  power,
  rational,
  root,
  sizeOf,
  subtract,
  toNumber,
  ZERO,
  type Rational,
} from "./rational.ts";

/** Values of variables by their names. */
export type Values = ReadonlyMap<string, Rational>;

/** Work on one expression, in squares of 64-bit words: some milliseconds. Sums of hundreds of long fractions are over it. */
const MAX_WORK = 10_000;
const MAX_FACTORIAL = 500n;

const HUNDREDTH: Rational = { num: 1n, den: 100n };
const ARITHMETIC = { add, subtract, multiply, divide } as const;

class Evaluation {
  private work = 0;
  private readonly values: Values;
  private readonly known = new Map<Expression, Rational | undefined>();

  constructor(values: Values) {
    this.values = values;
  }

  value(expression: Expression): Rational | undefined {
    if (this.known.has(expression)) return this.known.get(expression);
    const value = this.bounded(this.unbounded(expression));
    this.known.set(expression, value);
    return value;
  }

  private bounded(value: Rational | undefined): Rational | undefined {
    if (value === undefined) return undefined;
    this.work += (sizeOf(value) / 64) ** 2;
    return this.work > MAX_WORK ? undefined : value;
  }

  private unbounded(expression: Expression): Rational | undefined {
    switch (expression.kind) {
      case "number":
        return expression.value;
      case "variable":
        return this.values.get(expression.name);
      case "constant":
        return undefined;
      case "negate":
      case "percent":
      case "factorial":
      case "degree":
        return this.unary(expression.kind, this.value(expression.of));
      case "call":
        return this.call(expression);
      default:
        return this.binary(expression);
    }
  }

  private unary(kind: string, of: Rational | undefined): Rational | undefined {
    if (of === undefined) return undefined;
    if (kind === "negate") return negate(of);
    if (kind === "percent") return multiply(of, HUNDREDTH);
    if (kind === "factorial") return factorial(of);
    return of.num === 0n ? ZERO : undefined;
  }

  private binary(node: { kind: Binary; left: Expression; right: Expression }): Rational | undefined {
    const left = this.value(node.left);
    const right = left === undefined ? undefined : this.value(node.right);
    if (left === undefined || right === undefined) return undefined;
    return node.kind === "power" ? powerOf(left, right) : ARITHMETIC[node.kind](left, right);
  }

  private call({ name, args }: Expression & { kind: "call" }): Rational | undefined {
    const [of, second] = args.map((one) => this.value(one));
    if (of === undefined || (args.length > 1 && second === undefined)) return undefined;
    switch (name) {
      case "sqrt":
        return second === undefined || isWhole(second) ? root(of, Number(second?.num ?? 2)) : undefined;
      case "abs":
        return of.num < 0n ? negate(of) : of;
      case "floor":
        return rational(floor(of));
      case "ceil":
        return rational(-floor(negate(of)));
      case "binomial":
        return second && binomial(of, second);
      case "log":
        return logarithm(of, second ?? { num: 10n, den: 1n });
      case "ln":
        return equal(of, ONE) ? ZERO : undefined;
      case "exp":
      case "cos":
      case "cosh":
      case "sec":
        return of.num === 0n ? ONE : undefined;
      case "sin":
      case "tan":
      case "arcsin":
      case "arctan":
      case "sinh":
      case "tanh":
        return of.num === 0n ? ZERO : undefined;
      default:
        return undefined;
    }
  }
}

function factorial(of: Rational): Rational | undefined {
  if (!isWhole(of) || of.num < 0n || of.num > MAX_FACTORIAL) return undefined;
  let product = 1n;
  for (let factor = 2n; factor <= of.num; factor += 1n) product *= factor;
  return rational(product);
}

function binomial(of: Rational, chosen: Rational): Rational | undefined {
  const [n, k] = [of.num, chosen.num];
  if (!isWhole(of) || !isWhole(chosen) || n < 0n || k < 0n) return undefined;
  if (k > n) return ZERO;
  const least = k < n - k ? k : n - k;
  if (least > MAX_FACTORIAL || n > 1_000_000n) return undefined;
  let product = 1n;
  for (let at = 1n; at <= least; at += 1n) product = (product * (n - least + at)) / at;
  return rational(product);
}

/** A negative number has a power with an odd root: (-8)^{1/3} is -2, as the root is. */
function powerOf(base: Rational, exponent: Rational): Rational | undefined {
  if (isWhole(exponent)) return power(base, exponent.num);
  if (exponent.den > 64n) return undefined;
  const part = root(base, Number(exponent.den));
  return part && power(part, exponent.num);
}

/** The whole exponent that makes `of` of the base; undefined where there is none up to 512. */
function logarithm(of: Rational, base: Rational): Rational | undefined {
  if (of.num <= 0n || base.num <= 0n || equal(base, ONE)) return undefined;
  const near = Math.log(toNumber(of)) / Math.log(toNumber(base));
  if (!(Math.abs(near) <= 512)) return undefined;
  const exponent = BigInt(Math.round(near));
  const made = power(base, exponent);
  return made !== undefined && compare(made, of) === 0 ? rational(exponent) : undefined;
}

/**
 * The exact value. Undefined where it is irrational, complex or infinite, a variable has no value, or a number on the way is over 4,096
 * bits.
 */
export function exactValue(expression: Expression, values: Values = new Map()): Rational | undefined {
  return new Evaluation(values).value(expression);
}

/** The exact values of parts of one expression, each computed once; their work together has one bound. */
export function exactValues(values: Values): (expression: Expression) => Rational | undefined {
  const evaluation = new Evaluation(values);
  return (expression) => evaluation.value(expression);
}
