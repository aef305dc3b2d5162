import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PART_NAMES } from "../../../src/model/control-parts.ts";
import { isTerm, TERMS } from "../../../src/model/terms.ts";
import { FACET_STATUSES } from "../../../src/model/pf-facet.ts";
import { SETTINGS } from "../../../src/harness/control.ts";

const page = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8");

/** As GitHub makes them. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it("explains every status, outcome, setting and part of the harness", () => {
  const outcomes = ["correct", "wrong", "halted", "unjudged"];
  const words = [...FACET_STATUSES, ...outcomes, ...SETTINGS, ...Object.values(PART_NAMES)];
  expect(words.filter((word) => !isTerm(word))).toEqual([]);
});

it.each(Object.entries(TERMS))("%s is one sentence, on a heading that its page has", (_, term) => {
  expect(term.sentence).toMatch(/^[A-Z].*\.$/);
  expect(term.sentence).not.toMatch(/[.!?] [A-Z]/);
  expect(anchors(page(term.page))).toContain(term.anchor);
});

it("has the sentences of docs/words.md", () => {
  const text = page("words");
  const own = Object.entries(TERMS).filter(([, term]) => term.page === "words");
  for (const [word, { sentence }] of own) expect(text).toContain(`| ${word} | ${sentence} |`);
});
