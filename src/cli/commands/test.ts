import { randomUUID } from "node:crypto";
import path from "node:path";
import { openCaseRuns, type CaseRuns } from "../../app/cases.ts";
import { firstPlace, type CaseOutcome } from "../../model/case-result.ts";
import { isClean } from "../../model/diagnostic.ts";
import { absolute, currentFolder, variables } from "../../platform/surroundings.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { githubAnnotations } from "../github-annotations.ts";
import { junitReport, type TestedCase, type TestedSkill } from "../junit.ts";
import { oneOf, text, TRIGGERS } from "../options.ts";
import { eachSkill, readSkills } from "../session.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../terminal.ts";

const OPTIONS = {
  junit: text("--junit <file>", "also write a JUnit XML report"),
  reporter: oneOf(
    "--reporter <name>",
    "`github` also writes annotations for GitHub (default: where GITHUB_ACTIONS is true), `text` never does",
    ["text", "github"],
  ),
  triggers: TRIGGERS,
};

function testedCase({ result, reason, why }: CaseOutcome): TestedCase {
  if (result.passed) return result;
  return { ...result, reason, why: why && { sentence: why.sentence, line: why.deciding?.line } };
}

async function testSkill(folder: SkillFolder, runs: CaseRuns): Promise<TestedSkill> {
  const { value: runCase, diagnostics } = await runs.open(folder);
  const skillId = folder.skill?.skillId ?? folder.folder;
  const cases: TestedCase[] = [];
  if (runCase !== undefined) for (const test of folder.cases) cases.push(testedCase(await runCase(test)));
  return { skillId, folder: folder.folder, cases, diagnostics };
}

function reportCase(terminal: Terminal, { folder }: TestedSkill, failed: TestedCase): void {
  const { expected, actual, reason, why } = failed;
  terminal.line(`    ${failed.case.name} (${folder}/cases.yaml:${firstPlace(failed).start.line + 1})`);
  terminal.line(`      expected: ${expected}`);
  terminal.line(`      actual:   ${actual}`);
  if (reason !== undefined) terminal.line(`      reason:   ${reason}`);
  if (why === undefined) return;
  const at = why.line === undefined ? "" : ` (${folder}/pf.ts:${why.line})`;
  terminal.line(`      because:  ${why.sentence}${at}`);
}

function report(terminal: Terminal, tested: TestedSkill): void {
  terminal.diagnostics(tested.diagnostics);
  const failed = tested.cases.filter((result) => !result.passed);
  const bad = failed.length > 0 || tested.diagnostics.length > 0;
  const held = tested.cases.length - failed.length;
  terminal.line(`${bad ? "✗" : "✓"} ${tested.skillId}: ${held} of ${tested.cases.length} cases hold`);
  for (const result of failed) reportCase(terminal, tested, result);
}

/** On GitHub's machines by itself; with `--json` standard output is a program's, and stays one value. */
function isForGithub({ options: { reporter }, terminal: { json } }: Call<typeof OPTIONS>): boolean {
  if (reporter === "github" && json)
    throw new CliError("--reporter github and --json both write to standard output.", "Choose one of them.");
  return reporter === undefined ? !json && variables()["GITHUB_ACTIONS"] === "true" : reporter === "github";
}

/** From the root of the checkout, which GitHub names; else from the current folder. */
function repositoryPath(file: string): string {
  const root = variables()["GITHUB_WORKSPACE"] ?? currentFolder() ?? "";
  return path.relative(root, absolute(file)).split(path.sep).join("/");
}

async function runTest(call: Call<typeof OPTIONS>, paths: readonly string[]): Promise<ExitCode> {
  const { options, terminal, session, files } = call;
  const forGithub = isForGithub(call);
  const folders = await readSkills(paths.length === 0 ? undefined : paths, session, { published: true });
  // Names of cases and texts of PFs are printed: until this word comes again, GitHub takes no line for a command.
  const word = randomUUID();
  if (forGithub) terminal.line(`::stop-commands::${word}`);
  const runs = openCaseRuns(session);
  const tested = await eachSkill(folders, terminal, runs, async (folder) => {
    const result = await testSkill(folder, runs);
    report(terminal, result);
    return result;
  });
  if (forGithub) {
    terminal.line(`::${word}::`);
    for (const command of githubAnnotations(tested, repositoryPath)) terminal.line(command);
  }
  if (options.junit !== undefined) await files.writeText(options.junit, junitReport(tested));
  const cases = tested.flatMap((skill) => skill.cases);
  const failed = cases.filter((result) => !result.passed).length;
  const problems = tested.flatMap((skill) => skill.diagnostics);
  terminal.line(`${cases.length - failed} cases hold, ${failed} do not; ${countDiagnostics(problems)}`);
  terminal.result({ skills: tested });
  return failed === 0 && isClean(problems) ? EXIT.fine : EXIT.findings;
}

/** `hasp test [skill…]`. */
export const testCommand = defineCommand({
  name: "test",
  about: "Run the cases of skills (cases.yaml): recorded contexts with the decision that the PF must take.",
  takes: [["[skill...]", "skill folders or folders above them (default: the libraries of hasp.yaml)"]],
  options: OPTIONS,
  examples: ["hasp test skills --junit test-output/skills.xml"],
  run: runTest,
});
