import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareAnswers } from "../../../../../src/domains/math/judge/same-answer.ts";

const ROW = /^\| (.+) \| `(.+)` \| `(.+)` \| (same|different|undecided) \|$/gm;
const whole = readFileSync(new URL("../../../../../docs/math.md", import.meta.url), "utf8");
/** The section "Readings". */
const [, page = ""] = whole.split("### Readings");

/** The rows of the tables there. A row that continues the one before it (`…`) has its question, too. */
function rows() {
  let isAsked = false;
  return [...page.matchAll(ROW)].map(([, reading = "", answer = "", accepted = "", verdict = ""]) => {
    isAsked = reading.startsWith("25% asked") || (isAsked && reading.startsWith("…"));
    const question = isAsked ? "What percent of the pupils walk?" : "How much is it?";
    return { reading, answer, accepted, verdict, question };
  });
}

test.each(rows())("$reading: $answer", ({ answer, accepted, verdict, question }) => {
  const { same } = compareAnswers(answer, accepted, question);
  expect(same === undefined ? "undecided" : same ? "same" : "different").toBe(verdict);
});

test("every row of a table is a test", () => {
  const lines = page.split("\n").filter((line) => line.startsWith("|") && !/^\|(?:-| reading)/.test(line));
  expect(rows()).toHaveLength(lines.length);
  expect(lines.length).toBeGreaterThan(50);
});
