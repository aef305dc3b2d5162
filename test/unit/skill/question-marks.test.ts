import { expect, test } from "vitest";
import { questionMarks, signIn } from "../../../src/skill/question-marks.ts";

test.each([
  "Which link is missing?",
  "Compare the titles: the right kind, time and place? If not, search on.",
  "Read one more (or is it enough?).",
  "Is `npm test` green?",
  'Is it "Ulm"?',
  "Have you read https://example.org/page?",
  "Have you read https://example.org/page?x=1 yet?",
  "**Really?**",
  "Est-ce le bon nom ?",
  "Est-ce le bon nom ? Sinon, cherchez.",
  "这是谁的名字？请再找",
  "هل قرأت النص؟",
  "Was it built in the U.S.?",
  "Is it over 50%?",
  "Is it right?—If not, search on.",
  "Read on. Or is it so⁇",
  "First line\nIs it the one?\nLast line",
])("a question of the text itself: %s", (text) => {
  expect(questionMarks(text)).toHaveLength(1);
});

test.each([
  "Search for the name together with the fact.",
  'Answer the question "Who built it?" with a name.',
  "Answer the question “Who built it?” with a name.",
  "Répondez à « Qui est-ce ? » par un nom.",
  "Take 'who is it?' for the question, not for an answer.",
  "Open https://example.org/find?q=name&x=1 and read it.",
  "Open example.org/find?q=name and read it.",
  "Change `a ? b : c`, and `what?` with it.",
  "Run this:\n```\nls ?.txt\nwho?\n```\nand read it.",
  "Run this:\n```\nwho?",
  "> Who built it?\nAnswer that.",
  "The year is unsure (?) in that text.",
  "Use ?. and ?? sparingly.",
  "Write x ? 1 : 2 out.",
  "Copy file?.txt, then call a?.b in it.",
])("no question to the reader: %s", (text) => {
  expect(questionMarks(text)).toEqual([]);
});

test("several questions, each at its sign", () => {
  const text = "Which one? Say it. And why?";
  expect(questionMarks(text).map((at) => text.slice(0, at + 1))).toEqual(["Which one?", text]);
});

test.each(['"?'.repeat(200_000), "“?".repeat(200_000), "a ? ".repeat(200_000), "'?`".repeat(150_000)])(
  "a text of half a megabyte is read to its end %#",
  (text) => {
    expect(questionMarks(`${text}\n\nIs it?`).at(-1)).toBe(text.length + 7);
  },
);

test("a sign is found in the source by its number, unless an escape hides one", () => {
  expect(signIn('"A \\"b?\\" c?"', 'A "b?" c?', 8)).toBe(11);
  expect(signIn('"A\\x3f b?"', "A? b?", 4)).toBeUndefined();
});
