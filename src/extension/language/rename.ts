import * as vscode from "vscode";
import { nameFrom, namesOf, placeAt, renameEdits, type SkillNames } from "../../skill/language/places.ts";
import { toVsRange } from "../diagnostics/convert.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { exists, nameOf, parentOf } from "../workspace/skill-folders.ts";
import { filesNaming, kindOf, skillOf, textAt, type LanguageServices } from "./context.ts";

/** The range to rename at a position of a SKILL.md; throws where there is nothing of ours. */
export function renameRange(document: vscode.TextDocument, position: vscode.Position): vscode.Range {
  const place = placeAt("SKILL.md", document.getText(), position);
  if (place === undefined || place.role === "names")
    throw new Error("Rename a skill on its name or its skill_id.");
  return toVsRange(place.range);
}

/** Why a skill cannot take this name; undefined where it can. */
export async function refusal(
  skill: LocatedSkill,
  typed: string,
  all: readonly LocatedSkill[],
): Promise<string | undefined> {
  const name = nameFrom(typed);
  if (skill.isBuiltIn) return "This skill came with HASP Studio; copy it into your workspace first.";
  if (name === undefined)
    return "A name is lower-case words joined by hyphens, a letter first, at most 64 characters.";
  const { skillId } = namesOf(name);
  const other = all.find((one) => one.uri.path !== skill.uri.path && one.skillId === skillId);
  if (other !== undefined)
    return `${other.isBuiltIn ? "A built-in skill" : "Another skill"} is called ${skillId}.`;
  const folder = vscode.Uri.joinPath(parentOf(skill.uri), name);
  if (folder.path !== skill.uri.path && (await exists(folder))) return `There is a folder ${name} already.`;
  return undefined;
}

/** The names that the skill goes by now; its id may not follow from its folder. */
function namesNow(skill: LocatedSkill): SkillNames {
  const folder = nameOf(skill.uri);
  return { ...namesOf(folder), skillId: skill.skillId };
}

/**
 * Everything that calls the skill by its name, and its folder, in one edit that one undo takes back. The folder moves first: texts that
 * change before their files move lose their undo.
 */
export async function renameEdit(
  skill: LocatedSkill,
  typed: string,
  { library, shownFiles }: LanguageServices,
): Promise<vscode.WorkspaceEdit> {
  const all = await library.list();
  const why = await refusal(skill, typed, all);
  const name = nameFrom(typed);
  if (why !== undefined || name === undefined) throw new Error(why);
  const [from, to] = [namesNow(skill), namesOf(name)];
  const edit = new vscode.WorkspaceEdit();
  const folder = vscode.Uri.joinPath(parentOf(skill.uri), name);
  if (folder.path !== skill.uri.path) edit.renameFile(skill.uri, folder, { overwrite: false });
  for (const uri of filesNaming(skill, all)) {
    const kind = kindOf(uri);
    const isOwn = uri.path.startsWith(`${skill.uri.path}/`);
    const text = kind === undefined ? "" : await textAt(uri, shownFiles);
    const moved = isOwn ? vscode.Uri.joinPath(folder, nameOf(uri)) : uri;
    for (const { range, newText } of kind === undefined ? [] : renameEdits(kind, text, from, to, isOwn))
      edit.replace(moved, toVsRange(range), newText);
  }
  return edit;
}

export async function renameAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  typed: string,
  services: LanguageServices,
): Promise<vscode.WorkspaceEdit> {
  renameRange(document, position);
  const skill = await skillOf(document.uri, services.library);
  if (skill === undefined) throw new Error("This file is no skill of today's library.");
  return renameEdit(skill, typed, services);
}
