import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareAnswers } from "../../../../../src/domains/math/judge/same-answer.ts";

const same = (given: string, accepted: string): boolean | undefined =>
  compareAnswers(given, accepted, "How much is it?").same;

const whole = fc.integer({ min: -1_000_000, max: 1_000_000 });
const natural = fc.integer({ min: 1, max: 1_000 });
const fraction = fc.record({ num: fc.integer({ min: -1_000, max: 1_000 }), den: natural });

/** Denominators of decimals that end. */
const ending = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
  .map(([a, b]) => 2 ** a * 5 ** b);

const WRAPPINGS: readonly ((value: string) => string)[] = [
  (value) => `$${value}$`,
  (value) => String.raw`\(${value}\)`,
  (value) => String.raw`\[ ${value} \]`,
  (value) => String.raw`\boxed{${value}}`,
  (value) => String.raw`So it is $\boxed{ ${value} }$.`,
  (value) => `  ${value} .`,
  (value) => `I add both.\nThe answer is ${value}.`,
  (value) => `**${value}**`,
  (value) => `x = ${value}`,
];
const wrapping = fc.constantFrom(...WRAPPINGS);

test("a fraction is the same in LaTeX, plain, shortened or not, and within anything that means nothing", () => {
  fc.assert(
    fc.property(fraction, natural, wrapping, ({ num, den }, factor, wrap) => {
      const accepted = String.raw`\frac{${num}}{${den}}`;
      expect(same(wrap(`${num * factor}/${den * factor}`), accepted)).toBe(true);
      expect(same(wrap(String.raw`\dfrac{${-num}}{${-den}}`), accepted)).toBe(true);
      expect(same(wrap(String.raw`\left( \frac{${num}}{${den}} \right)`), accepted)).toBe(true);
    }),
  );
});

test("a decimal that ends is its fraction, with zeros behind it or not", () => {
  fc.assert(
    fc.property(fc.integer({ min: -10_000, max: 10_000 }), ending, (num, den) => {
      const decimal = (num / den).toFixed(12);
      expect(same(decimal, `${num}/${den}`)).toBe(true);
      expect(same(String.raw`\frac{${num}}{${den}}`, String(num / den))).toBe(true);
    }),
  );
});

test("thousands may be grouped", () => {
  fc.assert(
    fc.property(whole, wrapping, (value, wrap) => {
      const grouped = value.toLocaleString("en-US");
      expect(same(wrap(grouped), String(value))).toBe(true);
      expect(same(wrap(grouped.replaceAll(",", "{,}")), String(value))).toBe(true);
      expect(same(wrap(grouped.replaceAll(",", String.raw`,\!`)), String(value))).toBe(true);
    }),
  );
});

test("another digit or the other sign is another number", () => {
  fc.assert(
    fc.property(whole, fc.nat(), fc.integer({ min: 1, max: 9 }), wrapping, (value, place, more, wrap) => {
      const digits = String(Math.abs(value));
      const at = place % digits.length;
      const digit = String((Number(digits[at]) + more) % 10);
      const changed = digits.slice(0, at) + digit + digits.slice(at + 1);
      expect(same(wrap(changed), digits)).toBe(false);
      expect(same(wrap(digits), `-${digits}`)).toBe(value === 0);
    }),
  );
});

test("the order of a set makes no difference, that of a tuple does", () => {
  const members = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(members, fc.boolean(), (values, isBraced) => {
      const list = (of: readonly number[]): string => of.join(", ");
      const set = isBraced ? String.raw`\{${list(values)}\}` : list(values);
      expect(same(list(values.toReversed()), set)).toBe(true);
      expect(same(list([...values.slice(1), 99]), set)).toBe(false);
      expect(same(`(${list(values)})`, `(${list(values.toReversed())})`)).toBe(false);
      expect(same(`( ${values.join(" ,")} )`, `(${list(values)})`)).toBe(true);
    }),
  );
});

test("a product of roots and π is the same in any order", () => {
  fc.assert(
    fc.property(natural, natural, (a, b) => {
      expect(same(String.raw`${a}\pi\sqrt{${b}}`, String.raw`\sqrt{${a * a * b}} \cdot π`)).toBe(true);
      expect(same(String.raw`${a + 1}\pi\sqrt{${b}}`, String.raw`\sqrt{${a * a * b}} \cdot π`)).toBe(false);
    }),
  );
});

const PIECES = [
  ...Array.from("0123456789.,;:+-*/^_=<>()[]{}|!%$xyeiπ∞√½²≤±∪∈ \n\\"),
  ...String.raw`\frac \sqrt \boxed{ \text{ \left( \right) \pm \cup \begin{pmatrix} \end{pmatrix} \log_ \pi \circ and or 10^ {,}`.split(
    " ",
  ),
];

test("any text is judged without a failure, the same as itself unless it is empty, and fast", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 80 }).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, text, (a, b) => {
      compareAnswers(a, b, "");
      expect(same(a, a)).toBe(true);
      const forth = compareAnswers(a, b, "").same;
      // Only a broken chain is wrong as an answer, and unreadable as an accepted one.
      if (forth === true) expect(compareAnswers(b, a, "").same).not.toBe(false);
    }),
    { numRuns: 3_000 },
  );
});
