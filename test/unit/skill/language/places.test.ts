import { describe, expect, test } from "vitest";
import { linksIn } from "../../../../src/skill/language/links.ts";
import { casesHelp, skillHelp } from "../../../../src/skill/language/hover.ts";
import {
  nameFrom,
  namesOf,
  partRanges,
  placeAt,
  renameEdits,
  type NamingFile,
} from "../../../../src/skill/language/places.ts";
import { sourceText } from "../../../../src/skill/source-text.ts";
import { atCursor, FACTS } from "./support.ts";

const MD = `---
name: late-read
description: Use when late_read.
metadata:
  hasp:
    skill_id: late_read
    priority: 0.4
    supersedes: [early_read, "older_read"]
    phases:
      post_read: { conditions: [has_read], action: read_closely }
---

## Phase: post_read

Text.
`;

function helpAt(marked: string): readonly string[] {
  const { text, position } = atCursor(marked);
  return skillHelp(text, position, FACTS)?.paragraphs ?? [];
}

describe("a hover", () => {
  test("says what a key means, what holds without it and which rules look at it", () => {
    const [about = "", without, rules] = helpAt(MD.replace("priority", "prio|rity"));
    expect(about).toContain("**priority** 0 to 1");
    expect(without).toBe("Without it: 0.5.");
    expect(rules).toContain("HASP115 (A value out of range)");
  });

  test("says what a condition, an action, a heading and another skill are", () => {
    expect(helpAt(MD.replace("[has_read", "[has|_read"))[0]).toContain("Something has been read.");
    expect(helpAt(MD.replace("read_closely", "read_|closely"))[0]).toContain("one sentence that answers");
    expect(helpAt(MD.replace("## Phase", "## Ph|ase"))[0]).toContain("After a text was read.");
    expect(helpAt(MD.replace("[early_read", "[early|_read")).join()).toContain("Use when nothing was read");
    expect(helpAt(MD.replace("Text", "Te|xt"))).toEqual([]);
    expect(helpAt(MD.replace("name", "na|me"))).toEqual([]);
  });

  test("knows the fields of a case", () => {
    const { text, position } = atCursor("cases:\n  - context: { max|Steps: 4 }\n");
    expect(casesHelp(text, position, FACTS)?.paragraphs).toContain("Without it: 15.");
  });
});

/** A file after a rename. */
function renamed(file: NamingFile, text: string, isOwn = true): string {
  const edits = renameEdits(file, text, namesOf("late-read"), namesOf("slow-read"), isOwn);
  const source = sourceText(text);
  return edits
    .toSorted((a, b) => source.offsetAt(b.range.start) - source.offsetAt(a.range.start))
    .reduce(
      (now, { range, newText }) =>
        now.slice(0, source.offsetAt(range.start)) + newText + now.slice(source.offsetAt(range.end)),
      text,
    );
}

describe("a rename", () => {
  test("reaches name and id of its own SKILL.md, and leaves its texts", () => {
    const after = renamed("SKILL.md", MD);
    expect(after).toContain("name: slow-read\ndescription: Use when late_read.");
    expect(after).toContain("skill_id: slow_read");
  });

  test("reaches what other files call it by, and nothing that only begins alike", () => {
    const other = MD.replace("early_read", "late_read, late_read_two");
    expect(renamed("SKILL.md", other, false)).toContain(
      'supersedes: [slow_read, late_read_two, "older_read"]',
    );
    const config =
      "libraries: [builtin:web-search, skills/web-search/late-read]\ndisabled_skills:\n  - late_read\ncontrol:\n  pinned_skills: ['late_read']\n";
    expect(renamed("hasp.yaml", config, false)).toBe(
      config.replaceAll("late_read", "slow_read").replace("late-read", "slow-read"),
    );
  });

  test("reaches the class and its uses, but no text that says the same", () => {
    const pf =
      'const A = "LateRead";\nexport default class LateRead extends ProgramFunction {\n  static x = LateRead.name;\n}\n';
    expect(renamed("pf.ts", pf)).toBe(
      pf.replace("class LateRead", "class SlowRead").replace("= LateRead.", "= SlowRead."),
    );
    expect(renamed("pf.ts", pf.replaceAll("LateRead", "Other"))).toContain("class Other");
  });

  test("reaches mentions in its cases", () => {
    expect(renamed("cases.yaml", "# of late_read\ncases: []\n")).toContain("# of slow_read");
  });

  test("takes a name however it is typed, and refuses what can be none", () => {
    expect(["slow_read", "SlowRead", " slow read "].map(nameFrom)).toEqual([
      "slow-read",
      "slow-read",
      "slow-read",
    ]);
    expect(["", "1x", "ü", "a/b", "x".repeat(65)].map(nameFrom)).toEqual(Array(5).fill(undefined));
  });
});

test("a place is found under the cursor, quoted or not", () => {
  const { text, position } = atCursor(MD.replace('"older', '"old|er'));
  expect(placeAt("SKILL.md", text, position)).toMatchObject({ role: "names", text: "older_read" });
});

test("parts of pf.ts are found by what a case names", () => {
  const pf =
    "class A {\n  shouldActivate(ctx) {\n    return ctx.searchCount > 2 && ctx.searchCounts;\n  }\n  override async intervene() {}\n}\n";
  expect(partRanges(pf, { method: "shouldActivate" })).toHaveLength(1);
  expect(partRanges(pf, { method: "intervene" })).toHaveLength(1);
  expect(partRanges(pf, { field: "searchCount" })).toHaveLength(1);
});

test("codes, links to steps and ids between backticks lead somewhere; other words do not", () => {
  const text =
    "See HASP115, HASP999, `late_read`, `some_word`, vscode://hasp-studio.hasp-studio/step?run=a&episode=b&step=2.";
  const found = linksIn(text, new Set(["late_read"]));
  expect(found.map(({ kind }) => kind)).toEqual(["rule", "skill", "step"]);
});
