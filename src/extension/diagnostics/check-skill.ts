import * as vscode from "vscode";
import { openSkillChecks } from "../../app/check-skill.ts";
import type { Guards } from "../../app/load-commands.ts";
import type { Judging } from "../../app/ports.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { HOST_RULES } from "../../skill/host-rules.ts";
import { readSkillFolder } from "../../skill/read-skill.ts";
import { SETTINGS } from "../contributions.ts";
import { readSetting } from "../settings.ts";
import { filesOf, nameOf, type SkillFolder } from "../workspace/skill-folders.ts";
import type { CheckSkill } from "./live.ts";
import type { Findings } from "./publisher.ts";

/** The check of one skill, with the sandbox in which it runs. */
export interface SkillCheck extends vscode.Disposable {
  readonly check: CheckSkill;
}

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
 * The files are those that see unsaved text.
 */
export function createCheckSkill(judging: Judging & { readonly guards: Guards }): SkillCheck {
  const { files, compiler } = judging;
  const checks = openSkillChecks(judging);
  return {
    async check(folder) {
      const read = await readSkillFolder(files, compiler, folder.uri.fsPath);
      const mayRun = vscode.workspace.isTrusted && readSetting(SETTINGS.runCases);
      const mockCalls = mayRun ? "where clean" : "never";
      const { diagnostics } = await checks.check({ folder: read, mockCalls, cases: true });
      return byFile(
        folder,
        read.isForeign ? diagnostics.filter(({ code }) => HOST_RULES.has(code)) : diagnostics,
      );
    },
    dispose: () => checks.close(),
  };
}
