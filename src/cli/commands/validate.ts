import { Command } from "commander";
import { checkExecutable, type ExecutableReport } from "../../analysis/executable-checks.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { libraryDiagnostics } from "../../skill/read-skill.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { inSession, readSkills, type Session } from "../session.ts";
import { EXIT, openTerminal, type Terminal, type SetExit } from "../terminal.ts";

interface Validated {
  readonly folder: string;
  readonly skillId: string | undefined;
  readonly executable: ExecutableReport | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Type errors first; a PF that has none is then run on the mock contexts (SPEC §7 D). */
async function validateSkill(folder: SkillFolder, session: Session): Promise<Validated> {
  const { program, pfSource, skill } = folder;
  const typed =
    pfSource === undefined ? [] : await session.compiler.check(`${folder.folder}/pf.ts`, pfSource);
  const executable = pfSource === undefined ? undefined : await checkExecutable([], program, session.host);
  const ran = executable?.checks.flatMap((check) => check.diagnostics) ?? [];
  return {
    folder: folder.folder,
    skillId: skill?.skillId,
    executable,
    diagnostics: [...folder.diagnostics, ...typed, ...ran],
  };
}

function report(terminal: Terminal, result: Validated): void {
  terminal.diagnostics(result.diagnostics);
  const name = result.skillId ?? result.folder;
  const checks = result.executable;
  const passed = checks?.checks.filter((check) => check.outcome === "passed").length ?? 0;
  const ran =
    checks === undefined ? "no pf.ts" : `${passed} of ${checks.checks.length} executable checks passed`;
  terminal.line(`${isClean(result.diagnostics) ? "✓" : "✗"} ${name}: ${ran}`);
}

async function runValidate(paths: readonly string[], json: boolean): Promise<0 | 1> {
  const terminal = openTerminal(json);
  return inSession(async (session) => {
    const folders = await readSkills(paths, session);
    const results: Validated[] = [];
    for (const folder of folders) {
      terminal.progress(results.length, folders.length, folder.folder);
      const result = await validateSkill(folder, session);
      results.push(result);
      report(terminal, result);
    }
    const across = libraryDiagnostics(folders);
    terminal.diagnostics(across);
    const all = [...results.flatMap((result) => result.diagnostics), ...across];
    terminal.line(`${results.length} ${results.length === 1 ? "skill" : "skills"}: ${countDiagnostics(all)}`);
    terminal.result({ skills: results, library: across });
    return isClean(all) ? EXIT.fine : EXIT.findings;
  });
}

/** `hasp validate <path…>`. */
export function validateCommand(setExit: SetExit): Command {
  return new Command("validate")
    .description(
      "Check skills: SKILL.md, types and rules of pf.ts, cases.yaml, and nine mock calls in the sandbox.",
    )
    .argument("<path...>", "skill folders, folders above them, or files in them")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpText("hasp validate skills", "hasp validate skills/web-search/retrieval-failure"),
    )
    .action(async (paths: string[], options: { json?: boolean }) => {
      setExit(await runValidate(paths, options.json === true));
    });
}
