import {
  cos,
  exp,
  length,
  ln,
  minus,
  over,
  plus,
  raise,
  real,
  rootOf,
  sin,
  times,
  type Complex,
} from "./complex.ts";
import { exactValue, type Values } from "./evaluate.ts";
import type { Binary, Expression, FunctionName } from "./expression.ts";
import { toNumber } from "./rational.ts";

const I: Complex = { re: 0, im: 1 };
const ONE = real(1);
const DEGREE = real(Math.PI / 180);
const CONSTANTS = {
  pi: real(Math.PI),
  e: real(Math.E),
  i: I,
  infinity: real(Number.POSITIVE_INFINITY),
} as const;
const ARITHMETIC = { add: plus, subtract: minus, multiply: times, divide: over } as const;

const tan = (of: Complex): Complex => over(sin(of), cos(of));

/** i·of, which turns the functions of the circle into those of the hyperbola. */
const turned = (of: Complex): Complex => times(I, of);

function arcsin(of: Complex): Complex {
  if (of.im === 0 && Math.abs(of.re) <= 1) return real(Math.asin(of.re));
  const inner = plus(turned(of), rootOf(minus(ONE, times(of, of)), 2));
  return times({ re: 0, im: -1 }, ln(inner));
}

function arctan(of: Complex): Complex {
  if (of.im === 0) return real(Math.atan(of.re));
  const half = { re: 0, im: 0.5 };
  return times(half, minus(ln(minus(ONE, turned(of))), ln(plus(ONE, turned(of)))));
}

type OfOne = Exclude<FunctionName, "sqrt" | "log" | "binomial">;

const FUNCTIONS: { readonly [Name in OfOne]: (of: Complex) => Complex } = {
  abs: (of) => real(length(of)),
  floor: (of) => real(of.im === 0 ? Math.floor(of.re) : Number.NaN),
  ceil: (of) => real(of.im === 0 ? Math.ceil(of.re) : Number.NaN),
  ln,
  exp,
  sin,
  cos,
  tan,
  cot: (of) => over(cos(of), sin(of)),
  sec: (of) => over(ONE, cos(of)),
  csc: (of) => over(ONE, sin(of)),
  arcsin,
  arccos: (of) => minus(real(Math.PI / 2), arcsin(of)),
  arctan,
  sinh: (of) => times({ re: 0, im: -1 }, sin(turned(of))),
  cosh: (of) => cos(turned(of)),
  tanh: (of) => times({ re: 0, im: -1 }, tan(turned(of))),
};

const isFinite = ({ re, im }: Complex): boolean => Number.isFinite(re) && Number.isFinite(im);
const isZero = ({ re, im }: Complex): boolean => re === 0 && im === 0;

function call(name: FunctionName, args: readonly Complex[]): Complex | undefined {
  const [of, second] = args;
  if (of === undefined || name === "binomial") return undefined;
  if (name === "sqrt") return rootOf(of, second?.re ?? 2);
  if (name === "log") return over(ln(of), ln(second ?? real(10)));
  return FUNCTIONS[name](of);
}

function binary(kind: Binary, left: Complex, right: Complex): Complex | undefined {
  if (kind !== "power") return ARITHMETIC[kind](left, right);
  const made = raise(left, right);
  // So small that the double has lost it: it is no zero.
  return isZero(made) && !isZero(left) ? undefined : made;
}

/** (-8)^{1/3} is -2, as its root is, and so with each odd root. */
function oddRoot(node: Expression, left: Complex, values: Values): Complex | undefined {
  if (node.kind !== "power" || left.im !== 0 || left.re >= 0) return undefined;
  const exponent = exactValue(node.right, values);
  if (exponent === undefined || exponent.den === 1n || exponent.den % 2n === 0n || exponent.den > 64n)
    return undefined;
  return raise(rootOf(left, Number(exponent.den)), real(Number(exponent.num)));
}

function unbounded(node: Expression, values: Values): Complex | undefined {
  if (node.kind === "number") return real(toNumber(node.value));
  if (node.kind === "constant") return CONSTANTS[node.name];
  if (node.kind === "variable") {
    const value = values.get(node.name);
    return value && real(toNumber(value));
  }
  if ("left" in node) {
    const left = numericValue(node.left, values);
    const right = left === undefined ? undefined : numericValue(node.right, values);
    if (left === undefined || right === undefined) return undefined;
    return oddRoot(node, left, values) ?? binary(node.kind, left, right);
  }
  if (node.kind === "call") {
    const args = node.args.map((one) => numericValue(one, values));
    if (node.name === "binomial") return exactAsComplex(node, values);
    return args.includes(undefined) ? undefined : call(node.name, args as Complex[]);
  }
  const of = numericValue(node.of, values);
  if (of === undefined) return undefined;
  if (node.kind === "negate") return minus(real(0), of);
  if (node.kind === "percent") return over(of, real(100));
  return node.kind === "degree" ? times(of, DEGREE) : exactAsComplex(node, values);
}

function exactAsComplex(node: Expression, values: Values): Complex | undefined {
  const exact = exactValue(node, values);
  return exact && real(toNumber(exact));
}

/** The value in doubles. Undefined where it is not finite, too small for a double, or a variable has no value. */
export function numericValue(expression: Expression, values: Values = new Map()): Complex | undefined {
  const value = unbounded(expression, values);
  return value !== undefined && isFinite(value) ? value : undefined;
}
