import { describe, expect, it, vi } from "vitest";
import { domainOf } from "../../../src/domains/registry.ts";
import { textsOf } from "../../../src/domains/texts.ts";
import type { Domain } from "../../../src/domains/domain.ts";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { interfaceText } from "../../../src/evolve/author/interface-text.ts";
import { estimate } from "../../support/estimate-domain/estimate.ts";
import { teacherPrompts } from "../../support/teacher-prompts.ts";

vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED: own } = await original();
  const { estimate: added } = await import("../../support/estimate-domain/estimate.ts");
  return { REGISTERED: [...own, added] };
});

const WITH_VERSIONS = REGISTERED.filter((domain) => domain !== estimate);

/** All prompts as one text; the interface of "hasp" has a test of its own. */
const paged = (prompts: readonly (readonly [string, string])[], declarations: string): string =>
  prompts
    .map(([name, text]) => `##### ${name}\n${text.replace(declarations, "(the interface)")}\n`)
    .join("\n");

const interfaceOf = (domain: Domain): string => interfaceText(domain, textsOf(domain).context.without);

/** What the agent searches, reads or finds; the words of code included. */
const OF_SEARCHING = /search|document|retriev|passage|\breads?\b|\breading\b|has_?read|read_?count|query/gi;
/** Who reads the prompt, and texts that the agent is given. */
const OTHER_READING =
  /\bYou read the record\b|\b(?:agent|policy) reads?\b|\bcan only be read\b|\binjects is read\b/g;

describe("a teacher's prompts", () => {
  it.each(WITH_VERSIONS)("of $name are those of their versions, character for character", async (domain) => {
    const text = paged(await teacherPrompts(domain), interfaceOf(domain));
    await expect(text).toMatchFileSnapshot(`teacher-prompts/${domain.name}.txt`);
  });

  it.each(["math", "code"])("of %s speak of no searches", async (name) => {
    const domain = domainOf(name);
    if (domain === undefined) throw new Error(`no ${name}`);
    const text = paged(await teacherPrompts(domain), interfaceOf(domain)).replaceAll(OTHER_READING, "");
    expect([...text.matchAll(OF_SEARCHING)].map(({ index }) => text.slice(index - 60, index + 60))).toEqual(
      [],
    );
  });

  it("of a domain without searches speak of none", async () => {
    const prompts = await teacherPrompts(estimate);
    expect(prompts.map(([name]) => name)).toEqual([
      "difficulty_gate",
      "pf_selector",
      "retry",
      "retry, the note",
      "failure",
      "failure, short",
      "semantic",
      "semantic, short",
      "judge",
      "author",
      "author, short",
      "review",
      "review, short",
    ]);
    const found = prompts.flatMap(([name, text]) =>
      [...text.replaceAll(OTHER_READING, "").matchAll(OF_SEARCHING)].map(({ index }) => [
        name,
        text.slice(Math.max(0, index - 60), index + 60),
      ]),
    );
    expect(found).toEqual([]);
  });
});
