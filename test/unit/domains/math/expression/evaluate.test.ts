import { expect, test } from "vitest";
import { splitRelations } from "../../../../../src/domains/math/expression/chains.ts";
import { exactValue } from "../../../../../src/domains/math/expression/evaluate.ts";
import { variablesOf } from "../../../../../src/domains/math/expression/expression.ts";
import { numericValue } from "../../../../../src/domains/math/expression/numeric.ts";
import { parseExpression } from "../../../../../src/domains/math/expression/parse.ts";
import { parseNumber, toText } from "../../../../../src/domains/math/expression/rational.ts";

function exact(text: string): string | undefined {
  const expression = parseExpression(text);
  const value = expression && exactValue(expression);
  return value && toText(value);
}

test.each([
  [String.raw`\frac12`, "1/2"],
  [String.raw`\dfrac{3}{4} + \tfrac14`, "1"],
  [String.raw`3\frac{1}{2}`, "7/2"],
  ["-3 1/2", "-7/2"],
  [String.raw`2\frac{3}{2}`, "3"],
  ["3,250", "3250"],
  [String.raw`3{,}\!250`, "3250"],
  [String.raw`\Biggl(\frac12\Biggr) + 1`, "3/2"],
  ["3{,}250.5", "6501/2"],
  [String.raw`3,\!250`, "3250"],
  [String.raw`12\,345`, "12345"],
  [String.raw`50\%`, "1/2"],
  ["2**3 ÷ 4 × 5 − 1", "9"],
  ["-2^2", "-4"],
  ["2^{3^2}", "512"],
  ["2^-1", "1/2"],
  ["3² + ½", "19/2"],
  ["2^3!", "64"],
  [String.raw`\binom{5}{2}`, "10"],
  [String.raw`\log_2 8 + \log 1000`, "6"],
  [String.raw`\sqrt[3]{-8}`, "-2"],
  ["(-8)^{1/3}", "-2"],
  ["√16 + sqrt(9)", "7"],
  [String.raw`\left|-3\right| + \lfloor 3.7 \rfloor`, "6"],
  [String.raw`5 \text{ cm} \times 3 \text{ cm}^2`, "15"],
  [String.raw`\$5 + \$3`, "8"],
  [String.raw`0.1\overline{6}`, "1/6"],
  ["1e6", "1000000"],
  ["10/4/5", "1/2"],
  // A mixed number is no exponent without braces, no base of a logarithm, and not under a root without braces.
  [String.raw`2^3\frac{1}{2}`, "4"],
  [String.raw`10^3\frac12`, "500"],
  [String.raw`2^{-1\frac12 \cdot 2}`, "1/8"],
  [String.raw`10^-3\frac12`, "1/2000"],
  [String.raw`\sqrt4\frac{1}{2}`, "1"],
  [String.raw`\log_2\frac{1}{8}`, "-3"],
  [String.raw`\log_3\frac19`, "-2"],
  ["10⁻³", "1/1000"],
  ["2⁻¹² · 2¹⁰", "1/4"],
])("%s is %s", (text, value) => {
  expect(exact(text)).toBe(value);
});

test.each([
  "",
  "yes",
  "2 3",
  "5.",
  "1,234,5678",
  "10⁻",
  "10³½",
  String.raw`\frac{1}{2`,
  String.raw`5 \text{ or } 6`,
  "٣",
  "(".repeat(5_000),
  "2".repeat(3_900),
])("%s is no expression", (text) => {
  expect(parseExpression(text)).toBeUndefined();
});

test.each(["1/0", "0^0", "2^{2^{2^{2^2}}}", "9^{-9^9}", "900!", String.raw`\infty`])(
  "%s has no value",
  (text) => {
    const expression = parseExpression(text);
    expect(expression).toBeDefined();
    expect(expression && exactValue(expression)).toBeUndefined();
    expect(expression && numericValue(expression)).toBeUndefined();
  },
);

test("irrational values are doubles, complex where they must be", () => {
  const value = (text: string) => numericValue(parseExpression(text)!)!;
  expect(value(String.raw`\sin 30^\circ`).re).toBeCloseTo(0.5, 14);
  expect(value("2pi").re).toBeCloseTo(6.283185307179586, 14);
  expect(value(String.raw`\sqrt{-4}`)).toEqual({ re: 0, im: 2 });
  expect(value(String.raw`e^{i\pi}`).re).toBeCloseTo(-1, 14);
});

test("variables have their index and get their values", () => {
  const expression = parseExpression(String.raw`x_{12}\sin x_1 + ab^2 - \alpha`)!;
  expect(variablesOf(expression)).toEqual(["x_12", "x_1", "a", "b", "alpha"]);
  const value = exactValue(
    parseExpression("ab^2")!,
    new Map(["a", "b"].map((name) => [name, parseNumber("3")!])),
  );
  expect(value && toText(value)).toBe("27");
});

test("a chain has its sides and relations", () => {
  const chain = splitRelations(String.raw`2^{10} = 1{,}024 < 2(x+1) \le y`);
  expect(chain.relations).toEqual(["=", "<", "≤"]);
  expect(chain.sides).toEqual(["2^{10}", "1{,}024", "2(x+1)", "y"]);
  expect(splitRelations("2 + 2")).toEqual({ sides: ["2 + 2"], relations: [] });
  expect(splitRelations(String.raw`f(a = b) != c \leqslant d \left e`)).toEqual({
    sides: ["f(a = b)", "c", String.raw`d \left e`],
    relations: ["≠", "≤"],
  });
});
