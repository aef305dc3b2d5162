import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInSplit, parseSplit, partOf, SPLIT_SEED } from "../../../src/trace/question-split.ts";

const split = (parts: readonly number[], of: number, seed = SPLIT_SEED) => ({ parts, of, seed });

describe("parts of the questions", () => {
  it("has every question in exactly one part", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 20 }), fc.nat(), (question, of, seed) => {
        const all = Array.from({ length: of }, (_, i) => i + 1);
        expect(all.filter((part) => isInSplit(question, split([part], of, seed)))).toEqual([
          partOf(question, { of, seed }),
        ]);
      }),
    );
  });

  it("puts all tries at a question on one side, whatever blanks stand around it", () => {
    const question = "Where did the hijacked plane crash?";
    expect(partOf(` ${question} `, split([], 3))).toBe(partOf(question, split([], 3)));
  });

  it("deals questions out evenly, and anew with another seed", () => {
    const questions = Array.from({ length: 3000 }, (_, i) => `Question ${i}?`);
    const part = (seed: number) => questions.filter((question) => isInSplit(question, split([3], 3, seed)));
    expect(part(SPLIT_SEED).length).toBeGreaterThan(900);
    expect(part(SPLIT_SEED).length).toBeLessThan(1100);
    expect(part(SPLIT_SEED)).not.toEqual(part(1));
  });

  it("stays as it is: figures were reported with it", () => {
    const questions = ["Who?", "Where is Trivor?", "Who was born first?", "How many books are there?"];
    expect(questions.map((question) => partOf(question, split([], 3)))).toMatchInlineSnapshot(`
      [
        1,
        1,
        1,
        2,
      ]
    `);
  });
});

describe("--split", () => {
  it.each([
    ["3/3", [3], 3],
    ["1,2/3", [1, 2], 3],
    [" 2 , 2 / 5 ", [2], 5],
    ["1/1", [1], 1],
  ])("reads %j", (text, parts, of) => {
    expect(parseSplit(text)).toEqual({ parts, of });
  });

  it.each(["", "3", "0/3", "4/3", "1/0", "1.5/3", "-1/3", "1-2/3", "1,/3", "a/b", "1/3/3", "99999/99999"])(
    "does not read %j",
    (text) => {
      expect(parseSplit(text)).toBeUndefined();
    },
  );
});
