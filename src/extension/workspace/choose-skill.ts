import * as vscode from "vscode";
import { subjectOf } from "../tree.ts";
import type { LocatedSkill } from "./library.ts";
import { isSkillFile, parentOf } from "./skill-folders.ts";

/** The folder of the skill that a file or folder belongs to. */
export function skillFolderOf(subject: vscode.Uri | undefined): vscode.Uri | undefined {
  return subject !== undefined && isSkillFile(subject) ? parentOf(subject) : subject;
}

/** The folder of the skill that a command was called on; undefined where it was called on nothing. */
export function skillFolderIn(argument: unknown): vscode.Uri | undefined {
  return skillFolderOf(subjectOf(argument));
}

/** The same; without it the folder of the file in front. */
export function skillFolderMeant(argument: unknown): vscode.Uri | undefined {
  return skillFolderOf(subjectOf(argument) ?? vscode.window.activeTextEditor?.document.uri);
}

/** The skill of that folder; undefined where the library has none there. */
export function skillIn(
  skills: readonly LocatedSkill[],
  folder: vscode.Uri | undefined,
): LocatedSkill | undefined {
  return skills.find(({ uri }) => uri.path === folder?.path);
}

/** Whether the file in front is one of this skill. */
export function isInFront({ uri }: LocatedSkill): boolean {
  return vscode.window.activeTextEditor?.document.uri.path.startsWith(`${uri.path}/`) === true;
}

/** Asks for one of the skills; undefined when the person leaves. */
export async function pickSkill(
  skills: readonly LocatedSkill[],
  options: vscode.QuickPickOptions,
): Promise<LocatedSkill | undefined> {
  const picks = skills.map((skill) => ({ label: skill.skillId, description: skill.domain, skill }));
  return (await vscode.window.showQuickPick(picks, options))?.skill;
}
