import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exactValue } from "../../../../../src/domains/math/expression/evaluate.ts";
import { boundedValue, numericValue } from "../../../../../src/domains/math/expression/numeric.ts";
import { parseExpression } from "../../../../../src/domains/math/expression/parse.ts";
import {
  add,
  divide,
  multiply,
  parseNumber,
  power,
  rational,
  root,
  subtract,
  toNumber,
  toText,
  type Rational,
} from "../../../../../src/domains/math/expression/rational.ts";

/** A sum of numbers, products and quotients, as plain text, as LaTeX, and what JavaScript makes of it. */
interface Written {
  readonly plain: string;
  readonly latex: string;
  readonly value: number;
}

const { expression } = fc.letrec<{ expression: Written }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5 },
    fc.integer({ min: 1, max: 99 }).map((n) => ({ plain: `${n}`, latex: `${n}`, value: n })),
    fc
      .tuple(tie("expression"), tie("expression"), fc.constantFrom("+", "-", "*", "/"))
      .map(([a, b, sign]) => ({
        plain: `(${a.plain}) ${sign} (${b.plain})`,
        latex: latexOf(a.latex, b.latex, sign),
        value: valueOf(a.value, b.value, sign),
      })),
  ),
}));

function latexOf(a: string, b: string, sign: string): string {
  if (sign === "/") return String.raw`\frac{${a}}{${b}}`;
  if (sign === "*") return String.raw`\left(${a}\right)\left(${b}\right)`;
  return String.raw`\left(${a}\right) ${sign} {${b}}`;
}

function valueOf(a: number, b: number, sign: string): number {
  if (sign === "/") return a / b;
  if (sign === "*") return a * b;
  return sign === "+" ? a + b : a - b;
}

const exact = (text: string): Rational | undefined => {
  const parsed = parseExpression(text);
  return parsed && exactValue(parsed);
};

test("plain text and LaTeX have one exact value, near that of doubles", () => {
  fc.assert(
    fc.property(expression, ({ plain, latex, value }) => {
      const made = exact(plain);
      expect(made && toText(made)).toBe(((same) => same && toText(same))(exact(latex)));
      if (made === undefined || Math.abs(value) < 1e-6) return;
      expect(toNumber(made) / value).toBeCloseTo(1, 6);
      const numeric = numericValue(parseExpression(plain)!);
      expect(numeric && numeric.re / value).toBeCloseTo(1, 6);
    }),
  );
});

test("sums, products, quotients and powers are in lowest terms", () => {
  const part = fc.bigInt({ min: -1_000n, max: 1_000n });
  fc.assert(
    fc.property(part, part, part, part, fc.bigInt({ min: -5n, max: 5n }), (a, b, c, d, exponent) => {
      const [x, y] = [rational(a, b), rational(c, d)];
      if (x === undefined || y === undefined) return;
      expect(add(x, y)).toEqual(rational(a * d + c * b, b * d));
      expect(subtract(x, y)).toEqual(rational(a * d - c * b, b * d));
      expect(multiply(x, y)).toEqual(rational(a * c, b * d));
      expect(divide(x, y)).toEqual(rational(a * d, b * c));
      const times = exponent < 0n ? -exponent : exponent;
      if (a === 0n) return;
      expect(power(x, exponent)).toEqual(
        exponent < 0n ? rational(b ** times, a ** times) : rational(a ** times, b ** times),
      );
    }),
  );
});

test("a root is exact, or there is none", () => {
  const natural = fc.bigInt({ min: 1n, max: 10n ** 30n });
  fc.assert(
    fc.property(natural, natural, fc.integer({ min: 2, max: 7 }), (num, den, degree) => {
      const value = rational(num ** BigInt(degree), den ** BigInt(degree));
      expect(value && root(value, degree)).toEqual(rational(num, den));
      const next = rational(num ** BigInt(degree) + 1n);
      expect(next && root(next, degree)).toBeUndefined();
    }),
  );
});

/** Two ways to write one number, with `A` and `B` for whole numbers. */
const IDENTITIES: readonly (readonly [string, string])[] = [
  [String.raw`(\sqrt{A}+\sqrt{B})^2`, String.raw`A+B+2\sqrt{AB}`],
  [String.raw`\ln(e^{A/B})`, "A/B"],
  [String.raw`\sin^2(A/B)+\cos^2(A/B)`, "1"],
  [String.raw`\sin(A\pi/B)`, String.raw`\cos(\pi/2-A\pi/B)`],
  [String.raw`e^{A}e^{-B}`, "e^{A-B}"],
  [String.raw`\pi^{A/B}`, String.raw`e^{\frac{A}{B}\ln\pi}`],
  [String.raw`\sqrt[3]{A}\sqrt[3]{B}`, String.raw`\sqrt[3]{AB}`],
  [String.raw`\arctan(A/B)+\arctan(B/A)`, String.raw`\pi/2`],
  [String.raw`\sinh(A/B)+\cosh(A/B)`, "e^{A/B}"],
  [String.raw`\tanh(A/B)`, String.raw`\frac{\sinh(A/B)}{\cosh(A/B)}`],
  [String.raw`\cosh(iA/B)`, String.raw`\cos(A/B)`],
  [String.raw`(\sqrt{A}+i)(\sqrt{A}-i)`, "A+1"],
  [String.raw`\frac{1}{\sqrt{A}+i}`, String.raw`\frac{\sqrt{A}-i}{A+1}`],
  [String.raw`(\sqrt{A}+i)^5`, String.raw`(\sqrt{A}+i)^2(\sqrt{A}+i)^3`],
  [String.raw`\arcsin(\sqrt{A/(A+B)})+\arccos(\sqrt{A/(A+B)})`, String.raw`\pi/2`],
  [String.raw`\log_{A+1}(B\pi)`, String.raw`\frac{\ln B+\ln\pi}{\ln(A+1)}`],
];

test("two ways to compute one number differ by no more than the bounds of their errors", () => {
  const natural = fc.integer({ min: 1, max: 300 });
  fc.assert(
    fc.property(fc.constantFrom(...IDENTITIES), natural, natural, (texts, a, b) => {
      const [left, right] = texts.map((text) =>
        boundedValue(parseExpression(text.replaceAll("A", `(${a})`).replaceAll("B", `(${b})`))!),
      );
      if (left === undefined || right === undefined) return;
      const distance = Math.hypot(left.value.re - right.value.re, left.value.im - right.value.im);
      expect(distance).toBeLessThanOrEqual(left.error + right.error);
      expect(left.error).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.hypot(left.value.re, left.value.im)));
    }),
    { numRuns: 3_000 },
  );
});

test("a number has at most 4,096 bits, and its text is read back", () => {
  expect(parseNumber("9".repeat(1_233))).toBeDefined();
  expect(parseNumber("9".repeat(1_234))).toBeUndefined();
  expect(rational(1n << 4_096n)).toBeUndefined();
  expect(rational(1, 0)).toBeUndefined();
  fc.assert(
    fc.property(fc.bigInt(), fc.nat({ max: 30 }), (digits, places) => {
      const value = rational(digits, 10n ** BigInt(places));
      const text = digits
        .toString()
        .replace("-", "")
        .padStart(places + 1, "0");
      const at = text.length - places;
      const decimal = `${digits < 0n ? "-" : ""}${text.slice(0, at)}${places > 0 ? "." : ""}${text.slice(at)}`;
      expect(parseNumber(decimal)).toEqual(value);
    }),
  );
});
