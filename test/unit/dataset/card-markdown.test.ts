import { describe, expect, it } from "vitest";
import { cardMarkdown } from "../../../src/dataset/card-markdown.ts";
import { CARD } from "./card.ts";

const HOSTILE = [
  "</td><script>alert(1)</script>",
  "![x](http://198.51.100.1/x.png)",
  "[click](javascript:alert(1))",
  "| a | b |",
  "\n\n# Heading\n",
  "\r\r![y](http://198.51.100.1/y.png)\r",
  "`code` **bold** <b>",
  "\u001b[2J\u202e\u200b\u2028",
].join(" ");
const hostile = (where: string): string => `${where} ${HOSTILE}`;

const [ROW] = CARD.sample;
const BAD = {
  ...CARD,
  domain: hostile("domain"),
  sources: [{ run: hostile("run"), episodes: 1, steps: 2, rows: 1 }],
  bySkill: [{ name: hostile("skill"), rows: 1, weight: 0.6 }],
  byCorrection: [{ name: hostile("correction"), rows: 1, weight: 0.6 }],
  byFamily: [{ name: hostile("family"), rows: 1, weight: 0.6 }],
  dropped: [{ reason: hostile("reason"), steps: 1 }],
  notices: [hostile("notice")],
  sample:
    ROW === undefined
      ? []
      : [
          {
            ...ROW,
            episode: hostile("episode"),
            skills: hostile("skills"),
            correction: hostile("what"),
            target: hostile("target"),
            rejected: hostile("rejected"),
          },
        ],
};

describe("A data card as Markdown", () => {
  const lines = cardMarkdown(BAD).split("\n");

  it("shows the texts of a stranger as texts", () => {
    // In a block of code nothing is markup.
    const outside = lines.filter((line) => !line.startsWith("    ")).join("\n");
    expect(outside).not.toMatch(/<\/?[a-z]/i);
    expect(outside).not.toMatch(/(?<!\\)\]\(/);
    expect(outside).not.toMatch(/(?<!\\)!\[/);
    expect(outside).not.toMatch(/\*\*/);
    for (const where of [
      "domain",
      "run",
      "skill",
      "correction",
      "family",
      "reason",
      "notice",
      "episode",
      "what",
    ])
      expect(outside).toContain(where);
  });

  it("has the same lines as one of a friend, but for those of code", () => {
    const shape = (text: string): readonly string[] =>
      text.split(/\r\n?|\n/).flatMap((line) => (line.startsWith("    ") ? [] : line.replace(/ .*/s, "")));
    const friend = JSON.parse(
      JSON.stringify(BAD).replaceAll(JSON.stringify(HOSTILE).slice(1, -1), "x"),
    ) as typeof BAD;
    expect(shape(cardMarkdown(BAD))).toEqual(shape(cardMarkdown(friend)));
    expect(lines.filter((line) => line.startsWith("# "))).toEqual(["# a-dpo.jsonl"]);
  });

  it("has as many cells in each row of a table as in its head", () => {
    const cells = (line: string): number => line.match(/(?<!\\)\|/g)?.length ?? 0;
    const tables = lines.flatMap((line, i) => (/^\| ?-/.test(line) ? [i] : []));
    expect(tables.length).toBeGreaterThan(4);
    for (const rule of tables)
      for (let at = rule; lines[at]?.startsWith("|"); at++)
        expect(cells(lines[at] ?? "")).toBe(cells(lines[rule - 1] ?? ""));
  });

  it("holds nothing that cannot be seen", () => {
    expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200b\u2028]/u);
  });
});
