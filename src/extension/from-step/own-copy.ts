import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";
import { Failure } from "../failure.ts";
import { writeTypes } from "../workspace/initialize.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { firstRoot } from "../workspace/roots.ts";
import { exists, nameOf, SKILL_FILES } from "../workspace/skill-folders.ts";

const COPY = "Copy it";

export async function textOf(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/**
 * A skill of the workspace in the place of a built-in one, by a yes; undefined where the person would rather not. A skill of
 * the workspace is its own copy.
 */
export async function ownCopy(files: NodeFiles, skill: LocatedSkill): Promise<LocatedSkill | undefined> {
  if (!skill.isBuiltIn) return skill;
  const root = firstRoot("that is to hold the skill");
  const place = `skills/${skill.domain}/${nameOf(skill.uri)}`;
  const uri = vscode.Uri.joinPath(root.uri, place);
  if (await exists(uri))
    throw new Failure(`${place} is there already.`, "Rename that folder, or give it the skill's id.");
  const asked = `${skill.skillId} came with HASP Studio and cannot be written to. Copy it to ${place}? From then on your copy judges in its place.`;
  if ((await vscode.window.showInformationMessage(asked, COPY)) !== COPY) return undefined;
  const at = (name: string): vscode.Uri => vscode.Uri.joinPath(uri, name);
  for (const name of SKILL_FILES) {
    const from = vscode.Uri.joinPath(skill.uri, name);
    if (await exists(from)) await files.writeText(at(name).fsPath, await textOf(from));
  }
  await writeTypes(files, root.uri);
  return {
    ...skill,
    uri,
    skillMd: at("SKILL.md"),
    pf: skill.pf && at("pf.ts"),
    cases: skill.cases && at("cases.yaml"),
    isBuiltIn: false,
  };
}
