import { describe, expect, it } from "vitest";
import { linkFeedback, type SkillTexts } from "../../../src/review/feedback-links.ts";

const TEXTS: SkillTexts = {
  "SKILL.md": "---\nname: late-read\n---\n\n# Late read\n\n## When to use\n\nAfter two searches.\n",
  "pf.ts":
    'import { x } from "hasp";\n\nexport class Pf {\n  shouldActivate(ctx) {\n    return ctx.searchCount > 1;\n  }\n}\n',
};

/** The links of a text, as `words → file:line`. */
function links(text: string, texts: SkillTexts = TEXTS): string[] {
  return linkFeedback(text, texts).flatMap(({ text: words, file, line }) =>
    file === undefined ? [] : [`${words} → ${file}${line === undefined ? "" : `:${line}`}`],
  );
}

describe("A teacher's feedback links to", () => {
  it.each([
    ["See pf.ts:5.", "pf.ts:5 → pf.ts:5"],
    ["See pf.ts, line 5, first.", "pf.ts, line 5 → pf.ts:5"],
    ["See pf.ts (line 4).", "pf.ts (line 4 → pf.ts:4"],
    ["SKILL.md#L7 is vague.", "SKILL.md#L7 → SKILL.md:7"],
    ["On line 5 the count is wrong.", "line 5 → pf.ts:5"],
    ["Lines 4-6 repeat themselves.", "Lines 4-6 → pf.ts:4"],
    ["Line 7 of SKILL.md is vague.", "Line 7 of SKILL.md → SKILL.md:7"],
    ["Both pf.ts and the rest.", "pf.ts → pf.ts"],
  ])("a line that it names: %s", (text, link) => {
    expect(links(text)).toEqual([link]);
  });

  it("the code that it quotes, and a place between backticks", () => {
    expect(links("`ctx.searchCount > 1` is too early, see `pf.ts:4`.")).toEqual([
      "ctx.searchCount > 1 → pf.ts:5",
      "pf.ts:4 → pf.ts:4",
    ]);
  });

  it("a heading of SKILL.md that it quotes", () => {
    expect(links('Shorten "When to use".')).toEqual(['"When to use" → SKILL.md:7']);
    expect(links("Shorten `## When to use`.")).toEqual(["## When to use → SKILL.md:7"]);
  });

  it("no line and no code that the files do not have", () => {
    expect(
      links("pf.ts:400, line 0, `ctx.readCount` and “no such heading” are gone; cases.yaml:1 never was."),
    ).toEqual([]);
  });

  it("a line of SKILL.md where the skill has no Program Function", () => {
    expect(links("Line 7 is vague.", { "SKILL.md": TEXTS["SKILL.md"] ?? "" })).toEqual([
      "Line 7 → SKILL.md:7",
    ]);
  });

  it("nothing else, and keeps every word", () => {
    const text = "First `code` on line 3,\nthen “When to use”: pf.ts:2 — done in 5 lines.";
    const words = linkFeedback(text, TEXTS).map(({ text: part, code }) =>
      code === true ? `\`${part}\`` : part,
    );
    expect(words.join("")).toBe(text);
  });
});
