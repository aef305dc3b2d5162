import { expect, test } from "vitest";
import { codeTokens, literalsOf, withoutComments } from "../../../../src/evolve/refusals/code-text.ts";
import { copiedFromSeed, copiedQuestions, indexSeed } from "../../../../src/evolve/refusals/copied-texts.ts";
import { jaccard } from "../../../../src/model/words.ts";
import { CLEAN, pfWith } from "../author/author-support.ts";

const SEED = indexSeed([
  { question: "Which harbour did Ottokar Brandwein sail from before the war?", gold: ["Port Wendel"] },
  { question: "Who painted the Marrowgate ceiling?", gold: ["Ilse Quandt", "Quandt"] },
  { question: "In which year did the Marrowgate theatre close?", gold: ["1937"] },
  { question: "Is the Lomond larger than the Trave?", gold: ["yes"] },
  { question: "Is Quillfeld in Norway?", gold: ["no"] },
  { question: "Which country has the Quillfeld church?", gold: ["Norway"] },
  { question: "What is a sampan?", gold: ["boat"] },
]);

const at = (texts: Partial<Record<keyof typeof CLEAN, string>>) => {
  const found = copiedFromSeed({ ...CLEAN, ...texts }, "f", SEED);
  return found && `${found.file}:${found.range.start.line + 1} ${found.code}`;
};
const said = (text: string): string => `${CLEAN["SKILL.md"]}\n${text}\n`;

test("nothing is copied in a skill of one's own", () => {
  expect(at({})).toBeUndefined();
});

test.each([
  [
    "a whole question, in other case and punctuation",
    { "cases.yaml": "a:\n  b: who painted a marrowgate CEILING" },
    "f/cases.yaml:2 HASP653",
  ],
  [
    "eight words of one in a row",
    { "SKILL.md": said("harbour did Ottokar Brandwein sail from before war") },
    "f/SKILL.md:20 HASP653",
  ],
  [
    "an answer of two words in the code",
    { "pf.ts": pfWith({ intervene: 'return injectContext("Port Wendel", "x");' }) },
    "f/pf.ts:11 HASP653",
  ],
  [
    "a name in a pattern of the code",
    { "pf.ts": pfWith({ activate: "return /quandt/i.test(arg);" }) },
    "f/pf.ts:7 HASP653",
  ],
  [
    "a year of the code",
    { "pf.ts": pfWith({ intervene: 'return injectContext("1937", "x");' }) },
    "f/pf.ts:11 HASP653",
  ],
  [
    "an answer beside words of its question",
    { "SKILL.md": said("Ottokar Brandwein, for one, left Port Wendel.") },
    "f/SKILL.md:20 HASP653",
  ],
  [
    "a name that other questions have, beside its own",
    { "SKILL.md": said("The Quillfeld church stands in Norway.") },
    "f/SKILL.md:20 HASP653",
  ],
] as const)("found: %s", (_, texts, place) => {
  expect(at(texts)).toBe(place);
});

test.each([
  [
    "seven words of a question in a row",
    { "SKILL.md": said("harbour did Ottokar Brandwein sail from before") },
  ],
  ["a year far from its question", { "cases.yaml": "question: What ended in 1937 for good?" }],
  ["a number of the code that is no text", { "pf.ts": pfWith({ activate: "return arg.length > 1937;" }) }],
  ["a name in a comment of the code", { "pf.ts": pfWith({ top: "// after Quandt" }) }],
  [
    "a name of the code that another question has",
    { "pf.ts": pfWith({ activate: 'return arg === "Norway";' }) },
  ],
  ["yes, no, and words that are no names", { "SKILL.md": said("yes no boat sampan Lomond Trave larger") }],
  [
    "words of a question without its answer",
    { "SKILL.md": said("Ottokar Brandwein and the Marrowgate ceiling") },
  ],
] as const)("not found: %s", (_, texts) => {
  expect(at(texts)).toBeUndefined();
});

test("the message does not tell the answer", () => {
  const found = copiedFromSeed(
    { ...CLEAN, "pf.ts": pfWith({ activate: 'return arg === "Port Wendel";' }) },
    "f",
    SEED,
  );
  expect(JSON.stringify(found)).not.toContain("Wendel");
});

test("questions of examples are found without their answers", () => {
  const texts = { ...CLEAN, "cases.yaml": "x: y\nquestion: Who painted the Marrowgate ceiling?" };
  const found = copiedQuestions(texts, "f", ["Who painted the Marrowgate ceiling?", "Who?"]);
  expect(found).toMatchObject([{ code: "HASP653", file: "f/cases.yaml", range: { start: { line: 1 } } }]);
});

const SOURCE = `import { noop } from "hasp"; // a name
/* two
lines */ const a = "x // no comment"; const b = /\\/\\/[/]"/.test(a); const c = a / b / 2; const d = \`t\${a}\`;
`;

test("comments and texts of code", () => {
  expect(
    withoutComments(SOURCE)
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual([
    'import { noop } from "hasp";',
    "",
    'const a = "x // no comment"; const b = /\\/\\/[/]"/.test(a); const c = a / b / 2; const d = `t${a}`;',
    "",
  ]);
  expect(
    literalsOf(SOURCE)
      .split(/\s{2,}/)
      .filter((text) => text !== ""),
  ).toEqual(['"hasp"', '"x // no comment"', '/\\/\\/[/]"/', "`t${a}`"]);
});

test("tokens of a copy are the same, whatever its name and its comments; another trigger is another PF", () => {
  const own = codeTokens(CLEAN["pf.ts"]);
  const copy = CLEAN["pf.ts"]
    .replace("UnreadAnswer", "Mine")
    .replace("export", "// words and more words\nexport");
  expect(jaccard(own, codeTokens(copy))).toBe(1);
  expect(
    jaccard(own, codeTokens(pfWith({ activate: 'return actionType === "SEARCH" && arg.length > 90;' }))),
  ).toBeLessThan(0.7);
  expect(jaccard(new Set(), new Set())).toBe(0);
});
