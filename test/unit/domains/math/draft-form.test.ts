import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";

const draftOf = (question: string, thought: string, answer = "0"): ReturnType<typeof readDraft> =>
  readDraft({ question, thought, answer });

const TRIPLES = `By Vieta, pqr = -10. Ordered triples:
(1, 2, -5) -> (2, -13)
(1, -5, 2) -> (2, -13)
(-1, 2, 5) -> (-6, 3)
(5, -1, 2) -> (-6, 3)
(-1, -2, -5) -> (8, 17)
Each ordering gives a unique pair.`;

describe("cases", () => {
  it("are lines with their name", () => {
    const thought =
      "We look at the sign.\nCase 1: x > 0, so x = 3.\n**Case 2:** x < 0, so x = -1.\nSo there are two.";
    expect(draftOf("", thought).cases).toEqual(["Case 1: x > 0, so x = 3.", "**Case 2:** x < 0, so x = -1."]);
  });

  it("are no sentences that sum them up, where lines begin with them", () => {
    const thought = "Case 1: 4 ways.\nCase 2: 3 ways.\nAdding case 1 and case 2 gives 7.";
    expect(draftOf("", thought).cases).toEqual(["Case 1: 4 ways.", "Case 2: 3 ways."]);
    const inside = "In the first case there are 4 ways.\nThe second case has 3.";
    expect(draftOf("", inside).cases).toHaveLength(2);
  });

  it("are values that are tried", () => {
    const thought = "n = 1: 7 is prime.\nIf n = 2, then 11 is prime.\n- n = 3 gives 17.\nm = 4: no.";
    expect(draftOf("", thought).cases).toHaveLength(3);
  });

  it("are tuples of a thought that enumerates, without what each of them makes", () => {
    expect(draftOf("", TRIPLES).cases).toEqual([
      "(1, 2, -5)",
      "(1, -5, 2)",
      "(-1, 2, 5)",
      "(5, -1, 2)",
      "(-1, -2, -5)",
    ]);
  });

  it("have permutations where they differ in the order alone", () => {
    expect(draftOf("", TRIPLES).permutations).toEqual([
      ["(1, 2, -5)", "(1, -5, 2)"],
      ["(-1, 2, 5)", "(5, -1, 2)"],
    ]);
    expect(draftOf("", "The pairs are (1, 2), (1,2), (3, 4) and (5, 6).").permutations).toEqual([]);
  });

  it.each([
    ["one case", "In case 1 nothing happens."],
    ["a case of eggs", "A case holds 12 eggs.\nTwo cases hold 24."],
    ["numbered steps", "1. Add 3 and 4.\n2. Multiply by 2.\n3. The answer is 14."],
    ["points of a figure", "The corners are (0, 0), (4, 0) and (0, 3)."],
    ["two tuples", "The ordered pairs are (1, 2) and (3, 4)."],
    ["two values", "n = 1: no.\nn = 2: yes."],
    ["values of different letters", "a = 1, b\nb = 2, c\nc = 3, d"],
    ["nothing", ""],
  ])("not: %s", (_, thought) => {
    const { cases, permutations } = draftOf("What is it?", thought);
    expect([cases, permutations]).toEqual([[], []]);
  });
});

describe("rules", () => {
  it("are sentences that name a fact, or claim something of each", () => {
    expect(draftOf("", TRIPLES).rules).toEqual([
      "By Vieta, pqr = -10.",
      "Each ordering gives a unique pair.",
    ]);
  });

  it.each([
    "Using the Pythagorean theorem, c = 5.",
    "The formula for the area is ab/2.",
    "From Legendre's formula the exponent is 24.",
    "Without loss of generality a < b.",
    "By AM-GM the least value is 2.",
    "By Vieta: p + q = -3 and pq = 2.",
  ])("%s", (sentence) => expect(draftOf("", `First. ${sentence} Then.`).rules).toEqual([sentence]));

  it.each(["By adding 3 we get 5.", "He goes by bus.", "Each egg costs $2.", "Using 3 eggs, she bakes."])(
    "not: %s",
    (sentence) => expect(draftOf("", sentence).rules).toEqual([]),
  );
});

describe("a puzzle", () => {
  it("is there with what the answer makes of it", () => {
    expect(draftOf("4 5 6 10", "", "5 * 5 - 6 + 4").puzzle).toEqual({
      numbers: ["4", "5", "6", "10"],
      target: "24",
      problem: "it uses 5 twice, and the puzzle has it once; it leaves out 10; it makes 23",
    });
    expect(draftOf("4 5 6 10", "", "4 * 5 + 10 - 6 = 24").puzzle?.problem).toBeUndefined();
    expect(draftOf("4 5 6 10", "", "none").puzzle?.problem).toBeDefined();
  });

  it("is absent where the question is none", () =>
    expect(draftOf("What is 4 + 5?", "").puzzle).toBeUndefined());
});

describe("any draft is read", () => {
  const pieces =
    "how many what is between 1 and 2 positive \\frac { } \\sqrt ( ) [ ] $ \\$ \\boxed{ Case 1: (1, 2) -> \n = / 10 x , % ^ Find m+n . ? By Vieta";
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...pieces.split(" ")), { maxLength: 60 }).map((all) => all.join(" ")),
    fc.array(fc.constantFrom(...pieces.split(" ")), { maxLength: 60 }).map((all) => all.join("")),
  );

  it("without an error, and within its bounds", () => {
    fc.assert(
      fc.property(text, text, text, (question, thought, answer) => {
        const draft = readDraft({ question, thought, answer });
        expect(
          Math.max(draft.cases.length, draft.rules.length, draft.permutations.length),
        ).toBeLessThanOrEqual(100);
      }),
    );
  });

  const MEGABYTE = 1_000_000;
  const repeated = (part: string): string => part.repeat(Math.ceil(MEGABYTE / part.length));
  it.each([
    ["brackets", "("],
    ["braces", "{"],
    ["boxes", "\\boxed{"],
    ["fractions", "\\frac{1}{"],
    ["roots", "\\sqrt{"],
    ["digits", "9"],
    ["towers", "9^"],
    ["blanks", " "],
    ["lines", "\n"],
    ["dollars", "$ "],
    ["money", "$"],
    ["tuples", "ordered (1, 2) "],
    ["permutations", "ordered (1,2)(2,1)\n"],
    ["cases", "Case 1: x\n"],
    ["values", "n = 1: x\n"],
    ["asking words", "how many how many "],
    ["numbers with commas", "1,"],
    ["units", "in square feet per "],
    ["marks of a calculator", "<<1"],
    ["drawings", "[asy]"],
    ["rules", "each gives "],
    ["words", "what is the positive integer between "],
    ["puzzles", "1 2 3 4 "],
  ])("in no time: a megabyte of %s", (_, part) => {
    const long = repeated(part);
    const start = performance.now();
    readDraft({ question: long, thought: long, answer: long });
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("in no time: nested fractions and many roots of the longest answer that is read", () => {
    const nested = `${"\\frac{1}{".repeat(90)}2${"}".repeat(90)}`;
    const roots = Array.from({ length: 18 }, (_, at) => `\\sqrt{${999_900 - at}}`).join("*");
    const start = performance.now();
    for (const answer of [nested, roots]) readDraft({ question: "", thought: "", answer });
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
