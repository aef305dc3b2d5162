import path from "node:path";
import { Command } from "commander";
import { checkExecutable, type ExecutableReport } from "../../analysis/executable-checks.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { libraryDiagnostics } from "../../skill/library-rules.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { controlFor, readConfig } from "../control-options.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { inSession, readSkills, type Session } from "../session.ts";
import { CliError, EXIT, openTerminal, type Terminal, type SetExit } from "../terminal.ts";

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
  const without = result.skillId === undefined ? "no skill" : "no pf.ts";
  const ran =
    checks === undefined ? without : `${passed} of ${checks.checks.length} executable checks passed`;
  terminal.line(`${isClean(result.diagnostics) ? "✓" : "✗"} ${name}: ${ran}`);
}

/** What is wrong with the `hasp.yaml` among the paths, by itself and with the contradictions in it. */
async function validateConfigs(files: readonly string[], session: Session): Promise<readonly Diagnostic[]> {
  for (const file of files)
    if (!(await session.files.exists(file))) throw new CliError(`There is no ${file}.`, "Check the path.");
  const read = await Promise.all(files.map((file) => readConfig(session.files, file)));
  return read.flatMap((config) => [...config.diagnostics, ...controlFor({}, config.value).diagnostics]);
}

const isConfig = (given: string): boolean => path.basename(given) === CONFIG_FILE;

async function runValidate(paths: readonly string[], json: boolean): Promise<0 | 1> {
  const terminal = openTerminal(json);
  return inSession(async (session) => {
    const configs = await validateConfigs(paths.filter(isConfig), session);
    terminal.diagnostics(configs);
    const ofSkills = paths.filter((given) => !isConfig(given));
    const folders = ofSkills.length === 0 ? [] : await readSkills(ofSkills, session);
    const results: Validated[] = [];
    for (const folder of folders) {
      terminal.progress(results.length, folders.length, folder.folder);
      const result = await validateSkill(folder, session);
      results.push(result);
      report(terminal, result);
    }
    const across = libraryDiagnostics(folders);
    terminal.diagnostics(across);
    const all = [...configs, ...results.flatMap((result) => result.diagnostics), ...across];
    const skills = `${results.length} ${results.length === 1 ? "skill" : "skills"}: `;
    terminal.line(`${ofSkills.length === 0 ? "" : skills}${countDiagnostics(all)}`);
    terminal.result({ skills: results, library: across, ...(configs.length > 0 && { config: configs }) });
    return isClean(all) ? EXIT.fine : EXIT.findings;
  });
}

/** `hasp validate <path…>`. */
export function validateCommand(setExit: SetExit): Command {
  return new Command("validate")
    .description(
      "Check skills: SKILL.md, types and rules of pf.ts, cases.yaml, and nine mock calls in the sandbox.",
    )
    .argument("<path...>", "skill folders, folders above them, or files in them; or a hasp.yaml")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpText(
        "hasp validate skills",
        "hasp validate skills/web-search/retrieval-failure",
        "hasp validate hasp.yaml skills",
      ),
    )
    .action(async (paths: string[], options: { json?: boolean }) => {
      setExit(await runValidate(paths, options.json === true));
    });
}
