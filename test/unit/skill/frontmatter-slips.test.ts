import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { shippedFiles } from "../../support/mutations.ts";

const parse = (text: string) => parseSkill(text, { file: "SKILL.md", folder: "late-read" }, REGISTERED);

/** Words of a text that YAML reads as they stand, with what people write in them. */
const WORD = fc.constantFrom(
  ..."use when a build fails, C# http://x/y it's (see) 10:30 a&b x*y 50% e.g. a-b <now> ümläut 🚀".split(" "),
);
const WORDS = fc.array(WORD, { minLength: 1, maxLength: 6 }).map((words) => `Use ${words.join(" ")}`);
const LINES = fc.array(WORDS, { minLength: 1, maxLength: 4 });

/** A text in each of YAML's notations, as the lines of an entry. */
const ENTRY = fc
  .tuple(fc.constantFrom("plain", "double", "single", "literal", "folded", "below"), LINES)
  .map(([notation, lines]) => {
    const [first = "", ...further] = lines;
    const indented = lines.map((line) => `  ${line}`);
    if (notation === "plain") return [` ${first}`, ...further.map((line) => `  ${line}`)];
    if (notation === "double") return [` "${first}`, ...further.map((line) => `  ${line}: and`), `  #\\t"`];
    if (notation === "single") return [` '${lines.join(" ").replaceAll("'", "''")}: # {'  # a comment`];
    if (notation === "literal") return [" |", ...indented, "  - item: # no comment", "    deeper @ `x`"];
    return notation === "folded" ? [" >-", "", ...indented, "   deeper:"] : ["", ...indented];
  });

const KEYS = ["compatibility", "argument-hint", "context"] as const;

/** The lines of frontmatter that has nothing wrong. */
const FRONTMATTER = fc
  .tuple(ENTRY, fc.array(ENTRY, { maxLength: 3 }), fc.boolean(), fc.boolean())
  .map(([description, others, hasList, hasComment]) => [
    "name: late-read",
    ...(hasComment ? ["# A comment: with - all [ that {", ""] : []),
    ...description.map((line, i) => (i === 0 ? `description:${line}` : line)),
    ...others.flatMap((lines, i) => lines.map((line, j) => (j === 0 ? `${KEYS[i]}:${line}` : line))),
    ...(hasList ? ["allowed-tools: [", "  Bash,", "  Read", "]", "paths:", "- src/**", "- a b", "  c"] : []),
    "metadata:",
    "  author: me",
    "  hasp:",
    "    title: Late read",
    "    applicable_modes:",
    "      - agent",
    "    priority: 0.5 # high",
  ]);

const skillMd = (lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\n\n# Late read\n`;

/** A slip: the lines of one entry, and which of them has it. */
const SLIPS: Readonly<Record<string, readonly [lines: readonly string[], slip: number]>> = {
  "a colon in a text": [["license: Use: always"], 0],
  "a colon in a further line": [["license: Use it", "  for the CLI and", "  Neo4j: always", "  and more"], 2],
  "a colon at the end of a further line": [["license: Use it", "  for:", "  and more"], 1],
  "a colon in a text below its key": [["license:", "  Use it", "  when: late"], 2],
  "a comment in the middle of a text": [["license: Use C", "  and C #and F#", "  and more"], 1],
  "a line that begins with a comment": [["license: Use C", "  #and F#", "  and more"], 1],
  "a reserved character": [["license: @me"], 0],
  "a backtick": [["license: `git` and more"], 0],
  "an alias": [["license: *all* of it"], 0],
  "an anchor": [["license: &all of it"], 0],
  "a tag": [["license: !all of it"], 0],
  "a directive": [["license: %all of it"], 0],
  "an item in place of a text": [["license: - all of it"], 0],
  "a key in place of a text": [["license: ? all of it"], 0],
  "a list that goes on": [["license: [MIT] or so"], 0],
  "a mapping that goes on": [["license: {MIT} or so"], 0],
  "a list that never ends": [["license: [MIT or so"], 0],
  "a block that begins on its own line": [["license: > MIT"], 0],
  "a quote that never ends": [['license: "MIT'], 0],
  "a single quote that never ends": [["license: 'MIT"], 0],
  "a text after its quotes": [['license: "MIT" or so'], 0],
  "a tab": [["license:", "\tMIT"], 1],
  "the same key again": [["license: MIT", "license: MIT"], 1],
  "a key without a blank": [["license:MIT"], 0],
  "a key with a no-break space": [["license:\u00a0MIT"], 0],
  "a block without indentation": [["license: |", "MIT"], 1],
  "a block that is indented less": [["license: |", "    MIT", "  or so"], 2],
  "a text without indentation": [["license: MIT", "or so"], 1],
  "a key that is indented": [["license: MIT", "  model: x"], 1],
  "a key in between": [["hooks:", "    a: b", "  c: d"], 2],
  "a control character": [["license: a\u0007b"], 0],
  "a line separator": [["license: a\u2028b"], 0],
};

describe("Frontmatter", () => {
  test("that is right has no finding, however it is written", () => {
    fc.assert(
      fc.property(FRONTMATTER, (lines) => {
        const { diagnostics } = parse(skillMd(lines));
        expect(diagnostics, skillMd(lines)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("of shipped skills has none", () => {
    for (const { text, file } of shippedFiles().get("SKILL.md") ?? [])
      expect(
        parse(text).diagnostics.filter(({ code }) => /HASP1(0|2[4-7])/.test(code)),
        file,
      ).toEqual([]);
  });

  test.each(Object.entries(SLIPS))("with %s is marked in the line of the slip alone", (_, [slip, at]) => {
    fc.assert(
      fc.property(FRONTMATTER, fc.nat(), fc.boolean(), (lines, where, dos) => {
        const starts = lines.flatMap((line, i) => (/^[a-z-]+:/.test(line) ? [i] : []));
        const place = starts[where % (starts.length + 1)] ?? lines.length;
        const text = skillMd(lines.toSpliced(place, 0, ...slip));
        const { diagnostics } = parse(dos ? text.replaceAll("\n", "\r\n") : text);
        const found = diagnostics.filter(({ code }) => code === "HASP106");
        expect(
          found.map(({ range }) => range.start.line),
          text,
        ).toEqual([1 + place + at]);
        expect(found[0]?.next).toBeDefined();
      }),
      { numRuns: 100 },
    );
  });
});
