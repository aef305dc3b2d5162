import * as vscode from "vscode";
import { takeTurns } from "../../agents/serve/turns.ts";
import { runSkill, type SkillRun } from "../../analysis/run-skill.ts";
import { type Diagnostic, isClean, once } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import { promptHint } from "../../skill/prompt-hint.ts";
import { readSkillFolder, type SkillFolder as ReadSkill } from "../../skill/read-skill.ts";
import { SETTINGS } from "../contributions.ts";
import { readSetting } from "../settings.ts";
import { filesOf, nameOf, type SkillFolder } from "../workspace/skill-folders.ts";
import type { CheckSkill, Findings } from "./live.ts";

interface Services {
  /** Sees unsaved text. */
  readonly files: NodeFiles;
  readonly compiler: Compiler;
  /** A sandbox of its own: what it holds is replaced by each check. */
  readonly host: PfHost;
}

/** No file of a skill that was read is longer. */
const MAX_BYTES = 10_000_000;

type Run = (read: ReadSkill, casesText: string | undefined) => Promise<SkillRun>;

/** The run of a skill whose files say what they said before is not repeated, as after a save. What was read from the same text is the same object. */
function rememberRuns(run: Run): Run {
  const known = new Map<string, { readonly read: ReadSkill; readonly ran: Promise<SkillRun> }>();
  return (read, casesText) => {
    const before = known.get(read.folder);
    if (before !== undefined && sameRun(before.read, read)) return before.ran;
    const entry = { read, ran: run(read, casesText) };
    known.set(read.folder, entry);
    entry.ran.catch(() => {
      if (known.get(read.folder) === entry) known.delete(read.folder);
    });
    return entry.ran;
  };
}

const sameRun = (a: ReadSkill, b: ReadSkill): boolean =>
  a.skill === b.skill && a.cases === b.cases && a.program?.code === b.program?.code;

/** By the file of the folder that each names; what names none of them belongs to SKILL.md. */
function byFile(folder: SkillFolder, diagnostics: readonly Diagnostic[]): Findings {
  const files = filesOf(folder);
  const findings = new Map(files.map((file) => [file.toString(), [] as Diagnostic[]]));
  for (const diagnostic of diagnostics) {
    const file = files.find((uri) => diagnostic.file?.endsWith(nameOf(uri))) ?? folder.skillMd;
    findings.get(file.toString())?.push(diagnostic);
  }
  return findings;
}

/**
 * Everything that can be said about one skill by itself: SKILL.md, the types and rules of `pf.ts`, `cases.yaml`. Where a person
 * trusts the workspace and the code has no errors, the PF also runs: nine mock calls and its cases, in the sandbox.
 */
export function createCheckSkill({ files, compiler, host }: Services): CheckSkill {
  // A sandbox holds one skill at a time.
  const inTurn = takeTurns();
  const runOnce = rememberRuns((read, casesText) =>
    inTurn(() => runSkill(read, host, { cases: true, casesText })),
  );
  return async (folder) => {
    const read = await readSkillFolder(files, compiler, folder.uri.fsPath);
    const { pfSource } = read;
    const pf = vscode.Uri.joinPath(folder.uri, "pf.ts").fsPath;
    const typed = pfSource === undefined ? [] : await compiler.check(pf, pfSource);
    const found = once([...read.diagnostics, ...typed]);
    const mayRun = vscode.workspace.isTrusted && readSetting(SETTINGS.runCases);
    const runs = mayRun && read.program !== undefined && isClean(found);
    const text = async (name: string): Promise<string | undefined> => {
      const got = await files.readText(`${read.folder}/${name}`, MAX_BYTES);
      return got.kind === "text" ? got.text : undefined;
    };
    const casesText = runs && read.cases.length > 0 ? await text("cases.yaml") : undefined;
    const ran = runs ? await runOnce(read, casesText) : undefined;
    const hints =
      read.promptEquivalent && pfSource !== undefined
        ? promptHint(
            read,
            await text("SKILL.md"),
            (await compiler.promptEquivalence(pf, pfSource)).instruction,
          )
        : [];
    return byFile(folder, [...found, ...(ran?.diagnostics ?? []), ...hints]);
  };
}
