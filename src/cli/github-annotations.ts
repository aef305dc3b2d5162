import { firstPlace } from "../model/case-result.ts";
import type { TestedCase, TestedSkill } from "./junit.ts";

/** Finds a file for GitHub: its path from the root of the repository, with `/`. */
export type RepositoryPath = (file: string) => string;

/** Text of a workflow command: what would end it, or begin another, is escaped. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

interface Annotation {
  readonly file: string;
  /** 0-based. */
  readonly line: number;
  readonly title: string;
  readonly message: string;
}

function errorCommand({ file, line, title, message }: Annotation): string {
  return `::error file=${escapeProperty(file)},line=${line + 1},title=${escapeProperty(title)}::${escapeData(message)}`;
}

function caseMessage({ expected, actual, reason, why }: TestedCase): string {
  const lines = [`expected: ${expected}`, `actual: ${actual}`];
  if (reason !== undefined) lines.push(`reason: ${reason}`);
  const at = why?.line === undefined ? "" : ` (pf.ts:${why.line})`;
  if (why !== undefined) lines.push(`because ${why.sentence}${at}`);
  return lines.join("\n");
}

function ofSkill({ skillId, folder, cases, diagnostics }: TestedSkill, path: RepositoryPath): string[] {
  const broken = diagnostics.map(({ code, file, range, message, next }) =>
    errorCommand({
      file: path(file ?? `${folder}/SKILL.md`),
      line: range.start.line,
      title: `${skillId}: ${code}`,
      message: next === undefined ? message : `${message}\n${next}`,
    }),
  );
  const failed = cases
    .filter(({ passed }) => !passed)
    .map((one) =>
      errorCommand({
        file: path(`${folder}/cases.yaml`),
        line: firstPlace(one).start.line,
        title: `${skillId}: ${one.case.name}`,
        message: caseMessage(one),
      }),
    );
  return [...broken, ...failed];
}

/** One workflow command for each case that does not hold and each thing that kept a skill from being tested: GitHub shows it at its line. */
export function githubAnnotations(skills: readonly TestedSkill[], path: RepositoryPath): readonly string[] {
  return skills.flatMap((skill) => ofSkill(skill, path));
}
