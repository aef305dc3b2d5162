import type { CaseResult } from "../model/case-result.ts";
import type { Diagnostic } from "../model/diagnostic.ts";

/** A case, and of one that does not hold also why it came out as it did. */
export interface TestedCase extends CaseResult {
  /** The PF's own. */
  readonly reason?: string | undefined;
  /** What decided in `shouldActivate`, and its 1-based line of pf.ts. */
  readonly why?: { readonly sentence: string; readonly line: number | undefined } | undefined;
}

/** What `hasp test` found out about one skill. */
export interface TestedSkill {
  readonly skillId: string;
  readonly folder: string;
  readonly cases: readonly TestedCase[];
  /** Why the cases could not be read or the PF not loaded. */
  readonly diagnostics: readonly Diagnostic[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** XML 1.0 has no place for control characters but tab and line breaks, nor for U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/** Text as XML content. */
function escapeXml(text: string): string {
  return text.replaceAll(FORBIDDEN, "").replaceAll(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
}

function testCase(skill: TestedSkill, name: string, failure: string | undefined): string {
  const open = `    <testcase classname="${escapeXml(skill.skillId)}" name="${escapeXml(name)}" file="${escapeXml(skill.folder)}/cases.yaml"`;
  return failure === undefined
    ? `${open}/>`
    : `${open}><failure message="${escapeXml(failure)}"/></testcase>`;
}

function suite(skill: TestedSkill): string {
  const broken = skill.diagnostics.map((d) => testCase(skill, `${d.code} ${d.file ?? ""}`, d.message));
  const cases = skill.cases.map((result) =>
    testCase(
      skill,
      result.case.name,
      result.passed ? undefined : `expected ${result.expected}, actual ${result.actual}`,
    ),
  );
  const failures = broken.length + skill.cases.filter((result) => !result.passed).length;
  const tests = broken.length + cases.length;
  return [
    `  <testsuite name="${escapeXml(skill.skillId)}" tests="${tests}" failures="${failures}">`,
    ...broken,
    ...cases,
    "  </testsuite>",
  ].join("\n");
}

/** A JUnit XML report: one suite a skill, one test a case; what kept a skill from loading counts as a failed test. */
export function junitReport(skills: readonly TestedSkill[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${skills.map(suite).join("\n")}\n</testsuites>\n`;
}
