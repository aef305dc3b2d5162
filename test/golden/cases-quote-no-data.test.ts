import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { wordsOf } from "../../src/model/words.ts";
import { DATA, ROOT } from "../support/redrive.ts";
import { ALL_FORMS } from "../support/shipped.ts";

/** A case of a shipped skill may quote no question of the data sets: skills are tested on them, and their texts are not ours. */
const FOLDERS = ["hotpotqa", "bamboogle", "multihop", "trajectories"].map((name) => path.join(DATA, name));
const isThere = FOLDERS.every((folder) => existsSync(folder));
/** Words in a row that no two questions share by chance. */
const GRAM = 8;

/** All texts under a key `question`, however deep. */
function questionsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "question" && typeof inner === "string" ? [inner] : questionsIn(inner),
  );
}

function questionsOfFile(file: string): string[] {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".json")) return questionsIn(JSON.parse(text));
  return text.split("\n").flatMap((line) => (line === "" ? [] : questionsIn(JSON.parse(line))));
}

function dataQuestions(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.jsonl?$/.test(name))
      .flatMap((name) => questionsOfFile(path.join(folder, name))),
  );
}

const gramsOf = (text: string): string[] => {
  const words = wordsOf(text);
  return words.slice(GRAM - 1).map((_, i) => words.slice(i, i + GRAM).join(" "));
};

function quoteFinder(questions: readonly string[]): (text: string) => boolean {
  const whole = new Set(questions.map((question) => wordsOf(question).join(" ")));
  const grams = new Set(questions.flatMap(gramsOf));
  return (text) => whole.has(wordsOf(text).join(" ")) || gramsOf(text).some((gram) => grams.has(gram));
}

interface Cases {
  readonly cases: readonly { readonly name: string; readonly context?: { readonly question?: string } }[];
}

describe.skipIf(!isThere)(`cases and data${isThere ? "" : " (skipped: no ../shared/data)"}`, () => {
  const questions = isThere ? dataQuestions() : [];
  const isQuoted = quoteFinder(questions);

  it("knows the questions, and finds one with other names at its end or another case", () => {
    expect(questions.length).toBeGreaterThan(900);
    const [first = ""] = questions.filter((question) => wordsOf(question).length > GRAM + 1);
    expect(isQuoted(first.toUpperCase().replaceAll(" ", "  "))).toBe(true);
    expect(isQuoted(`${wordsOf(first).slice(0, GRAM).join(" ")} and another end`)).toBe(true);
    expect(isQuoted(`${wordsOf(first).slice(0, 3).join(" ")} and another end`)).toBe(false);
  });

  it.each(ALL_FORMS)("no case of %s quotes a question of the data", (skill) => {
    const { cases } = parse(readFileSync(path.join(ROOT, skill, "cases.yaml"), "utf8")) as Cases;
    const quoted = cases.filter(({ context }) => isQuoted(context?.question ?? ""));
    expect(quoted.map(({ name, context }) => `${name}: ${context?.question}`)).toEqual([]);
  });
});
