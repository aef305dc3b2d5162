import path from "node:path";
import { createTwoFilesPatch } from "diff";
import { findingsOnRuns } from "../../app/backtest.ts";
import { fixSkill, openSkillChecks, type SkillChecks } from "../../app/check-skill.ts";
import { counted } from "../../model/counted.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { LOADING_HOSTS } from "../../skill/host-loading.ts";
import { libraryDiagnostics } from "../../skill/library-rules.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { builtInGuards, isBuiltIn } from "../builtin-skills.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { flag, someOf, texts, TRIGGERS, withDefault, type OptionsOf } from "../options.ts";
import { backtestRuns } from "../runs.ts";
import { eachSkill, readSkills, skillFiles, withSwitches, type Session } from "../session.ts";
import { loadingLine, loadingOf, type HostVerdict } from "../skill-loading.ts";
import { EXIT, type ExitCode, type Terminal } from "../terminal.ts";
import { validateConfig } from "../validate-config.ts";

const OPTIONS = {
  cases: withDefault(flag("--no-cases", "run no cases: hasp test does"), true),
  fix: flag("--fix", "fix what needs no choice of a person"),
  dryRun: flag("--dry-run", "only show what --fix would change"),
  hints: flag("--hints", "also tell traits that may be meant, such as always-on"),
  triggers: TRIGGERS,
  runs: texts("--runs <run...>", "also look at the triggers on recorded episodes"),
  host: someOf(
    "--host <host...>",
    "also say whether this host would load the skill, by its own list",
    LOADING_HOSTS,
  ),
};

type Shown = Pick<OptionsOf<typeof OPTIONS>, "hints">;

async function validateSkill(folder: SkillFolder, checks: SkillChecks, cases: boolean) {
  const { ran, diagnostics } = await checks.check({ folder, mockCalls: "always", cases });
  return {
    folder: folder.folder,
    skillId: folder.skill?.skillId,
    executable: ran && { checks: ran.checks, score: ran.score },
    /** Undefined where they were not run. */
    cases: ran?.cases,
    diagnostics,
  };
}

type Validated = Awaited<ReturnType<typeof validateSkill>>;

/** Hints are about traits that may be meant: told to those who ask, and in JSON. */
function told(diagnostics: readonly Diagnostic[], { hints }: Shown): readonly Diagnostic[] {
  return hints === true ? diagnostics : diagnostics.filter(({ severity }) => severity !== "hint");
}

/** `, 9 of 9 cases hold`; nothing where there are none. */
function casesInWords({ cases = [] }: Validated): string {
  const held = cases.filter(({ passed }) => passed).length;
  return cases.length === 0 ? "" : `, ${held} of ${cases.length} cases hold`;
}

function report(terminal: Terminal, result: Validated, hosts: readonly HostVerdict[], options: Shown): void {
  terminal.diagnostics(told(result.diagnostics, options));
  const name = result.skillId ?? result.folder;
  const checks = result.executable;
  const passed = checks?.checks.filter((check) => check.outcome === "passed").length ?? 0;
  const without = result.skillId === undefined ? "no skill" : "no pf.ts";
  const ran =
    checks === undefined
      ? without
      : `${passed} of ${checks.checks.length} executable checks passed${casesInWords(result)}`;
  terminal.line(`${isClean(result.diagnostics) ? "✓" : "✗"} ${name}: ${ran}`);
  for (const verdict of hosts) terminal.line(`  ${loadingLine(verdict)}`);
}

const isConfig = (given: string): boolean => path.basename(given) === CONFIG_FILE;

/** Fixes what needs no choice; writes each file whole, or with `--dry-run` shows what it would write. */
async function fixAll(
  folders: readonly SkillFolder[],
  session: Session,
  dryRun: boolean,
  terminal: Terminal,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { folder } of folders.filter((one) => !isBuiltIn(one.folder))) {
    for (const { file, before, after } of await fixSkill(folder, session)) {
      changed.push(file);
      if (!dryRun) await session.files.writeText(file, after);
      if (dryRun && before === after)
        terminal.line(
          `${file} would be saved as UTF-8 without a byte order mark and with line feeds, its text unchanged`,
        );
      else if (dryRun)
        for (const line of createTwoFilesPatch(file, file, before, after, "", "fixed").split("\n").slice(1))
          terminal.line(line);
      else terminal.line(`fixed ${file}`);
    }
  }
  return changed;
}

/** What the command line names; else the `hasp.yaml` of the current folder and its libraries. */
async function validatedAt(
  paths: readonly string[],
  session: Session,
): Promise<{ readonly configs: readonly string[]; readonly skills: readonly string[] | undefined }> {
  if (paths.length > 0)
    return { configs: paths.filter(isConfig), skills: paths.filter((given) => !isConfig(given)) };
  return { configs: (await session.files.exists(CONFIG_FILE)) ? [CONFIG_FILE] : [], skills: undefined };
}

async function runValidate(
  { options, terminal, session, files }: Call<typeof OPTIONS>,
  paths: readonly string[],
): Promise<ExitCode> {
  const named = await validatedAt(paths, session);
  const configs = (await Promise.all(named.configs.map((file) => validateConfig(file, session)))).flat();
  terminal.diagnostics(configs);
  // Which skills a hasp.yaml with errors means, nobody knows.
  const skipped = named.skills === undefined ? !isClean(configs) : named.skills.length === 0;
  if (skipped && named.skills === undefined)
    terminal.line("Its skills were not looked at: fix hasp.yaml first.");
  const found = skipped ? [] : await readSkills(named.skills, session, { published: true });
  const dryRun = options.dryRun === true;
  const fixes = options.fix === true || dryRun;
  const fixed = fixes ? await fixAll(found, session, dryRun, terminal) : [];
  const folders =
    fixed.length > 0 && !dryRun ? await readSkills(named.skills, session, { published: true }) : found;
  const shown = await skillFiles(
    session,
    folders.map(({ folder }) => folder),
  );
  const checks = openSkillChecks({ ...session, files: shown, guards: builtInGuards(session.files) });
  const loading = await loadingOf(
    folders.map(({ folder }) => folder),
    options.host ?? [],
    shown,
  );
  const skills = await eachSkill(folders, terminal, checks, async (folder) => {
    const result = await validateSkill(folder, checks, options.cases);
    const hosts = loading.get(folder.folder) ?? [];
    report(terminal, result, hosts, options);
    return options.host === undefined ? result : { ...result, hosts };
  });
  const runs = options.runs && (await backtestRuns(options.runs, files));
  const recorded = runs === undefined ? [] : await findingsOnRuns(folders, runs, session);
  const library = [...libraryDiagnostics(await withSwitches(folders, session)), ...recorded];
  // Who names runs wants to hear what they say.
  terminal.diagnostics(library);
  const all = [...configs, ...skills.flatMap(({ diagnostics }) => diagnostics), ...library];
  terminal.line(`${skipped ? "" : `${counted(skills.length, "skill")}: `}${countDiagnostics(all)}`);
  const changes = fixes ? { [dryRun ? "wouldFix" : "fixed"]: fixed } : {};
  terminal.result({ skills, library, ...changes, config: configs.length > 0 ? configs : undefined });
  const loaded = [...loading.values()].flat().every(({ loads }) => loads === "yes");
  return isClean(all) && loaded ? EXIT.fine : EXIT.findings;
}

/** `hasp validate [path…]`. */
export const validateCommand = defineCommand({
  name: "validate",
  about:
    "Check skills as the editor does: SKILL.md, types and rules of pf.ts, cases.yaml, nine mock calls and the cases in the sandbox.",
  takes: [
    [
      "[path...]",
      "skill folders, folders above them (.claude/skills and the like included), or files in them; or a hasp.yaml (default: hasp.yaml and its libraries)",
    ],
  ],
  options: OPTIONS,
  examples: [
    "hasp validate",
    "hasp validate skills/web-search/retrieval-failure",
    "hasp validate hasp.yaml skills",
    "hasp validate skills --fix --dry-run",
    "hasp validate .claude/skills --host claude-code codex",
  ],
  run: runValidate,
});
