import { REGISTERED } from "../../../src/domains/registered.ts";
import { expect, it } from "vitest";
import { githubAnnotations } from "../../../src/cli/github-annotations.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";

const [one] =
  parseCases(
    `cases:
  - name: "odd: 100%, and ::error::"
    proposed: { type: SEARCH, arg: a }
    expect: { fires: false }
`,
    "cases.yaml",
    REGISTERED,
  ).value ?? [];
if (one === undefined) throw new Error("no case");

it("names the line of a case that does not hold, with its reason, and nothing of one that does", () => {
  const failed = {
    case: one,
    passed: false as boolean,
    differences: [],
    expected: "does not fire",
    actual: "fires\n::error::",
  };
  const why = { sentence: 'actionType is "SEARCH"', line: 7 };
  const skill = {
    skillId: "late_read",
    folder: "skills/a,b/late-read",
    cases: [
      { ...failed, reason: "long", why },
      { ...failed, passed: true },
    ],
    diagnostics: [],
  };
  expect(githubAnnotations([skill], (file) => `repo/${file}`)).toEqual([
    "::error file=repo/skills/a%2Cb/late-read/cases.yaml,line=2,title=late_read%3A odd%3A 100%25%2C and %3A%3Aerror%3A%3A" +
      '::expected: does not fire%0Aactual: fires%0A::error::%0Areason: long%0Abecause actionType is "SEARCH" (pf.ts:7)',
  ]);
});

it("names what kept a skill from being tested", () => {
  const start = { line: 4, character: 0 };
  const broken = {
    code: "HASP251",
    severity: "error",
    message: "no class",
    next: "Export one.",
    range: { start, end: start },
  } as const;
  const skill = { skillId: "late_read", folder: "skills/late-read", cases: [], diagnostics: [broken] };
  expect(githubAnnotations([skill], (file) => file)).toEqual([
    "::error file=skills/late-read/SKILL.md,line=5,title=late_read%3A HASP251::no class%0AExport one.",
  ]);
});
