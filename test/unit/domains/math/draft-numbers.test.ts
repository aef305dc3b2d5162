import { expect, test } from "vitest";
import { readDraft } from "../../../../src/domains/math/read-draft.ts";

function unusedOf(question: string, thought: string): readonly string[] {
  const { given } = readDraft({ question, thought, answer: "" });
  return given.filter(({ isUsed }) => !isUsed).map(({ text }) => text);
}

function originsIn(question: string, thought: string): Record<string, string> {
  const { numbers } = readDraft({ question, thought, answer: "" });
  return Object.fromEntries(numbers.map(({ text, from }) => [text, from]));
}

test("the numbers of a question, in words too, each value once", () => {
  const question = "Seven of 24 crates hold 1,250 screws, twenty-five hold 3/4 as many, and 7 are half full.";
  const { given } = readDraft({ question, thought: "", answer: "" });
  expect(given.map(({ text, value }) => `${text} ${value}`)).toEqual([
    "seven 7",
    "24 24",
    "1250 1250",
    "twenty-five 25",
    "3/4 3/4",
    "half 1/2",
  ]);
});

test("numbers of a drawing are none that an answer must use, and may be computed with", () => {
  const question = 'What is 19 + 23? [asy] draw((0,0)--(37,41)); label("53",(0,1)); [/asy]';
  expect(unusedOf(question, "")).toEqual(["19", "23"]);
  expect(originsIn(question, "53 * 37")).toEqual({ "53": "question", "37": "question" });
});

test.each([
  ["twenty-one birds", "twenty-one 21"],
  ["thirty-nine birds", "thirty-nine 39"],
  ["two-thirds of it", "two-thirds 2/3"],
  ["three-quarters of it", "three-quarters 3/4"],
  ["one-half of it", "one-half 1/2"],
  ["one-fifth of it", "one-fifth 1/5"],
  ["three-hundredths of it", "three-hundredths 3/100"],
  ["five-sevenths of it", "five-sevenths 5/7"],
  ["a half-dozen eggs", "half-dozen 6"],
  ["three-dozen eggs", "three-dozen 36"],
  ["two-hundred eggs", "two-hundred 200"],
  ["an eight-hour day", "eight-hour 8"],
  ["a five-year-old child", "five-year-old 5"],
  ["a half-mile walk", "half-mile 1/2"],
])("in words: %s", (question, expected) => {
  const { given } = readDraft({ question, thought: "", answer: "" });
  expect(given.map(({ text, value }) => `${text} ${value}`)).toEqual([expected]);
});

test.each([
  "a two-by-four",
  "the half-empty glass",
  "three-and-a-half",
  "ten-twenty",
  "one-way",
  "twenty-first",
])("no number in words: %s", (question) =>
  expect(readDraft({ question, thought: "", answer: "" }).given).toEqual([]),
);

test.each([
  ["13 and 8 and 5", "13 * 8", ["5"]],
  ["a discount of 20%", "40 * 0.8", []],
  ["20% more than 40", "40 * 1.2", []],
  ["three quarters, 3/4 of 40", "40 / 4 * 3", []],
  ["two-thirds of the 21 birds", "21 * 2 / 3 = 14", []],
  ["twenty-one birds", "21 - 4", []],
  ["twice the 9", "2 * 9", []],
  ["five hundred of 60", "500 - 60", []],
  [String.raw`Simplify $\frac{18}{24}$`, String.raw`\frac{18 \div 6}{24 \div 6}`, []],
])("of %s the draft %s leaves out %j", (question, thought, expected) =>
  expect(unusedOf(question, thought)).toEqual(expected),
);

const LAMPS = "A shop sells 12 lamps at $45 each, and 15% are sent back.";
const BILL = "A bill of $40 gets 15% tip and 6% tax.";
const PENS = "Of 84 pens 17 go to Ann, 8 to Bob and 5 to Cy.";

test.each([
  ["the question", LAMPS, "12 * 45 * 0.15", { "12": "question", "45": "question", "0.15": "question" }],
  ["results", LAMPS, "12 * 45 = 540, less 0.15 * 540 = 81", { "540": "derived", "81": "derived" }],
  ["two numbers of the question", LAMPS, "540 - 81 + 33", { "33": "derived" }],
  ["nowhere", LAMPS, "12 * 47 = 564", { "47": "nowhere", "564": "derived" }],
  [
    "two percentages",
    BILL,
    "40 * 1.21; 40 * 0.21; 40 * 0.79",
    { "1.21": "derived", "0.21": "derived", "0.79": "derived" },
  ],
  ["no two percentages", BILL, "40 * 1.22", { "1.22": "nowhere" }],
  ["a result in words", PENS, "84 - 17 - 8 - 5 leaves 54. 54 * 3", { "54": "derived" }],
  ["words without a calculation", PENS, "There are 54. 54 * 3", { "54": "nowhere" }],
  ["a negative result", PENS, "17 - 8 - 84 = -75. 20 - (-75)", { "75": "derived" }],
  [
    "a negative fraction",
    PENS,
    String.raw`17 / (8 - 84) + 0 = -17/76. 20 \cdot \frac{-17}{76}`,
    {
      [String.raw`\frac{- 17}{76}`]: "derived",
    },
  ],
  ["a negative number behind a relation", PENS, "The change: x = -$73. 20 - (-73)", { "73": "derived" }],
  ["a factor of a variable", PENS, "17x + 8x + 21x = 920\n46x = 920\n920 / 46", { "46": "derived" }],
  ["an exponent", String.raw`Solve $x^{19} = y$.`, "19 * 3", { "19": "question" }],
  [
    "hundreds in words",
    "One hundred seventy-three or a hundred and ninety-one pens.",
    "173 + 191",
    {
      "173": "derived",
      "191": "derived",
    },
  ],
])("where numbers of a thought come from: %s", (_, question, thought, expected) =>
  expect(originsIn(question, thought)).toMatchObject(expected),
);

test.each([
  "Clearly n is 7, because 7 + 2 = 9.",
  "Since 7 is odd, clearly n is odd.",
  "It must be noted that 7 is odd.",
  "It must be remembered that 7 is odd.",
  "It must be kept in mind that 7 is odd.",
])("no claim without a reason: %s", (thought) =>
  expect(readDraft({ question: "", thought, answer: "" }).claims).toEqual([]),
);

test("sentences that claim instead of showing", () => {
  const thought = "Clearly it is even. So n = 2k.\nIt is easy to see that k is odd. The sky is clear.";
  const { claims } = readDraft({ question: "", thought, answer: "" });
  expect(claims).toEqual(["Clearly it is even.", "It is easy to see that k is odd."]);
});
