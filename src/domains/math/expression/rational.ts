import { SEPARATOR } from "./latex.ts";

/** An exact fraction in lowest terms. */
export interface Rational {
  readonly num: bigint;
  /** Over zero. */
  readonly den: bigint;
}

/** Numerators and denominators from here on are refused: what a person writes stays far below, a tower of powers does not. */
const LIMIT = 1n << 4096n;
/** Decimal digits that are sure to stay below the limit. */
const MAX_DIGITS = 1_233;

export const ZERO: Rational = { num: 0n, den: 1n };
export const ONE: Rational = { num: 1n, den: 1n };

export function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The greatest one; of zero and a number the number. */
export function commonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [magnitude(a), magnitude(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** In lowest terms; undefined for a division by zero or a number over 4,096 bits. */
export function rational(num: bigint | number, den: bigint | number = 1n): Rational | undefined {
  const [top, bottom] = [BigInt(num), BigInt(den)];
  if (bottom === 0n || magnitude(top) >= LIMIT || magnitude(bottom) >= LIMIT) return undefined;
  if (bottom === 1n) return { num: top, den: 1n };
  const shared = commonDivisor(top, bottom) * (bottom < 0n ? -1n : 1n);
  return { num: top / shared, den: bottom / shared };
}

/** Of numbers without a common divisor, the second one not zero; undefined over 4,096 bits. */
function inLowestTerms(num: bigint, den: bigint): Rational | undefined {
  if (magnitude(num) >= LIMIT || magnitude(den) >= LIMIT) return undefined;
  return den < 0n ? { num: -num, den: -den } : { num, den };
}

/** The sum; undefined over 4,096 bits, as with the functions below. Divisors are sought in the operands, which are shorter than the result. */
export function add(a: Rational, b: Rational): Rational | undefined {
  const shared = commonDivisor(a.den, b.den);
  const num = a.num * (b.den / shared) + b.num * (a.den / shared);
  const canceled = commonDivisor(num, shared);
  return inLowestTerms(num / canceled, (a.den / shared) * (b.den / canceled));
}

export function subtract(a: Rational, b: Rational): Rational | undefined {
  return add(a, negate(b));
}

export function multiply(a: Rational, b: Rational): Rational | undefined {
  const [first, second] = [commonDivisor(a.num, b.den), commonDivisor(b.num, a.den)];
  return inLowestTerms((a.num / first) * (b.num / second), (a.den / second) * (b.den / first));
}

/** Undefined for a division by zero, too. */
export function divide(a: Rational, b: Rational): Rational | undefined {
  const inverse = b.num === 0n ? undefined : inLowestTerms(b.den, b.num);
  return inverse && multiply(a, inverse);
}

export function negate(a: Rational): Rational {
  return { num: -a.num, den: a.den };
}

/** Of a positive number, rounded up to full hexadecimal digits. */
function bitsOf(value: bigint): number {
  return magnitude(value).toString(16).length * 4;
}

/** Bits of the longer one of numerator and denominator. */
export function sizeOf({ num, den }: Rational): number {
  return Math.max(bitsOf(num), bitsOf(den));
}

/** A power with a whole exponent. Undefined for a power of zero that is not positive, and before anything over 4,096 bits is computed. */
export function power(base: Rational, exponent: bigint): Rational | undefined {
  if (base.num === 0n) return exponent > 0n ? ZERO : undefined;
  if (base.den === 1n && magnitude(base.num) === 1n)
    return base.num === 1n || exponent % 2n === 0n ? ONE : base;
  const times = magnitude(exponent);
  if (times > 4_096n || (BigInt(sizeOf(base)) - 4n) * times > 4_096n) return undefined;
  const [num, den] = [base.num ** times, base.den ** times];
  return exponent < 0n ? inLowestTerms(den, num) : inLowestTerms(num, den);
}

/** Below zero where `a` is the smaller one, zero where they are equal. */
export function compare(a: Rational, b: Rational): number {
  const [left, right] = [a.num * b.den, b.num * a.den];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function equal(a: Rational, b: Rational): boolean {
  return a.num === b.num && a.den === b.den;
}

export function isWhole(value: Rational): boolean {
  return value.den === 1n;
}

/** `7/2`, `-3`. */
export function toText({ num, den }: Rational): string {
  return den === 1n ? `${num}` : `${num}/${den}`;
}

/** The nearest double, as far as its digits go; infinite beyond 1.8e308. */
export function toNumber({ num, den }: Rational): number {
  const top = Math.max(0, bitsOf(num) - 1_000);
  const bottom = Math.max(0, bitsOf(den) - 1_000);
  return (Number(num >> BigInt(top)) / Number(den >> BigInt(bottom))) * 2 ** (top - bottom);
}

/** The largest whole number that is not above. */
export function floor({ num, den }: Rational): bigint {
  return num >= 0n || num % den === 0n ? num / den : num / den - 1n;
}

/** The whole root of a whole number that is not negative; undefined where there is none. `degree`: from 2 to 64. */
function wholeRoot(value: bigint, degree: number): bigint | undefined {
  const n = BigInt(degree);
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(bitsOf(value) / degree));
  for (;;) {
    const next = ((n - 1n) * guess + value / guess ** (n - 1n)) / n;
    if (next >= guess) break;
    guess = next;
  }
  return guess ** n === value ? guess : undefined;
}

/** The real root where it is rational; undefined otherwise. A root of even degree is not negative. */
export function root(value: Rational, degree: number): Rational | undefined {
  if (!Number.isInteger(degree) || degree < 2 || degree > 64) return undefined;
  if (value.num < 0n && degree % 2 === 0) return undefined;
  const den = wholeRoot(value.den, degree);
  const num = den === undefined ? undefined : wholeRoot(magnitude(value.num), degree);
  if (num === undefined || den === undefined) return undefined;
  return { num: value.num < 0n ? -num : num, den };
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d+))?$/;

/** `1250` for the group separators of `1,250`, `1{,}250`, `1,\!250`. */
const SEPARATORS = new RegExp(SEPARATOR, "g");
const GROUPED = new RegExp(String.raw`^[+-]?[1-9]\d{0,2}(?:(?:${SEPARATOR})\d{3})+(?:\.\d+)?$`);

/** The value of a decimal, with or without thousands separators; undefined where the text is none or has too many digits. */
export function parseNumber(text: string): Rational | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  const digits = GROUPED.test(text) ? text.replaceAll(SEPARATORS, "") : text;
  const [, sign, whole = "", fraction = ""] = DECIMAL.exec(digits) ?? [];
  if (sign === undefined || whole + fraction === "") return undefined;
  const value = rational(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
  return value === undefined || sign !== "-" ? value : negate(value);
}
