import { REGISTERED } from "../../../src/domains/registered.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { checkSkillName } from "../../../src/skill/skill-name.ts";

const WHERE = { file: "skills/web/late-read/SKILL.md", folder: "late-read" };

const GOOD = `---
name: late-read
description: Use when an answer comes before any reading.
metadata:
  hasp:
    skill_id: late_read
    title: Read before you answer
    version: 3
    priority: 0.9
    error_category: no_reading
    applicable_modes: [web-search]
    applicable_phases: [search, answer]
    system_summary: Read one source first.
    phases:
      post_search:
        conditions: [search_empty]
        priority_boost: 0.3
        action: reformulate_search
      pre_final:
        conditions: [no_read_yet]
        text: Read first.
---

# Read before you answer

## Phase: post_search
Try other words.

\`\`\`
## Phase: nothing
\`\`\`

## Examples
None.
`;

const parse = (text: string) => parseSkill(text, WHERE, REGISTERED);
const codes = (text: string): string[] => parse(text).diagnostics.map((d) => d.code);

test("blanks around ids do not count", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^ {0,3}$/), fc.stringMatching(/^ {0,3}$/), (before, after) => {
      const text = GOOD.replace(
        "skill_id: late_read",
        `skill_id: "${before}late_read${after}"\n    supersedes: ["${before}old_read${after}"]`,
      );
      const { value, diagnostics } = parse(text);
      expect(diagnostics).toEqual([]);
      expect(value).toMatchObject({ skillId: "late_read", supersedes: ["old_read"] });
    }),
  );
});

/** The text that a diagnostic marks. */
function marked(text: string, { range }: Diagnostic): string {
  const lines = text.split(/\r\n|\n|\r/);
  if (range.start.line !== range.end.line) return lines[range.start.line]?.slice(range.start.character) ?? "";
  return lines[range.start.line]?.slice(range.start.character, range.end.character) ?? "";
}

function only(text: string): { code: string; at: string; message: string; next: string | undefined } {
  const { diagnostics } = parse(text);
  expect(diagnostics).toHaveLength(1);
  const [d] = diagnostics;
  if (d === undefined) throw new Error("no diagnostic");
  return { code: d.code, at: marked(text, d), message: d.message, next: d.next };
}

test("a good skill is read whole and without complaint", () => {
  const { value, diagnostics } = parse(GOOD);
  expect(diagnostics).toEqual([]);
  expect(value).toMatchObject({
    skillId: "late_read",
    name: "late-read",
    title: "Read before you answer",
    version: 3,
    priority: 0.9,
    errorCategory: "no_reading",
    applicableModes: ["web-search"],
    applicablePhases: ["search", "answer"],
    systemSummary: "Read one source first.",
  });
  expect(value?.phases.post_search?.text).toBe("Try other words.\n\n```\n## Phase: nothing\n```");
  expect(value?.phases.pre_final).toEqual({
    conditions: ["no_read_yet"],
    priorityBoost: 0,
    text: "Read first.",
  });
  expect(value?.body.trimStart().startsWith("# Read before")).toBe(true);
});

test("Windows line ends and a byte order mark change nothing, positions included", () => {
  const dos = `\uFEFF${GOOD.replaceAll("\n", "\r\n")}`;
  expect(parse(dos).diagnostics).toEqual([]);
  expect(parse(dos).value?.phases.post_search?.text).toBe(parse(GOOD).value?.phases.post_search?.text);
  expect(only(dos.replace("priority: 0.9", "priority: 9"))).toMatchObject({ code: "HASP115", at: "9" });
});

test("HASP's keys are optional for an ordinary Agent Skill", () => {
  const { value, diagnostics } = parse(
    "---\nname: late-read\ndescription: Does a thing.\nlicense: MIT\n---\nText\n",
  );
  expect(diagnostics).toEqual([]);
  expect(value).toMatchObject({
    skillId: "late_read",
    title: "Late read",
    version: 1,
    priority: 0.5,
    applicableModes: ["all"],
    systemSummary: "Does a thing.",
  });
});

test("each wrong value is marked where it stands, with what to do", () => {
  expect(only(GOOD.replace("version: 3", "version: new"))).toMatchObject({ code: "HASP111", at: "new" });
  expect(only(GOOD.replace("[search, answer]", "search"))).toMatchObject({
    at: "search",
    next: "Write `applicable_phases: [search]`.",
  });
  expect(only(GOOD.replace("title: Read before you answer", "title: 42"))).toMatchObject({
    at: "42",
    next: 'Write `title: "42"`.',
  });
  expect(only(GOOD.replace("[search_empty]", "[serch_empty]"))).toMatchObject({
    code: "HASP117",
    at: "serch_empty",
    next: 'Did you mean "search_empty"?',
  });
  expect(only(GOOD.replace("skill_id: late_read", "skill_id: Late Read"))).toMatchObject({
    code: "HASP113",
    at: "Late Read",
  });
  expect(only(GOOD.replace("priority_boost", "priority_bost"))).toMatchObject({
    code: "HASP112",
    at: "priority_bost",
    next: 'Did you mean "priority_boost"?',
  });
  expect(only(GOOD.replace("    version: 3", "    versoin: 3"))).toMatchObject({
    code: "HASP112",
    at: "versoin",
    next: 'Did you mean "version"?',
  });
  expect(
    only(
      GOOD.replace("## Phase: post_search", "## Phase: post_serch").replace(
        "action: reformulate_search",
        "text: x",
      ),
    ),
  ).toMatchObject({ code: "HASP120", at: "post_serch" });
});

test("the name is kebab-case and equals the folder", () => {
  expect(only(GOOD.replace("name: late-read", "name: Late_Read"))).toMatchObject({
    code: "HASP113",
    at: "Late_Read",
  });
  expect(only(GOOD.replace("name: late-read", "name: early-read"))).toMatchObject({
    code: "HASP114",
    at: "early-read",
  });
  expect(codes(GOOD.replace("name: late-read\n", ""))).toEqual(["HASP110"]);
  expect(checkSkillName("shorten-2-queries")).toBeUndefined();
  for (const bad of ["", "A", "a--b", "-a", "a-", "2fast", "a b", "a".repeat(65)])
    expect(checkSkillName(bad)).toBeTypeOf("string");
});

test("YAML is YAML 1.2: 1:30 is a text, not ninety", () => {
  expect(parse(GOOD.replace("title: Read before you answer", "title: 1:30")).value?.title).toBe("1:30");
});

test("broken YAML gives the same report both times", () => {
  const broken = GOOD.replace("priority: 0.9", 'priority: "0.9');
  const first = parse(broken);
  expect(first.value).toBeUndefined();
  expect(first.diagnostics.length).toBeGreaterThan(0);
  expect(first.diagnostics[0]?.code).toBe("HASP106");
  expect(parse(broken)).toEqual(first);
});

test.each(["js", "javascript", "json", "toString", "constructor", "__proto__", "coffee", "yaml", "yml"])(
  "---%s is refused and never run",
  (language) => {
    Reflect.deleteProperty(globalThis, "pwned");
    const text = `---${language}\n{ name: (globalThis.pwned = 1) }\n---\nText\n`;
    expect(only(text)).toMatchObject({ code: "HASP104", at: language });
    expect(Reflect.has(globalThis, "pwned")).toBe(false);
  },
);

test("a lone carriage return cannot smuggle a language past the fence", () => {
  expect(codes("---\rjs\n({})\n---\n")).toEqual(["HASP104"]);
  expect(codes("---\rname: a\r---\r")).toEqual(["HASP104"]);
});

test("files that are no skill are named as what they are", () => {
  expect(codes("")).toEqual(["HASP100"]);
  expect(codes("\uFEFF \n")).toEqual(["HASP100"]);
  expect(codes("---\nname: a\0b\n---\n")).toEqual(["HASP101"]);
  expect(only("x".repeat(10_000_000)).code).toBe("HASP102");
  expect(codes("# Only Markdown\n")).toEqual(["HASP103"]);
  expect(codes("----\nname: a\n")).toEqual(["HASP103"]);
  expect(codes("---\nname: late-read\n")).toEqual(["HASP105"]);
  expect(codes("---\n---\nText")).toEqual(["HASP107"]);
  expect(codes("---\n# nothing\n---\nText")).toEqual(["HASP107"]);
  expect(codes("---\n- a\n---\nText")).toEqual(["HASP107"]);
  expect(codes(`---\n${"\n".repeat(200_000)}\n---\n`)).toEqual(["HASP102"]);
  expect(codes(`---\na: ${"[".repeat(8_000)}\n---\n`)).toContain("HASP106");
});

test("the paper's top-level form is read, with a warning on each key", () => {
  const paper = `---
skill_id: late_read
name: Read Before Answering
version: 2
priority: 0.8
system_summary: Read first.
phases:
  pre_final:
    conditions: [no_read_yet]
    action: force_read_best_doc
---
Text
`;
  const { value, diagnostics } = parse(paper);
  expect(diagnostics.every((d) => d.severity === "warning")).toBe(true);
  expect(diagnostics.filter((d) => d.code === "HASP116")).toHaveLength(6);
  expect(value).toMatchObject({
    skillId: "late_read",
    name: "late-read",
    title: "Read Before Answering",
    version: 2,
    priority: 0.8,
    description: "Read first.",
  });
  expect(value?.phases.pre_final?.action).toBe("force_read_best_doc");
});

test("duplicate keys and aliases are refused with their place", () => {
  expect(codes(GOOD.replace("    version: 3", "    version: 3\n    version: 4"))).toEqual(["HASP106"]);
  expect(codes("---\nname: &n late-read\ndescription: *n\n---\n")).toContain("HASP106");
});

function isInside(text: string, { range }: Diagnostic): boolean {
  const lines = text.split(/\r\n|\n|\r/);
  const fits = ({ line, character }: { line: number; character: number }): boolean =>
    line >= 0 && line < lines.length && character >= 0 && character <= (lines[line]?.length ?? 0) + 1;
  const { start, end } = range;
  return (
    fits(start) &&
    fits(end) &&
    (start.line < end.line || (start.line === end.line && start.character <= end.character))
  );
}

const snippet = fc.constantFrom(
  "---\n",
  "---",
  "\n",
  "\r\n",
  "\r",
  "name: late-read\n",
  "metadata:\n",
  "  hasp:\n",
  "    phases:\n",
  ": ",
  "[",
  "]",
  "{",
  "- ",
  "&a ",
  "*a",
  "!!js ",
  '"',
  "'",
  "|\n",
  "\t",
  "\0",
  "## Phase: pre_final\n",
  "\uFEFF",
  "priority: .inf\n",
  "<<: 1\n",
  "? x\n",
  "💡",
);

test("no text makes it throw, and every range lies in the text", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.oneof(snippet, fc.string({ maxLength: 5 })), { maxLength: 30 })
      .map((parts) => parts.join("")),
    fc.array(snippet, { maxLength: 25 }).map((parts) => `---\n${parts.join("")}\n---\nText`),
    fc
      .tuple(fc.nat(GOOD.length), fc.nat(30), fc.string({ maxLength: 8 }))
      .map(([at, cut, put]) => GOOD.slice(0, at) + put + GOOD.slice(at + cut)),
  );
  fc.assert(
    fc.property(text, (t) => {
      const { diagnostics } = parse(t);
      const again = parse(t).diagnostics;
      return (
        diagnostics.every((d) => isInside(t, d)) && JSON.stringify(again) === JSON.stringify(diagnostics)
      );
    }),
    { numRuns: 400 },
  );
});
