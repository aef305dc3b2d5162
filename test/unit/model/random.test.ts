import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom, shuffled } from "../../../src/model/random.ts";

describe("seeded chance", () => {
  it("gives the same numbers for a seed on every machine", () => {
    const random = seededRandom(42);
    expect([random(), random(), random()].map((n) => n.toFixed(6))).toMatchInlineSnapshot(`
      [
        "0.601104",
        "0.448291",
        "0.852466",
      ]
    `);
    expect(shuffled([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], seededRandom(42))).toMatchInlineSnapshot(`
      [
        0,
        7,
        3,
        5,
        2,
        1,
        8,
        9,
        4,
        6,
      ]
    `);
  });

  it("stays within [0, 1)", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const number = seededRandom(seed)();
        expect(number >= 0 && number < 1).toBe(true);
      }),
    );
  });

  it("shuffles without losing or doubling anything, and leaves the original alone", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const before = [...items];
        const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b);
        expect(sorted(shuffled(items, seededRandom(seed)))).toEqual(sorted(items));
        expect(items).toEqual(before);
      }),
    );
  });

  it("puts every item in every place about equally often", () => {
    const places = [0, 0, 0, 0];
    for (let seed = 0; seed < 4_000; seed++) {
      const at = shuffled([0, 1, 2, 3], seededRandom(seed)).indexOf(0);
      places[at] = (places[at] ?? 0) + 1;
    }
    for (const count of places) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});
