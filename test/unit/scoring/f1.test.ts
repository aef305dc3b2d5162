import { existsSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactMatch, normaliseAnswer } from "../../../src/scoring/exact-match.ts";
import { tokenF1, wordOverlap } from "../../../src/scoring/f1.ts";

describe("F1 of the words", () => {
  it.each([
    ["the Walton family", "Walton family", 1],
    ["Sam Walton of Arkansas", "Sam Walton", 2 / 3],
    ["Sam", "Sam Walton", 2 / 3],
    ["New New York", "New York", 4 / 5],
    ["Paris", "London", 0],
    ["yes", "yes", 1],
    ["yes, he did", "yes", 0],
    ["no", "no way", 0],
    ["noanswer", "no answer", 0],
    ["", "Paris", 0],
    ["the", "a", 0],
  ])("of %j against %j", (answer, gold, f1) => expect(tokenF1(answer, [gold])).toBeCloseTo(f1, 12));

  it("comes with the precision and the recall of the accepted answer that fits best", () => {
    expect(wordOverlap("Sam Walton of Arkansas", ["Walmart", "Sam Walton"])).toEqual({
      precision: 1 / 2,
      recall: 1,
      f1: 2 / 3,
    });
    expect(wordOverlap("x", [])).toEqual({ precision: 0, recall: 0, f1: 0 });
  });

  it("sees no article in the end of a word with a letter beyond ASCII", () => {
    expect(normaliseAnswer("Peña the Éa")).toBe("peña éa");
    expect(exactMatch("Peña", ["Peñ"])).toBe(false);
  });

  it("lies between 0 and 1, is 1 for an answer with words that matches exactly, and does not care which side is gold", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const f1 = tokenF1(a, [b]);
        expect(f1 >= 0 && f1 <= 1).toBe(true);
        expect(tokenF1(b, [a])).toBeCloseTo(f1, 12);
        if (normaliseAnswer(a) !== "") expect(tokenF1(a, [a])).toBe(1);
      }),
    );
  });

  const fireact = new URL(
    "../../../../shared/data/trajectories/fireact-hotpotqa-even.jsonl",
    import.meta.url,
  );
  it.skipIf(!existsSync(fireact))(
    "and exact match are those that 717 FireAct rows were published with (skipped without ../shared/data)",
    () => {
      const rows = readFileSync(fireact, "utf8")
        .trimEnd()
        .split("\n")
        .map(
          (line) =>
            JSON.parse(line) as { pred: string; gold: string; em: boolean; f1: number; status: string },
        );
      expect(rows).toHaveLength(717);
      for (const { pred, gold, em, f1, status } of rows) {
        expect(exactMatch(pred, [gold])).toBe(em);
        expect(exactMatch(pred, [gold])).toBe(status === "correct");
        expect(tokenF1(pred, [gold])).toBeCloseTo(f1, 9);
      }
    },
  );
});
