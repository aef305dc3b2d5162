import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exactValue } from "../../../../../src/domains/math/expression/evaluate.ts";
import { numericValue } from "../../../../../src/domains/math/expression/numeric.ts";
import { parseExpression } from "../../../../../src/domains/math/expression/parse.ts";
import {
  parseNumber,
  rational,
  root,
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
