import { describe, expect, it } from "vitest";
import { skillText } from "./skill-text.ts";

describe("texts", () => {
  it("quote a group of permutations and how many there are", () => {
    const solution = "Ordered triples: (1, 2, 3), (3, 2, 1), (1, 4, 5), (5, 4, 1).";
    expect(skillText("case-incompleteness", "How many?", solution, "4")).toContain(
      '"(1, 2, 3)", "(3, 2, 1)" (one of 2 such groups) are the same numbers in another order',
    );
  });

  const says = (question: string, answer: string): string | undefined =>
    skillText("final-format-error", question, "", answer);

  it.each([
    ["What is it? Answer as a common fraction in terms of $\\pi$.", "\\frac{\\pi}{3}"],
    ["What is it? Answer as a common fraction in simplest radical form.", "\\frac{\\sqrt{5}}{2}"],
    ["What is it in simplest radical form?", "x = 2\\sqrt{5}"],
    ["What is it in terms of $\\pi$?", "A = 4\\pi"],
    ["Where do they meet? Answer as an ordered pair.", "(x, y) = (7, 2)"],
    ["Where do they meet? Answer as an ordered pair.", "$(a,b)=\\left(7,2\\right)$"],
    ["How many solutions does it have?", "infinitely many"],
    ["How many solutions does it have?", "None"],
    ["How many solutions does it have?", "no solutions"],
    ["How many eggs are there?", "Twenty-five"],
    ["How many eggs are there?", "two hundred forty-one"],
    ["How many eggs are there?", "a dozen"],
    ["How many eggs are there?", "3 and a half"],
    ["How many eggs are there?", "10 000"],
    ["How many eggs are there?", "90 eggs (40 white and 50 brown)"],
    ["What is it to the nearest tenth?", "≈ 3.1"],
    ["What is it to the nearest tenth?", "$\\approx 3.1$"],
    ["What is x/3 + x/4 as a single fraction?", "\\frac{7x}{12}"],
    ["What is it as a percentage?", "33\\frac{1}{3}"],
    ["What is it as a mixed number?", "2\\,\\frac{1}{2}"],
  ])("let a right form pass: %s %s", (question, answer) => expect(says(question, answer)).toBeUndefined());

  it.each([
    [
      "How many solutions does it have?",
      "It depends",
      'The question asks for a number; the answer "It depends" is',
    ],
    ["How many eggs are there?", "at least 5", 'the answer "at least 5" is a text'],
    [
      "What is it? Answer as a common fraction in terms of $\\pi$.",
      "0.3",
      '"as a common fraction in terms of \\pi"',
    ],
    [
      "What is it? Give an answer as an ordered pair.",
      "y = 2x",
      '"as an ordered pair"; the answer "y = 2x" is an equation',
    ],
    ["What is it in terms of $\\pi$?", "y = 2x", undefined],
    ["What is it as an integer from 0 to 9?", "y = 2x + 1", "is an equation"],
  ])("hold a wrong form back: %s %s", (question, answer, text) => {
    if (text === undefined) expect(says(question, answer)).toBeDefined();
    else expect(says(question, answer)).toContain(text);
  });

  it("take pounds for money or weight", () => {
    expect(skillText("units-dimension-mismatch", "How many pounds does it cost?", "", "£50")).toBeUndefined();
    expect(skillText("units-dimension-mismatch", "How many dollars does it cost?", "", "£50")).toBeDefined();
  });

  it("quote four cases of many", () => {
    const solution = Array.from({ length: 30 }, (_, at) => `Case ${at}: x = ${at}.`).join("\n");
    const text = skillText("case-incompleteness", "How many?", solution, "4");
    expect(text).toContain('The draft lists cases: "Case 0: x = 0.", ');
    expect(text).toContain('"Case 3: x = 3.", ....');
    expect(text).not.toContain("Case 4");
  });

  it("fire together where a draft argues by cases", () => {
    const drafts = [
      "Case 1: a.\nCase 2: b.",
      "n = 1: a\nn = 2: b\nn = 3: c",
      "The pairs (1,2), (2,3), (3,4).",
      "By Vieta it is 4.",
    ];
    const fires = drafts.map((solution) => [
      skillText("case-incompleteness", "How many?", solution, "4") !== undefined,
      skillText("overgeneralization", "How many?", solution, "4") !== undefined,
    ]);
    expect(fires).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
    ]);
  });

  it.each([
    ["6", "is not under 6"],
    ["5", undefined],
    ["13/2", "is not under 6"],
    ["-1", undefined],
  ])("compare exact values: %s", (answer, text) => {
    const found = skillText("boundary-violation", "What is the largest integer less than 6?", "", answer);
    expect(found?.includes(text ?? "") ?? undefined).toBe(text === undefined ? undefined : true);
  });
});
