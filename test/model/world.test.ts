import { describe, expect, test } from "vitest";
import { CORPUS, QUESTIONS } from "./support/world.ts";

const saysOneOf = (text: string, names: readonly string[]): boolean =>
  names.some((name) => text.toLowerCase().includes(name.toLowerCase()));

/** Texts of the passages whose title, of several words, stands in the question. */
const namedIn = (question: string): readonly string[] =>
  CORPUS.filter(({ title }) => /[ -]/.test(title) && question.includes(title)).map(({ text }) => text);

describe("the questions of the stage", () => {
  test.each(QUESTIONS.filter(({ gold }) => !gold.includes("no")))(
    "$question needs two passages",
    ({ question, gold }) => {
      const first = namedIn(question);
      expect(first).not.toEqual([]);
      expect(first.filter((text) => saysOneOf(text, gold))).toEqual([]);
      expect(CORPUS.filter(({ text }) => saysOneOf(text, gold))).not.toEqual([]);
    },
  );

  test("are each asked once", () => {
    expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(QUESTIONS.length);
  });
});
