import * as vscode from "vscode";
import { newConfig, switchSkill } from "../../app/switch-skill.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { toVsRange } from "../diagnostics/convert.ts";
import { Failure, Unmet } from "../failure.ts";
import { checkWritable } from "../linked-path.ts";
import { pickSkill, skillFolderIn, skillIn } from "./choose-skill.ts";
import type { LocatedSkill } from "./library.ts";
import { pickRoot } from "./roots.ts";
import { exists, folderOfDomains } from "./skill-folders.ts";
import { requireTrust } from "./trust.ts";
import type { Services } from "../services.ts";

/** The libraries that are in use without a `hasp.yaml`: with one, those that it does not name are not. */
function librariesInUse(root: vscode.Uri, skills: readonly LocatedSkill[]): readonly string[] {
  const shipped = skills.filter((one) => one.isBuiltIn).map(({ domain }) => `builtin:${domain}`);
  const own = skills
    .filter(({ isBuiltIn, uri }) => !isBuiltIn && uri.path.startsWith(`${root.path}/`))
    .map(({ uri }) => vscode.workspace.asRelativePath(folderOfDomains(uri), false));
  const inside = own.filter((path) => path !== "" && !path.startsWith("/"));
  return [...new Set([...shipped, ...(inside.length === 0 ? ["skills"] : inside)])];
}

/** One undoable edit of `hasp.yaml`; it is saved, unless a person has unsaved changes in it. */
async function write(
  root: vscode.Uri,
  skills: readonly LocatedSkill[],
  id: string,
  enable: boolean,
): Promise<boolean> {
  const file = vscode.Uri.joinPath(root, CONFIG_FILE);
  checkWritable(file);
  const edit = new vscode.WorkspaceEdit();
  if (!(await exists(file))) {
    if (enable) return false;
    const text = newConfig(librariesInUse(root, skills), id);
    edit.createFile(file, { contents: new TextEncoder().encode(text) });
    return vscode.workspace.applyEdit(edit);
  }
  const document = await vscode.workspace.openTextDocument(file);
  const done = switchSkill(document.getText(), id, enable);
  const open = { label: "Open hasp.yaml", command: "vscode.open", arguments: [file] };
  if (done.kind === "refused") throw new Failure(done.message, done.next, open);
  if (done.kind === "same") return false;
  const wasDirty = document.isDirty;
  edit.replace(file, toVsRange(done.edit.range), done.edit.newText);
  const applied = await vscode.workspace.applyEdit(edit);
  if (applied && !wasDirty) await document.save();
  return applied;
}

/** The workspace folders whose `hasp.yaml` is to be written: that of the skill; of a shipped one, any that names it. */
async function rootsOf(
  { isBuiltIn, uri, skillId }: LocatedSkill,
  enable: boolean,
): Promise<readonly vscode.Uri[]> {
  const own = isBuiltIn ? undefined : vscode.workspace.getWorkspaceFolder(uri);
  if (own !== undefined) return [own.uri];
  if (enable) return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  const picked = await pickRoot(`Folder in which ${skillId} is not to act`);
  return picked === undefined ? [] : [picked.uri];
}

/** `HASP: Enable Skill` and `HASP: Disable Skill`: `disabled_skills` of `hasp.yaml`. */
export function registerSwitchSkill({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, library } = editorServices;
  function choose(skills: readonly LocatedSkill[], enable: boolean): Promise<LocatedSkill | undefined> {
    const able = skills.filter(({ isDisabled }) => isDisabled === enable);
    if (able.length === 0)
      throw new Unmet(`No skill is ${enable ? "off" : "on"}.`, "There is nothing to switch.");
    const { title } = enable ? COMMANDS.enableSkill : COMMANDS.disableSkill;
    return pickSkill(able, { title: `HASP: ${title}`, matchOnDescription: true });
  }

  const switching =
    (enable: boolean) =>
    async (argument?: unknown): Promise<boolean> => {
      requireTrust("Writing hasp.yaml");
      const skills = await library.list();
      const folder = skillFolderIn(argument);
      const skill = folder === undefined ? await choose(skills, enable) : skillIn(skills, folder);
      if (skill === undefined) return false;
      const roots = await rootsOf(skill, enable);
      const written: boolean[] = [];
      for (const root of roots) written.push(await write(root, skills, skill.skillId, enable));
      return written.some(Boolean);
    };
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.enableSkill, switching(true)),
    registerCommand(log, COMMANDS.disableSkill, switching(false)),
  );
}
