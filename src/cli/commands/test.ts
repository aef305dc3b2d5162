import { Command } from "commander";
import { domainOfFolder, openLibrary } from "../../analysis/library.ts";
import { runCases } from "../../analysis/run-cases.ts";
import { isClean } from "../../model/diagnostic.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { junitReport, type TestedSkill } from "../junit.ts";
import { inSession, readSkills, type Session } from "../session.ts";
import { EXIT, openTerminal, type Terminal, type SetExit } from "../terminal.ts";

async function testSkill(folder: SkillFolder, session: Session): Promise<TestedSkill> {
  const library = await openLibrary([folder], session.host);
  const diagnostics = [...folder.diagnostics, ...library.diagnostics].filter((d) => d.severity === "error");
  const skillId = folder.skill?.skillId ?? folder.folder;
  const cases =
    library.active.length === 0
      ? []
      : await runCases(skillId, folder.cases, domainOfFolder(folder.folder), session.host);
  return { skillId, folder: folder.folder, cases, diagnostics };
}

function report(terminal: Terminal, tested: TestedSkill): void {
  terminal.diagnostics(tested.diagnostics);
  const passed = tested.cases.filter((result) => result.passed).length;
  const bad = passed < tested.cases.length || tested.diagnostics.length > 0;
  terminal.line(`${bad ? "✗" : "✓"} ${tested.skillId}: ${passed} of ${tested.cases.length} cases hold`);
  for (const result of tested.cases.filter((r) => !r.passed)) {
    terminal.line(
      `    ${result.case.name} (${tested.folder}/cases.yaml:${result.case.range.start.line + 1})`,
    );
    terminal.line(`      expected: ${result.expected}`);
    terminal.line(`      actual:   ${result.actual}`);
  }
}

async function runTest(
  paths: readonly string[],
  options: { json?: boolean; junit?: string },
): Promise<0 | 1> {
  const terminal = openTerminal(options.json === true);
  return inSession(async (session) => {
    const folders = await readSkills(paths.length === 0 ? undefined : paths, session);
    const tested: TestedSkill[] = [];
    for (const folder of folders) {
      terminal.progress(tested.length, folders.length, folder.folder);
      const result = await testSkill(folder, session);
      tested.push(result);
      report(terminal, result);
    }
    if (options.junit !== undefined) await session.files.writeText(options.junit, junitReport(tested));
    const cases = tested.flatMap((skill) => skill.cases);
    const failed = cases.filter((result) => !result.passed).length;
    const problems = tested.flatMap((skill) => skill.diagnostics);
    terminal.line(`${cases.length - failed} cases hold, ${failed} do not; ${countDiagnostics(problems)}`);
    terminal.result({ skills: tested });
    return failed === 0 && isClean(problems) ? EXIT.fine : EXIT.findings;
  });
}

/** `hasp test [skill…]`. */
export function testCommand(setExit: SetExit): Command {
  return new Command("test")
    .description(
      "Run the cases of skills (cases.yaml): recorded contexts with the decision that the PF must take.",
    )
    .argument("[skill...]", "skill folders or folders above them (default: the libraries of hasp.yaml)")
    .option("--junit <file>", "also write a JUnit XML report")
    .option("--json", "print the result as JSON")
    .addHelpText("after", helpText("hasp test skills --junit test-output/skills.xml"))
    .action(async (paths: string[], options: { json?: boolean; junit?: string }) => {
      setExit(await runTest(paths, options));
    });
}
