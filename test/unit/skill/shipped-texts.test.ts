import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { checkPfRules } from "../../../src/skill/pf-rules.ts";
import { promptEquivalence } from "../../../src/skill/prompt-equivalent.ts";
import { ACTIONS } from "../../../src/skill/vocabulary.ts";
import { ALL_FORMS } from "../../support/shipped.ts";

/** Words of one text: a small model loses the question over more. */
const MOST_WORDS = 32;

/** Words and signs that no text for the policy has: questions, the notation of actions, and the first person of a thought. */
const NOT_SAID = /[?？]|\b(?:SEARCH|READ|FINAL)\s*[[("]|\b(?:I|we|my|our)\b|^\[/;

const ROOT = new URL("../../../", import.meta.url);
const LIBRARIES = ["skills/coding-agent/", "samples/skills/web-search/"];

const folders = [
  ...ALL_FORMS,
  ...LIBRARIES.flatMap((library) => readdirSync(new URL(library, ROOT)).map((name) => `${library}${name}`)),
].map((folder): [string, string] => [folder, path.basename(folder)]);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

function expectDeed(text: string): void {
  expect(text).not.toMatch(NOT_SAID);
  expect(text.trim().split(/\s+/).length, text).toBeLessThanOrEqual(MOST_WORDS);
}

describe("What shipped skills say to the policy", () => {
  it("is there to be looked at", () => {
    expect(folders.length).toBeGreaterThan(40);
  });

  it.each(folders)("is a short statement: %s", (folder, name) => {
    const { value, diagnostics } = parseSkill(
      read(`${folder}/SKILL.md`),
      { file: "SKILL.md", folder: name },
      REGISTERED,
    );
    expect(diagnostics).toEqual([]);
    const phases = Object.values(value?.phases ?? {}).map(({ text }) => text ?? "");
    const pf = read(`${folder}/pf.ts`);
    const { texts = [] } = promptEquivalence("pf.ts", pf);
    for (const text of [value?.systemSummary ?? "?", ...phases, ...texts]) expectDeed(text);
    expect(checkPfRules("pf.ts", pf, REGISTERED).filter(({ code }) => code === "HASP856")).toEqual([]);
  });

  it.each(Object.entries(ACTIONS))("is a short statement where a phase names %s alone", (_action, text) => {
    expectDeed(text);
  });
});
