import * as bounded from "./bounded.ts";
import { exactly, over, rounded, type Bounded } from "./bounded.ts";
import { real, rootOf, raise, type Complex } from "./complex.ts";
import { exactValues, type Values } from "./evaluate.ts";
import type { Binary, Expression, FunctionName } from "./expression.ts";
import { toNumber, type Rational } from "./rational.ts";

const ONE = exactly(real(1));
const HUNDRED = exactly(real(100));
const DEGREE = rounded(real(Math.PI / 180), Number.POSITIVE_INFINITY);
const CONSTANTS = {
  pi: rounded(real(Math.PI), Math.PI),
  e: rounded(real(Math.E), Math.E),
  i: { ...exactly({ re: 0, im: 1 }), grain: 1 },
  infinity: exactly(real(Number.POSITIVE_INFINITY)),
} as const;
const ARITHMETIC = {
  add: bounded.plus,
  subtract: bounded.minus,
  multiply: bounded.times,
  divide: over,
} as const;

type OfOne = Exclude<FunctionName, "sqrt" | "log" | "binomial">;

const FUNCTIONS: { readonly [Name in OfOne]: (of: Bounded) => Bounded } = {
  abs: bounded.abs,
  floor: (of) => bounded.whole(of, Math.floor),
  ceil: (of) => bounded.whole(of, Math.ceil),
  ln: bounded.ln,
  exp: bounded.exp,
  sin: bounded.sin,
  cos: bounded.cos,
  tan: bounded.tan,
  cot: (of) => over(bounded.cos(of), bounded.sin(of)),
  sec: (of) => over(ONE, bounded.cos(of)),
  csc: (of) => over(ONE, bounded.sin(of)),
  arcsin: bounded.arcsin,
  arccos: bounded.arccos,
  arctan: bounded.arctan,
  sinh: bounded.sinh,
  cosh: bounded.cosh,
  tanh: bounded.tanh,
};

const isFinite = ({ re, im }: Complex): boolean => Number.isFinite(re) && Number.isFinite(im);
const isZero = ({ re, im }: Complex): boolean => re === 0 && im === 0;

function sqrt(of: Bounded, degree: Bounded | undefined): Bounded {
  const n = degree?.value.re ?? 2;
  const isWhole = degree === undefined || (degree.error === 0 && degree.isReal && Number.isInteger(n));
  return isWhole && n > 1 ? bounded.root(of, n) : bounded.raise(of, over(ONE, degree ?? ONE));
}

function call(name: FunctionName, args: readonly Bounded[]): Bounded | undefined {
  const [of, second] = args;
  if (of === undefined || name === "binomial") return undefined;
  if (name === "sqrt") return sqrt(of, second);
  if (name === "log") return over(bounded.ln(of), bounded.ln(second ?? exactly(real(10))));
  return FUNCTIONS[name](of);
}

function binary(kind: Binary, left: Bounded, right: Bounded): Bounded | undefined {
  if (kind !== "power") return ARITHMETIC[kind](left, right);
  const made = bounded.raise(left, right);
  // So small that the double has lost it: it is no zero.
  return isZero(made.value) && !isZero(left.value) ? undefined : made;
}

/** Doubles hold it without rounding. */
function isDouble({ num, den }: Rational): boolean {
  return Number.isSafeInteger(Number(num)) && Number.isSafeInteger(Number(den)) && (den & (den - 1n)) === 0n;
}

function fromExact(value: Rational, grain: number): Bounded {
  const double = real(toNumber(value));
  return isDouble(value) ? { ...exactly(double), grain } : rounded(double, grain);
}

/** A change of the last digit of a number by one. */
function grainOf(text: string): number {
  const [, fraction = ""] = /\.(\d+)/.exec(text) ?? [];
  const [, exponent = "0"] = /[eE]([+-]?\d+)$/.exec(text) ?? [];
  return 10 ** (Number(exponent) - fraction.length);
}

/** A factorial or a binomial coefficient: whole, and exact only. */
function isCount(node: Expression): boolean {
  return node.kind === "factorial" || (node.kind === "call" && node.name === "binomial");
}

class Evaluation {
  private readonly exact: (expression: Expression) => Rational | undefined;

  constructor(values: Values) {
    this.exact = exactValues(values);
  }

  /** An exact part has its exact value, and the grain of its text. */
  value(node: Expression): Bounded | undefined {
    const exact = this.exact(node);
    if (node.kind === "number") return fromExact(node.value, grainOf(node.text));
    if (node.kind === "variable") return exact && fromExact(exact, Math.abs(toNumber(exact)));
    const made = this.inDoubles(node);
    const value = made !== undefined && isFinite(made.value) ? made : undefined;
    if (exact === undefined) return value;
    const known = fromExact(exact, value?.grain ?? (isCount(node) ? 1 : 0));
    return isFinite(known.value) ? known : undefined;
  }

  private inDoubles(node: Expression): Bounded | undefined {
    if (node.kind === "constant") return CONSTANTS[node.name];
    if ("left" in node) return this.binary(node);
    if (node.kind === "call") {
      const args = node.args.map((one) => this.value(one));
      return args.includes(undefined) ? undefined : call(node.name, args as Bounded[]);
    }
    if (!("of" in node) || node.kind === "factorial") return undefined;
    const of = this.value(node.of);
    if (of === undefined) return undefined;
    if (node.kind === "negate") return bounded.negate(of);
    return node.kind === "percent" ? over(of, HUNDRED) : bounded.times(of, DEGREE);
  }

  private binary(node: Expression & { kind: Binary }): Bounded | undefined {
    const left = this.value(node.left);
    const right = left === undefined ? undefined : this.value(node.right);
    if (left === undefined || right === undefined) return undefined;
    return this.oddRoot(node, left, right) ?? binary(node.kind, left, right);
  }

  /** (-8)^{1/3} is -2, as its root is, and so with each odd root. */
  private oddRoot(node: Expression & { kind: Binary }, left: Bounded, right: Bounded): Bounded | undefined {
    const { re, im } = left.value;
    if (node.kind !== "power" || im !== 0 || re >= 0) return undefined;
    const exponent = this.exact(node.right);
    if (exponent === undefined || exponent.den === 1n || exponent.den % 2n === 0n || exponent.den > 64n)
      return undefined;
    const made = raise(rootOf(left.value, Number(exponent.den)), real(Number(exponent.num)));
    return bounded.raise(left, right, made);
  }
}

/** The value in doubles with its error. Undefined where it is not finite, too small for a double, or a variable has no value. */
export function boundedValue(expression: Expression, values: Values = new Map()): Bounded | undefined {
  return new Evaluation(values).value(expression);
}

/** The same without its error. */
export function numericValue(expression: Expression, values: Values = new Map()): Complex | undefined {
  return boundedValue(expression, values)?.value;
}
