import { specOf } from "../../../../src/model/domain-spec.ts";
import { REGISTERED } from "../../../../src/domains/registered.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeCases } from "../../../../src/skill/language/complete-cases.ts";
import { completePf } from "../../../../src/skill/language/complete-pf.ts";
import { completeSkill } from "../../../../src/skill/language/complete-skill.ts";
import type { Proposal } from "../../../../src/skill/language/complete-yaml.ts";
import type { LanguageFacts } from "../../../../src/skill/language/facts.ts";
import { parseCases } from "../../../../src/skill/parse-cases.ts";
import { parseSkill } from "../../../../src/skill/parse-skill.ts";
import { HASP_KEYS } from "../../../../src/skill/skill-keys.ts";
import { accepted, atCursor, CODING, FACTS } from "./support.ts";

const HEAD = `---
name: late-read
description: Use when a read comes too late.
metadata:
  hasp:
    skill_id: late_read
`;

function skill(marked: string, facts = FACTS): string[] {
  const { text, position } = atCursor(`${HEAD}${marked}`);
  return completeSkill(text, position, facts).map(({ label }) => label);
}
function cases(marked: string, facts = FACTS): string[] {
  const { text, position } = atCursor(marked);
  return completeCases(text, position, facts).map(({ label }) => label);
}

describe("SKILL.md", () => {
  test("offers HASP's keys that are not there yet, and none of VS Code's", () => {
    expect(skill("    |\n---\n")).toEqual(HASP_KEYS.filter((key) => key !== "skill_id"));
    expect(skill("    pri|\n    version: 2\n---\n")).not.toContain("version");
    expect(skill("|\n---\n")).toEqual([]);
  });

  test("offers words with their meaning, in brackets, behind a dash, and without those that stand there", () => {
    expect(skill("    applicable_modes: [all, |]\n---\n")).toContain("agent");
    expect(skill("    applicable_modes: [all, |]\n---\n")).not.toContain("all");
    expect(skill("    applicable_phases:\n      - think\n      - |\n---\n")).toEqual(["search", "answer"]);
    expect(skill("    supersedes: [|]\n---\n")).toEqual(["early_read"]);
    expect(skill("    handler: |\n---\n")).toEqual(["llm", "code", "inline"]);
  });

  test("offers phases, their keys, conditions and actions, in block and in braces", () => {
    expect(skill("    phases:\n      |\n---\n")).toEqual(["pre_final", "post_search", "post_read"]);
    expect(skill("    phases:\n      post_read:\n        |\n---\n")).toContain("conditions");
    expect(skill("    phases:\n      post_read: { conditions: [has_read, |] }\n---\n")).toContain(
      "single_source",
    );
    expect(skill("    phases:\n      post_read: { conditions: [], action: |\n---\n")).toContain(
      "read_closely",
    );
    expect(skill("    phases:\n      post_read: { action: read_closely, | }\n---\n")).not.toContain("action");
  });

  test("offers headings of declared phases that have no section yet", () => {
    const front =
      "    handler: llm\n    phases:\n      post_read: { action: read_closely }\n---\n\n# Late read\n\n";
    expect(skill(`${front}#|`)).toEqual(["## Phase: post_read", "## Handler"]);
    expect(skill(`${front}## Phase: post_read\n\nText.\n\n## |`)).toEqual(["## Handler"]);
    expect(skill(`${front}\`\`\`\n## |`)).toEqual([]);
  });

  test("keeps silent in comments, quotes and texts", () => {
    expect(skill("    # |\n---\n")).toEqual([]);
    expect(skill('    title: "a |"\n---\n')).toEqual([]);
    expect(skill("    title: |\n---\n")).toEqual([]);
  });
});

describe("cases.yaml", () => {
  test("offers a new case, keys of a case and of its context", () => {
    expect(cases("cases:\n  |")).toEqual(["new case"]);
    expect(cases("cases:\n  - name: a\n    |")).toEqual(["context", "memory", "proposed", "expect"]);
    expect(cases("cases:\n  - name: a\n    |", CODING)).toContain("steps");
    expect(cases("cases:\n  - name: a\n    context:\n      searchCount: 2\n      |")).toContain(
      "emptyResults",
    );
    expect(cases("cases:\n- name: a\n  context: { | }")).toContain("question");
  });

  test("offers a new case below those that are there, and between two of them", () => {
    const [one, two] = ["  - name: a\n    expect:\n      fires: false\n", "  - name: b\n"];
    expect(cases(`cases:\n${one}  |`)).toEqual(["new case"]);
    expect(cases(`cases:\n${one}\n  ne|\n`)).toEqual(["new case"]);
    expect(cases(`cases:\n${one}\n  |\n\n${two}`)).toEqual(["new case"]);
    expect(cases("cases:\n  - name: a\n  |\n    expect: {}\n")).toEqual([]);
    expect(cases(`cases:\n${one}   |`)).toEqual([]);
  });

  test("offers the domain's actions, interventions and only expectations that can hold together", () => {
    expect(cases("cases:\n  - proposed: { type: | }")).toEqual([
      "SEARCH",
      "READ",
      "FINAL",
      "other",
      "invalid",
    ]);
    expect(cases("cases:\n  - proposed:\n      type: |", CODING)).toContain("PowerShell");
    expect(cases("cases:\n  - expect: { fires: true, type: | }")).toEqual([
      "MODIFY_ACTION",
      "INJECT_CONTEXT",
      "NOOP",
    ]);
    expect(cases("cases:\n  - expect: { fires: false, | }")).toEqual([]);
    expect(cases("cases:\n  - expect: { fires: true, type: INJECT_CONTEXT, | }")).toEqual([
      "contextContains",
    ]);
    expect(
      cases("cases:\n  - expect:\n      fires: true\n      type: MODIFY_ACTION\n      new|"),
    ).not.toContain("contextContains");
  });

  test("offers nothing between a key and its value in braces on the next line", () => {
    expect(cases("cases:\n  - expect:\n      |\n      { fires: true }\n")).toEqual([]);
    expect(cases("cases:\n  - expect:\n        |\n      { fires: true }\n")).toEqual([]);
  });

  test("offers the inputs of the tool that is called", () => {
    expect(cases("cases:\n  - proposed: { type: Edit, input: { path: a, | } }", CODING)).toEqual([
      "oldText",
      "newText",
      "all",
    ]);
    expect(cases("cases:\n  - steps:\n      - type: Bash\n        input:\n          |", CODING)).toContain(
      "command",
    );
    expect(cases("cases:\n  - steps:\n      - type: Bash\n        |", CODING)).toContain("observation");
  });
});

test("pf.ts gets whole statements inside the methods, and nothing where TypeScript speaks", () => {
  const pf = (body: string) => {
    const { text, position } = atCursor(
      `import { noop, ProgramFunction } from "hasp";\nexport default class A extends ProgramFunction {\n  intervene() {\n    ${body}\n  }\n}\n`,
    );
    return completePf(text, position, FACTS).map(({ label }) => label);
  };
  expect(pf("|")).toContain("hasp: inject a context");
  expect(pf("ha|")).toContain("hasp: rewrite the action");
  expect(pf("const x = |")).toEqual([]);
  expect(pf("ctx.|")).toEqual([]);
});

test("a snippet of pf.ts brings the import that it needs, also into one on several lines", () => {
  const added = (names: string) => {
    const { text, position } = atCursor(
      `import {${names}} from "hasp";\nexport default class A extends ProgramFunction {\n  intervene() {\n    |\n  }\n}\n`,
    );
    const found = completePf(text, position, FACTS).find(({ label }) => label === "hasp: change nothing");
    const { range, newText } = found?.also ?? {};
    return [range?.start, newText];
  };
  expect(added(" ProgramFunction ")).toEqual([{ line: 0, character: 9 }, "noop, "]);
  expect(added("\n  modifyAction,\n  ProgramFunction,\n")).toEqual([{ line: 1, character: 2 }, "noop, "]);
  expect(added(" noop, ProgramFunction ")).toEqual([undefined, undefined]);
});

const SKILLS = resolve(import.meta.dirname, "../../../../skills");
const shipped = readdirSync(SKILLS, { recursive: true, encoding: "utf8" });
const read = (name: string) =>
  shipped
    .filter((file) => file.endsWith(name))
    .map((file) => [file.split(/[/\\]/), readFileSync(join(SKILLS, file), "utf8")] as const);

const problems = (diagnostics: readonly { severity: string }[]): number =>
  diagnostics.filter(({ severity }) => severity === "error" || severity === "warning").length;

/** A line more at each place of a text: blank, indented as the line above it and deeper. */
const places = (text: string): { text: string; line: number; character: number }[] =>
  text.split("\n").flatMap((line, i, lines) =>
    [...new Set([line.length - line.trimStart().length, line.length - line.trimStart().length + 2])].map(
      (character) => ({
        text: [...lines.slice(0, i + 1), " ".repeat(character), ...lines.slice(i + 1)].join("\n"),
        line: i + 1,
        character,
      }),
    ),
  );

type Complete = (
  text: string,
  at: { line: number; character: number },
  facts: LanguageFacts,
) => readonly Proposal[];

function neverWorse(file: string, complete: Complete, check: (text: string, folder: string) => number): void {
  const inputs = read(file).flatMap(([path, text]) => places(text).map((place) => ({ ...place, path })));
  const property = fc.property(fc.constantFrom(...inputs), ({ text, line, character, path }) => {
    const [domain, folder = ""] = path;
    const scope = { own: specOf(REGISTERED, domain ?? ""), all: REGISTERED };
    const before = check(text, folder);
    for (const one of complete(text, { line, character }, { ...FACTS, folder, scope })) {
      const after = accepted(text, one);
      expect({ label: one.label, after, worse: check(after, folder) > before }).toMatchObject({
        worse: false,
      });
    }
  });
  fc.assert(property, { numRuns: 60 });
}

test("whatever is accepted in a shipped SKILL.md, it checks no worse than before", () => {
  neverWorse("SKILL.md", completeSkill, (text, folder) =>
    problems(parseSkill(text, { file: "SKILL.md", folder }, REGISTERED).diagnostics),
  );
});

test("whatever is accepted in a shipped cases.yaml, it checks no worse than before", () => {
  neverWorse("cases.yaml", completeCases, (text) =>
    problems(parseCases(text, "cases.yaml", REGISTERED).diagnostics),
  );
});

test("no text and no position makes completion throw", () => {
  const line = fc.string({ unit: fc.constantFrom(..."ab:- {}[],\"'#|\n  ".split("")), maxLength: 80 });
  fc.assert(
    fc.property(line, fc.nat(6), fc.nat(20), (body, row, character) => {
      const text = `---\nmetadata:\n  hasp:\n    ${body}\n---\n`;
      completeSkill(text, { line: row, character }, FACTS);
      completeCases(`cases:\n  ${body}`, { line: row, character }, CODING);
    }),
    { numRuns: 500 },
  );
});
