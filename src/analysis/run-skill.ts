import type { CaseResult } from "../model/case-result.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { checkExecutable, type ExecutableReport } from "./executable-checks.ts";
import { asIfActing, domainOfFolder, openLibrary } from "./library.ts";
import { caseDiagnostics, runCases } from "./run-cases.ts";
import { triggerOnCases } from "./trigger-rules.ts";

/** What running a skill showed. */
export interface SkillRun extends ExecutableReport {
  /** Undefined where they were not run: they were not asked for, or something else has to be fixed first. */
  readonly cases: readonly CaseResult[] | undefined;
  /** Without those of the syntax check, which are among the folder's. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What is looked at besides the nine mock calls. */
export interface RunOptions {
  readonly cases: boolean;
  /** The text of cases.yaml, where what it expects is to be fixed. */
  readonly casesText?: string | undefined;
}

/** Why pf.ts does not compile, as reading the folder found it. */
function syntaxOf({ folder, program, diagnostics }: SkillFolder): readonly Diagnostic[] {
  if (program !== undefined) return [];
  const file = `${folder}/pf.ts`;
  return diagnostics.filter((found) => found.file === file && found.severity === "error");
}

/**
 * Runs a skill's PF, alone and as if nothing switched it off: nine mock calls (SPEC §7 D) and, where those are clean, its cases (HASP310), and
 * what these show of the trigger (HASP311, HASP312). The host holds nothing else afterwards.
 */
export async function runSkill(
  folder: SkillFolder,
  host: PfHost,
  { cases: wanted, casesText }: RunOptions,
): Promise<SkillRun> {
  const domain = domainOfFolder(folder.folder, folder.skill?.applicableModes);
  const report = await checkExecutable(syntaxOf(folder), folder.program, host, domain);
  const found = report.checks.filter(({ name }) => name !== "syntax").flatMap((check) => check.diagnostics);
  if (!wanted || report.score < 1) return { ...report, cases: undefined, diagnostics: found };
  const library = await openLibrary([asIfActing(folder)], host);
  const [active] = library.active;
  if (active === undefined)
    return { ...report, cases: undefined, diagnostics: [...found, ...library.diagnostics] };
  const cases = await runCases(active.skill.skillId, folder.cases, domain, host);
  const file = `${folder.folder}/cases.yaml`;
  const failed = cases.flatMap((result) => caseDiagnostics(result, file, casesText));
  const onTrigger = failed.length === 0 ? triggerOnCases(cases, file) : [];
  return { ...report, cases, diagnostics: [...found, ...failed, ...onTrigger] };
}
