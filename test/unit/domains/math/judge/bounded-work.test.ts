import { expect, test } from "vitest";
import { Comparison } from "../../../../../src/domains/math/judge/compare.ts";
import { readShape } from "../../../../../src/domains/math/judge/read-shape.ts";
import { wantedBy } from "../../../../../src/domains/math/judge/wanted.ts";

const r = String.raw;

function list(length: number, member: (n: number) => string): string {
  return Array.from({ length }, (_, n) => member(n)).join(",");
}

const set = (inner: string): string => r`\{${inner}\}`;

function judged(given: string, accepted: string) {
  const comparison = new Comparison(wantedBy(""));
  const same = comparison.same(readShape(given), readShape(accepted));
  return { same, leaves: comparison.leaves, pairs: comparison.pairs };
}

const nested = (name: string): string => list(12, () => set(list(6, () => set(list(10, () => name)))));

/** Sets that have far more pairs of members than are compared. */
test.each([
  [
    "sets that stay undecided",
    list(38, () => set(list(14, () => "x!"))),
    list(38, () => set(list(14, () => "y!"))),
  ],
  ["sets of sets", nested("x"), nested("y")],
  [
    "functions of large numbers",
    list(40, (n) => `7^{1400}x^{20}+${n}`),
    list(40, (n) => `7^{1400}x^{20}+${n + 50}`),
  ],
  [
    "equations of a high degree",
    list(39, (n) => `x^{${n + 30}}y^2=1`),
    list(39, (n) => `2x^{${68 - n}}y^2=2`),
  ],
  ["sets of tuples", list(40, (n) => `(x!,${n})`), list(40, (n) => `(y!,${n})`)],
])("%s: never right, after a bounded number of comparisons", (_, given, accepted) => {
  const { same, leaves, pairs } = judged(given, accepted);
  expect(same).not.toBe(true);
  expect(leaves).toBeLessThanOrEqual(2_010);
  expect(pairs).toBeLessThanOrEqual(10_000);
});

test("the first member that is found ends the search for it, and no member of the other side is looked for twice", () => {
  const forth = list(40, (n) => `${n}+0`);
  expect(
    judged(
      forth,
      list(40, (n) => `${n}`),
    ),
  ).toMatchObject({ same: true, leaves: 820 });
  expect(
    judged(
      forth,
      list(40, (n) => `${39 - n}`),
    ),
  ).toMatchObject({ same: true, leaves: 820 });
});

test("a member that is nowhere on the other side ends the comparison", () => {
  const { same, leaves } = judged(
    list(40, (n) => `${n + 50}`),
    list(40, (n) => `${n}`),
  );
  expect(same).toBe(false);
  expect(leaves).toBe(40);
});
