import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundariesOf, splitOf, splitSizes, type SplitOptions } from "../../../src/evaluation/splits.ts";
import { SPLITS } from "../../../src/model/question-set.ts";
import type { Question } from "../../../src/harness/question.ts";

const many = (n: number): Question[] =>
  Array.from({ length: n }, (_, i) => ({ id: String(i), question: `Question ${i}?` }));
const idsOf = (n: number, options: Partial<SplitOptions> & Pick<SplitOptions, "split">): number[] =>
  (splitOf(many(n), { dataset: "musique", ...options }).value ?? []).map(({ id }) => Number(id));
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe("the splits of a thousand rows", () => {
  it("are the first 200 test and the next 800 pool", () => {
    expect(splitOf(many(1_000), { dataset: "hotpotqa", split: "test" }).diagnostics).toEqual([]);
    expect(idsOf(1_000, { split: "test" })).toEqual(range(0, 200));
    expect(idsOf(1_000, { split: "pool" })).toEqual(range(200, 1_000));
  });

  it("draw 50 seed and 50 validation rows from all that follows the test rows, the same every time", () => {
    const seed = idsOf(1_000, { split: "seed" });
    const val = idsOf(1_000, { split: "val" });
    expect([seed.length, val.length]).toEqual([50, 50]);
    expect(new Set([...seed, ...val]).size).toBe(100);
    expect(Math.min(...seed, ...val)).toBeGreaterThanOrEqual(200);
    expect(Math.min(...seed, ...val)).toBeLessThan(300);
    const train = range(200, 1_000).filter((id) => ![...seed, ...val].includes(id));
    expect(idsOf(1_000, { split: "train" })).toEqual(train);
    expect(idsOf(1_000, { split: "seed", seedRows: -1 })).toHaveLength(800);
    expect(seed.slice(0, 8)).toMatchInlineSnapshot(`
      [
        955,
        830,
        318,
        999,
        604,
        676,
        338,
        461,
      ]
    `);
    expect(idsOf(1_000, { split: "seed" })).toEqual(seed);
    expect(idsOf(1_000, { split: "seed", seed: 43 })).not.toEqual(seed);
  });

  it("cap seed and validation at half of a tail under 100 rows; -1 takes the whole tail as seed", () => {
    const boundaries = { tail: 61 };
    expect(idsOf(1_000, { split: "seed", boundaries })).toHaveLength(30);
    expect(idsOf(1_000, { split: "val", boundaries })).toHaveLength(30);
    const whole = idsOf(1_000, { split: "seed", boundaries, seedRows: -1 });
    expect(whole.toSorted((a, b) => a - b)).toEqual(range(939, 1_000));
    expect(splitOf(many(1_000), { dataset: "musique", split: "val", seedRows: -1 }).value).toBeUndefined();
  });
});

describe("the splits of another number of rows", () => {
  it("are in proportion where there are fewer, and that is said", () => {
    expect(boundariesOf(100, "hotpotqa")).toEqual({ test: 20, pool: 80, tail: 80 });
    expect(idsOf(100, { split: "seed" })).toHaveLength(40);
    expect(idsOf(100, { split: "val" })).toHaveLength(40);
    const { value, diagnostics } = splitOf(many(100), { dataset: "hotpotqa", split: "test" });
    expect(value).toHaveLength(20);
    expect(diagnostics).toMatchObject([{ code: "HASP565", severity: "information" }]);
    expect(diagnostics[0]?.message).toContain("20 test, 80 pool");
  });

  it("take the first thousand where there are more, and say how many are left", () => {
    expect(idsOf(1_200, { split: "pool" }).at(-1)).toBe(999);
    const { diagnostics } = splitOf(many(1_200), { dataset: "musique", split: "pool" });
    expect(diagnostics[0]?.message).toContain("200 are in none");
  });

  it("of Bamboogle are all test", () => {
    expect(idsOf(125, { dataset: "bamboogle", split: "test" })).toHaveLength(125);
    const { value, diagnostics } = splitOf(many(125), { dataset: "bamboogle", split: "seed" });
    expect(value).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "HASP565", severity: "information" }]);
    expect(diagnostics[0]?.message).toContain("bamboogle has no tail: all of its 125 questions are test.");
  });

  it("have no question twice in different words, though the file has it twice", () => {
    const asked = many(300).map(({ id, question }, i) => ({
      id,
      // Each third row asks what another row asks, in another notation.
      question: i % 3 === 0 ? ` the QUESTION ${(i * 7 + 1) % 300}` : question,
    }));
    const textsOf = (split: SplitOptions["split"]): Set<string> => {
      const { value = [] } = splitOf(asked, {
        dataset: "musique",
        split,
        boundaries: { test: 60, pool: 240 },
      });
      return new Set(value.map(({ question }) => question.toLowerCase().replaceAll(/the |[ ?]/g, "")));
    };
    const [test, train, seed, val] = [textsOf("test"), textsOf("train"), textsOf("seed"), textsOf("val")];
    expect([seed.size > 40, val.size > 40, train.size > 50]).toEqual([true, true, true]);
    expect([...train].filter((text) => test.has(text) || seed.has(text) || val.has(text))).toEqual([]);
    expect([...val].filter((text) => seed.has(text) || test.has(text))).toEqual([]);
    expect([...seed].filter((text) => test.has(text))).toEqual([]);
  });

  it.each([
    [{ test: 90, pool: 50 }, "more than the 100 questions"],
    [{ test: 10, pool: 50, tail: 60 }, "longer than the pool"],
    [{ test: -1 }, "no whole number"],
    [{ test: 101 }, "more than the 100 questions"],
    [{ pool: 101 }, "more than the 100 questions"],
    [{ tail: 1.5 }, "no whole number"],
  ])("with boundaries %j that do not fit are refused", (boundaries, why) => {
    const { value, diagnostics } = splitOf(many(100), { dataset: "musique", split: "test", boundaries });
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "HASP566", message: expect.stringContaining(why) as string }]);
    expect(splitSizes(many(100), { dataset: "musique", boundaries })).toBeUndefined();
  });

  it("keep test, train, seed and validation apart, whatever the sizes", () => {
    const small = fc.nat({ max: 40 });
    fc.assert(
      fc.property(
        fc.nat({ max: 130 }),
        small,
        small,
        fc.option(small),
        fc.integer(),
        (n, seedRows, valRows, tail, seed) => {
          const options = { seedRows, valRows, seed, ...(tail !== null && { boundaries: { tail } }) };
          const parts = (["test", "train", "seed", "val"] as const).map((split) =>
            idsOf(n, { ...options, split }),
          );
          const all = parts.flat();
          expect(new Set(all).size).toBe(all.length);
          const sizes = splitSizes(many(n), { dataset: "musique", ...options });
          for (const split of SPLITS) {
            const { value } = splitOf(many(n), { dataset: "musique", ...options, split });
            if (sizes !== undefined) expect(value?.length ?? 0).toBe(sizes[split]);
          }
        },
      ),
    );
  });
});
