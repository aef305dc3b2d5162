import { expect, test } from "vitest";
import { boxesOf } from "../../../../../src/domains/math/judge/extract.ts";
import { compareAnswers } from "../../../../../src/domains/math/judge/same-answer.ts";

const same = (given: string, accepted: string): boolean | undefined =>
  compareAnswers(given, accepted, "").same;

const MEGABYTE = 1_000_000;
/** Far over what it takes alone: other tests share the machine. */
const LIMIT_MS = 1_000;

const BAD: readonly (readonly [string, string])[] = [
  ["unbalanced braces", "{".repeat(5_000)],
  ["a fraction that does not close", String.raw`\frac{1}{2`],
  ["brackets that do not close", "(".repeat(5_000)],
  ["5,000 brackets around a number", `${"(".repeat(5_000)}1${")".repeat(5_000)}`],
  ["900 brackets around a number", `${"(".repeat(900)}1${")".repeat(900)}`],
  ["tuples within tuples", `${"(1,".repeat(400)}2${")".repeat(400)}`],
  ["sets within sets", String.raw`\{`.repeat(400) + String.raw`\}`.repeat(400)],
  ["a tower of powers", "9^".repeat(900) + "9"],
  ["a braced tower", `${"9^{".repeat(90)}9${"}".repeat(90)}`],
  ["a tower of roots", String.raw`\sqrt`.repeat(300) + "2"],
  ["factorials", `5${"!".repeat(1_900)}`],
  ["signs", `${"-".repeat(1_900)}5`],
  ["a long sum of fractions", Array.from({ length: 150 }, (_, n) => `1/${n * 31 + 10_007}`).join("+")],
  ["a long set of functions", Array.from({ length: 40 }, (_, n) => String.raw`\sqrt{x+${n}}`).join(", ")],
  ["unicode digits", "٣٤"],
  ["many boxes that do not close", String.raw`\boxed{`.repeat(100_000)],
  ["blank lines", "\n".repeat(MEGABYTE)],
  ["a megabyte of digits", "7".repeat(MEGABYTE)],
  ["a megabyte of words", "so it is ".repeat(MEGABYTE / 9)],
  ["labels", "answer is ".repeat(MEGABYTE / 10)],
  ["spaces behind a label", `answer${" ".repeat(MEGABYTE)}`],
  ["spaces behind a sign", `7^${" ".repeat(1_900)}x`],
  ["spacing behind a sign", `7^${String.raw`\;`.repeat(990)}x`],
  ["spaces in a text", String.raw`\text{${" ".repeat(19_000)},}`],
  ["blank lines within", `a${"\n".repeat(19_000)}b`],
  ["relations", "=<".repeat(MEGABYTE / 2)],
  ["commas", "1,".repeat(MEGABYTE / 2)],
  ["texts", String.raw`\text{`.repeat(MEGABYTE / 6)],
  ["a matrix that does not end", String.raw`\begin{pmatrix}` + String.raw`\end{pmatrix`.repeat(1_000)],
  ["NUL and lone surrogates", "\0\uD800\uDFFF5"],
];

test.each(BAD)("%s: never right, and soon", (_, text) => {
  const start = performance.now();
  expect(same(text, "5")).not.toBe(true);
  expect(same("5", text)).not.toBe(true);
  expect(same(text, text)).toBe(true);
  expect(performance.now() - start).toBeLessThan(LIMIT_MS);
});

test("numbers of 10,000 digits are compared as texts", () => {
  const long = "7".repeat(10_000);
  expect(same(long, long)).toBe(true);
  expect(same(`${long.slice(1)}8`, long)).toBeUndefined();
});

test("a megabyte of working before a box is no part of the answer", () => {
  const working = "First 3 + 4 = 7.\n".repeat(MEGABYTE / 17);
  expect(same(String.raw`${working}\boxed{5}`, "5")).toBe(true);
  expect(same(String.raw`${working}\boxed{6}`, "5")).toBe(false);
});

test("of two boxes the last one counts, and without a box the last line", () => {
  expect(same(String.raw`\boxed{4} or rather \boxed{5}`, "5")).toBe(true);
  expect(same(String.raw`\boxed{5} or rather \boxed{4}`, "5")).toBe(false);
  expect(same("4\n5", "5")).toBe(true);
});

test("of a box within a box the inner one counts, also where several boxes are one answer", () => {
  const inner = String.raw`\boxed{2,\boxed{5}}`;
  expect(boxesOf(inner)).toEqual(["5"]);
  expect(same(inner, "5")).toBe(true);
  expect(same(inner, "(2,5)")).not.toBe(true);
  expect(boxesOf(String.raw`\boxed{2} and \boxed{7 or \boxed{5}}`)).toEqual(["2", "5"]);
  expect(boxesOf(String.raw`\boxed{2 and \boxed{5}`)).toEqual(["5"]);
});
