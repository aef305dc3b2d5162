import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { debounce } from "../debounce.ts";
import { SETTINGS } from "../contributions.ts";
import { onSettingsChange, readSetting } from "../settings.ts";
import { shownText } from "../workspace/editor-files.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { layerOf } from "./layer.ts";
import type { Services } from "../services.ts";

const MAX_BYTES = 1_000_000;
/** Activation comes first. */
const QUIET_MS = 300;

/** Between the skills of today's library, on the SKILL.md of each: a change of one may be news of another. */
async function between(skills: readonly LocatedSkill[], files: NodeFiles): Promise<readonly Diagnostic[]> {
  const { betweenSkills } = await import("../../app/between-skills.ts");
  return betweenSkills(
    skills.map(({ uri, ...skill }) => ({ ...skill, folder: uri.fsPath })),
    files,
  );
}

async function inConfig(
  root: vscode.Uri,
  skills: readonly LocatedSkill[],
  files: NodeFiles,
): Promise<readonly Diagnostic[]> {
  const file = vscode.Uri.joinPath(root, CONFIG_FILE);
  const text = await shownText(files, file, MAX_BYTES);
  if (text === undefined) return [];
  const { unknownSkills } = await import("../../app/unknown-skills.ts");
  const own = skills.filter(({ uri, isBuiltIn }) => isBuiltIn || uri.path.startsWith(`${root.path}/`));
  const ids = own.map(({ skillId }) => skillId);
  return unknownSkills(text, file.fsPath, ids);
}

/** Shows what is wrong between the skills of the library, and between them and `hasp.yaml`; anew with each change of any of them. */
export function watchLibraryFindings({
  editorServices,
  findings,
}: Pick<Services, "editorServices" | "findings">): vscode.Disposable {
  const { shownFiles: files, folders, library, log } = editorServices;

  /** The extension starts in every window: the shipped skills are not read where a project has nothing of HASP's. */
  async function hasOwn(roots: readonly vscode.WorkspaceFolder[]): Promise<boolean> {
    if ((await folders.list()).length > 0) return true;
    const configs = roots.map(({ uri }) => files.exists(vscode.Uri.joinPath(uri, CONFIG_FILE).fsPath));
    return (await Promise.all(configs)).includes(true);
  }

  async function look(): Promise<readonly Diagnostic[]> {
    const roots = vscode.workspace.workspaceFolders ?? [];
    if (!readSetting(SETTINGS.diagnosticsEnabled) || !(await hasOwn(roots))) return [];
    const skills = await library.list();
    const configs = await Promise.all(roots.map(({ uri }) => inConfig(uri, skills, files)));
    // Shipped skills cannot be edited.
    const shipped = new Set(skills.flatMap(({ isBuiltIn, skillMd }) => (isBuiltIn ? [skillMd.fsPath] : [])));
    const found = await between(skills, files);
    const ours = found.filter(({ file = "" }) => !shipped.has(vscode.Uri.file(file).fsPath));
    return [...ours, ...configs.flat()];
  }

  const { publisher } = findings;
  const refresh = layerOf({
    by: "library",
    look,
    failure: "Looking at the library failed",
    publisher,
    log,
  });
  const soon = debounce(QUIET_MS, refresh);
  soon.poke();
  return vscode.Disposable.from(soon, library.onDidChange(refresh), onSettingsChange(refresh));
}
