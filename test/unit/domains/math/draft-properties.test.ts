import fc from "fast-check";
import { expect, test } from "vitest";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";

const MOST = 100;
/** Milliseconds for a text of a megabyte in all three places, on a busy machine. */
const BOUND = 6_000;

function read(text: string): void {
  const draft = readDraft({ question: text, thought: text, answer: text });
  for (const list of Object.values(draft))
    if (Array.isArray(list)) expect(list.length).toBeLessThanOrEqual(MOST);
}

const pieces = fc.constantFrom(
  ..."1 2.5 .7 12,000 = ≈ + - * / ^ ( ) [ ] { } $ % ! , . : ; _ & | < > << >> x y a of half dollars times than and".split(
    " ",
  ),
  ..."\\frac{ \\frac{1}{2} \\sqrt \\sqrt{4} \\text{ \\times \\( \\) \\[ \\] \\\\ \\begin{align} ^{ ^\\circ \\$ \\% ... 5th 1:30 ٣ é 1/2".split(
    " ",
  ),
  " ",
  "\n",
);

test("property: no text makes the reading throw, and every list is bounded", () => {
  fc.assert(fc.property(fc.array(pieces, { maxLength: 60 }), (some) => read(some.join(""))));
  fc.assert(fc.property(fc.array(pieces, { maxLength: 60 }), (some) => read(some.join(" "))));
});

test("property: a true equation of whole numbers holds, and one that is off by one or more does not", () => {
  const whole = fc.integer({ min: 0, max: 9_999 });
  fc.assert(
    fc.property(
      whole,
      whole,
      fc.constantFrom("+", "*"),
      fc.integer({ min: 1, max: 99 }),
      (a, b, sign, off) => {
        const value = sign === "+" ? a + b : a * b;
        const thought = `That is ${a} ${sign} ${b} = ${value} in all.\nThat is ${a} ${sign} ${b} = ${value + 200 + off} in all.`;
        const { equations } = readDraft({ question: "", thought, answer: "" });
        expect(equations.map(({ holds }) => holds)).toEqual([true, false]);
      },
    ),
  );
});

test("property: a linear equation is solved, and the solution passes as the answer", () => {
  const some = fc.integer({ min: -50, max: 50 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 30 }), some, some, (slope, constant, solution) => {
      const equation = `${slope}x + ${Math.abs(constant)} = ${slope * solution + Math.abs(constant)}`;
      const question = `If ${equation}, what is x?`;
      const { solved, checks } = readDraft({ question, thought: equation, answer: `${solution}` });
      expect(solved).toEqual([{ text: equation, variable: "x", solution: `${solution}` }]);
      expect(checks).toMatchObject([{ holds: true }]);
    }),
  );
});

test.each(
  Object.entries({
    digits: "7".repeat(1e6),
    brackets: "(".repeat(1e6),
    relations: "=".repeat(1e6),
    sum: `${"1+".repeat(5e5)}1=2`,
    words: "a ".repeat(5e5),
    fractions: "\\frac{".repeat(1.6e5),
    "fractions in fractions": "\\frac{1}{".repeat(1e5),
    powers: "^{".repeat(3e5),
    towers: "9^9^9^9^9^9 = 3\n".repeat(6e4),
    factorials: "99999!*99999! = 3\n".repeat(5e4),
    lines: "\n".repeat(1e6),
    blanks: "x".padEnd(50).repeat(2e4),
    marks: "= <<".repeat(2e5),
    money: "$5".repeat(5e5),
    units: "5/a ".repeat(2.5e5),
    chain: "x = ".repeat(2.5e5),
    minus: "-".repeat(1e6),
    "unicode digits": "٣".repeat(5e5),
    equations: "So 12 * 7 = 84 and x + 3 = 5, clearly.\n".repeat(2.5e4),
  }),
)("a megabyte of %s is read in time", (_, text) => {
  const start = performance.now();
  read(text);
  expect(performance.now() - start).toBeLessThan(BOUND);
});
