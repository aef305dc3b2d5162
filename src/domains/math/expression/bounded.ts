import * as complex from "./complex.ts";
import { real, type Complex } from "./complex.ts";

/** A complex number in doubles, with a bound of its error. */
export interface Bounded {
  readonly value: Complex;
  /** Largest distance between the value and the exact number; infinite where no bound is known. */
  readonly error: number;
  /** Change of the value when the last digit of some number in the text changes by one, or a constant is left out; the least of these. */
  readonly grain: number;
  /** No number on the way has an imaginary part. */
  readonly isReal: boolean;
}

/** Error of one operation as a share of its result: some units in the last place of a double. */
const EPSILON = 2 ** -51;
/** Error of a result that is too small for all digits of a double. */
const UNDERFLOW = 1e-320;
/** The slopes below are those at the value; within this relative error they are at most half as large again. */
const MOST_RELATIVE = 0.5;
const STEEPER = 1.5;

const HALF: Complex = { re: 0.5, im: 0 };
const TURN: Complex = { re: 0, im: 1 };

/** A number of which every digit is known. */
export const exactly = (value: Complex): Bounded => ({
  value,
  error: 0,
  grain: Number.POSITIVE_INFINITY,
  isReal: value.im === 0,
});

/** A number that is rounded to a double; `grain`: of its text. */
export const rounded = (value: Complex, grain: number): Bounded => ({
  value,
  error: complex.length(value) * EPSILON,
  grain,
  isReal: value.im === 0,
});

/** How much a change of an operand changes the result. */
type Slope = readonly [of: Bounded, slope: number];

const scaled = (slope: number, by: number): number => (by === 0 || slope === 0 ? 0 : slope * by);

function result(value: Complex, slopes: readonly Slope[], rounding = 0): Bounded {
  let error = complex.length(value) * EPSILON + UNDERFLOW + rounding;
  let grain = Number.POSITIVE_INFINITY;
  for (const [of, slope] of slopes) {
    error += scaled(slope, of.error);
    if (slope > 0) grain = Math.min(grain, slope * of.grain);
  }
  const isReal = value.im === 0 && slopes.every(([of]) => of.isReal);
  return { value, error: Number.isNaN(error) ? Number.POSITIVE_INFINITY : error, grain, isReal };
}

/** A result of which nothing is known. */
function unknown(value: Complex, isReal: boolean, error = Number.POSITIVE_INFINITY): Bounded {
  return { value, error, grain: 0, isReal };
}

const sizeOf = (of: Bounded): number => complex.length(of.value);

/** Least distance of the exact number from zero; zero or below where it may be zero. */
const leastSize = (of: Bounded): number => sizeOf(of) - of.error;

/** The exact number may be on either side of the negative numbers, where roots and logarithms jump. */
function mayJump({ value, error, isReal }: Bounded): boolean {
  return !isReal && error > 0 && value.re <= error && Math.abs(value.im) <= error;
}

export const plus = (a: Bounded, b: Bounded): Bounded =>
  result(complex.plus(a.value, b.value), [
    [a, 1],
    [b, 1],
  ]);

export const minus = (a: Bounded, b: Bounded): Bounded =>
  result(complex.minus(a.value, b.value), [
    [a, 1],
    [b, 1],
  ]);

export const negate = (of: Bounded): Bounded => ({ ...of, value: complex.minus(real(0), of.value) });

export const times = (a: Bounded, b: Bounded): Bounded =>
  result(complex.times(a.value, b.value), [
    [a, sizeOf(b) + b.error],
    [b, sizeOf(a)],
  ]);

/** A complex divisor beyond these sizes has no square in doubles. */
const SMALLEST_DIVISOR = 1e-150;
const LARGEST_DIVISOR = 1e150;

export function over(a: Bounded, b: Bounded): Bounded {
  const value = complex.over(a.value, b.value);
  const least = leastSize(b);
  const isReal = a.isReal && b.isReal;
  if (!(least > 0)) return unknown(value, isReal);
  if (b.value.im !== 0 && !(least > SMALLEST_DIVISOR && sizeOf(b) < LARGEST_DIVISOR))
    return unknown(value, isReal);
  return result(value, [
    [a, 1 / least],
    [b, complex.length(value) / least],
  ]);
}

export function abs(of: Bounded): Bounded {
  const made = result(real(sizeOf(of)), [[of, 1]]);
  return { ...made, isReal: of.isReal };
}

/** Of `Math.floor` or `Math.ceil`. */
export function whole(of: Bounded, round: (value: number) => number): Bounded {
  const { value, error, isReal } = of;
  if (value.im !== 0) return unknown(real(Number.NaN), false);
  const made = real(round(value.re));
  const isSure = round(value.re - error) === made.re && round(value.re + error) === made.re;
  return isSure ? { ...exactly(made), isReal } : unknown(made, isReal, 1);
}

export function exp(of: Bounded): Bounded {
  const value = complex.exp(of.value);
  const size = complex.length(value);
  if (of.error > MOST_RELATIVE) return unknown(value, of.isReal);
  return result(value, [[of, STEEPER * size]], size * Math.abs(of.value.im) * EPSILON);
}

export function ln(of: Bounded): Bounded {
  const value = complex.ln(of.value);
  const least = leastSize(of);
  if (!(least > 0) || mayJump(of)) return unknown(value, of.isReal && value.im === 0);
  return result(value, [[of, 1 / least]], of.value.im === 0 ? 0 : EPSILON);
}

/** `made`: another power than the principal one. */
export function raise(
  base: Bounded,
  exponent: Bounded,
  made = complex.raise(base.value, exponent.value),
): Bounded {
  const isReal = base.isReal && exponent.isReal && made.im === 0;
  const least = leastSize(base);
  if (!(least > 0)) return raiseNearZero(base, exponent, made);
  const isWhole = exponent.error === 0 && exponent.value.im === 0 && Number.isInteger(exponent.value.re);
  const [power, logarithm] = [sizeOf(exponent), complex.length(complex.ln(base.value))];
  const relative = scaled(power / least, base.error) + scaled(logarithm, exponent.error);
  if (!(relative <= MOST_RELATIVE) || (!isWhole && mayJump(base))) return unknown(made, isReal);
  const size = complex.length(made);
  return result(
    made,
    [
      [base, (STEEPER * power * size) / least],
      [exponent, STEEPER * logarithm * size],
    ],
    size * power * logarithm * EPSILON,
  );
}

function raiseNearZero(base: Bounded, exponent: Bounded, made: Complex): Bounded {
  const isReal = base.isReal && exponent.isReal && made.im === 0;
  if (base.error === 0 && exponent.error === 0) return { ...exactly(made), isReal };
  const isPositive = exponent.error === 0 && exponent.value.im === 0 && exponent.value.re > 0;
  if (!isPositive) return unknown(made, isReal);
  return unknown(made, isReal, complex.length(made) + (sizeOf(base) + base.error) ** exponent.value.re);
}

/** `degree`: whole, over one. */
export function root(of: Bounded, degree: number): Bounded {
  const value = complex.rootOf(of.value, degree);
  const isReal = of.isReal && value.im === 0;
  const least = leastSize(of);
  if (!(least > 0)) {
    if (of.error === 0) return { ...exactly(value), isReal };
    return unknown(value, isReal, complex.length(value) + (sizeOf(of) + of.error) ** (1 / degree));
  }
  if (mayJump(of)) return unknown(value, isReal);
  const size = complex.length(value);
  // A square root of a real number is rounded once; any other root by its logarithm.
  const isSquare = of.value.im === 0 && degree === 2;
  const rounding = isSquare ? 0 : 4 + complex.length(complex.ln(of.value)) / degree;
  return result(value, [[of, (2 * size) / (degree * least)]], rounding * size * EPSILON);
}

/** Of a sine and a cosine; the grain goes by the second derivative, too, as the first one is zero at the extrema. */
function wave(of: Bounded, value: Complex, derivative: Complex): Bounded {
  const steepest = Math.cosh(Math.abs(of.value.im) + of.error);
  const made = result(value, [[of, steepest]], scaled(steepest, Math.abs(of.value.im) * EPSILON));
  const grain =
    complex.length(derivative) * of.grain + scaled((complex.length(value) * of.grain) / 2, of.grain);
  return { ...made, grain: Math.min(2 * steepest, grain) };
}

export const sin = (of: Bounded): Bounded => wave(of, complex.sin(of.value), complex.cos(of.value));
export const cos = (of: Bounded): Bounded => wave(of, complex.cos(of.value), complex.sin(of.value));
export const tan = (of: Bounded): Bounded => over(sin(of), cos(of));

const ONE = exactly(real(1));
const I = exactly(TURN);
const MINUS_I = exactly(complex.minus(real(0), TURN));

export function arcsin(of: Bounded): Bounded {
  const { re, im } = of.value;
  if (im !== 0 || Math.abs(re) > 1) {
    const inner = plus(times(I, of), root(minus(ONE, times(of, of)), 2));
    return times(MINUS_I, ln(inner));
  }
  const value = real(Math.asin(re));
  const most = Math.abs(re) + of.error;
  if (of.error > 0 && most >= 1) return unknown(value, of.isReal, 4 * Math.sqrt(2 * of.error));
  return result(value, [[of, most >= 1 ? 0 : 1 / Math.sqrt(1 - most * most)]]);
}

export const arccos = (of: Bounded): Bounded =>
  minus(rounded(real(Math.PI / 2), Number.POSITIVE_INFINITY), arcsin(of));

export function arctan(of: Bounded): Bounded {
  if (of.value.im === 0) return result(real(Math.atan(of.value.re)), [[of, 1]]);
  const [below, above] = [minus(ONE, times(I, of)), plus(ONE, times(I, of))];
  return times(exactly(complex.times(HALF, TURN)), minus(ln(below), ln(above)));
}

/** A function of the hyperbola: of a real number directly, else by that of the circle. */
function hyperbolic(of: Bounded, value: number, slope: number, turned: () => Bounded): Bounded {
  return of.value.im === 0 ? result(real(value), [[of, slope]]) : turned();
}

const steepestAt = (of: Bounded): number => Math.cosh(Math.abs(of.value.re) + of.error);

export const sinh = (of: Bounded): Bounded =>
  hyperbolic(of, Math.sinh(of.value.re), steepestAt(of), () => times(MINUS_I, sin(times(I, of))));

export const cosh = (of: Bounded): Bounded => {
  const made = hyperbolic(of, Math.cosh(of.value.re), steepestAt(of), () => cos(times(I, of)));
  const slope = Math.abs(Math.sinh(of.value.re));
  const grain = slope * of.grain + scaled((made.value.re * of.grain) / 2, of.grain);
  return of.value.im === 0 ? { ...made, grain } : made;
};

export const tanh = (of: Bounded): Bounded =>
  hyperbolic(of, Math.tanh(of.value.re), 1, () => times(MINUS_I, tan(times(I, of))));
