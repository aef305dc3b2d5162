import { join } from "node:path";
import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";
import { LIB_FILE, typeFiles, TYPES_FILE, workspaceFiles } from "../../skill/workspace-files.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS, SETTINGS } from "../contributions.ts";
import { showFailure } from "../failure.ts";
import { readSetting } from "../settings.ts";
import { pickRoot } from "./roots.ts";
import { folderOfDomains, nameOf, parentOf, type SkillFolder } from "./skill-folders.ts";
import { requireTrust } from "./trust.ts";
import type { EditorServices, Services } from "../services.ts";

/** Types follow the extension's version; the other files belong to the user once they are there. */
const OURS: ReadonlySet<string> = new Set([TYPES_FILE, LIB_FILE]);
/** Our type files are a few kilobytes; whatever is larger is not ours and will be replaced. */
const MAX_BYTES = 1_000_000;

/** Files that were written, relative to `root`. Writes only what is missing, and types that differ. */
async function writeMissing(
  files: NodeFiles,
  root: string,
  wanted: Iterable<[string, string]>,
): Promise<string[]> {
  const written: string[] = [];
  for (const [name, text] of wanted) {
    const path = join(root, name);
    const found = await files.readText(path, MAX_BYTES);
    const stays = OURS.has(name) ? found.kind === "text" && found.text === text : found.kind !== "absent";
    if (stays) continue;
    await files.writeText(path, text);
    written.push(name);
  }
  return written;
}

/** Writes the files by which VS Code's own TypeScript understands `pf.ts`: our types and a tsconfig, without a `hasp.yaml`. */
export async function writeTypes(files: NodeFiles, root: vscode.Uri): Promise<string[]> {
  const { allDomains } = await import("../../domains/registry.ts");
  return writeMissing(files, root.fsPath, typeFiles(allDomains()));
}

/** The folder above `skills/<domain>/…`, by the path of a skill in it; none for a skill that stands elsewhere. */
function rootOf({ uri }: SkillFolder): [string, vscode.Uri][] {
  const skills = folderOfDomains(uri);
  const root = parentOf(skills);
  const isOurs = nameOf(skills) === "skills" && vscode.workspace.getWorkspaceFolder(root) !== undefined;
  return isOurs ? [[root.path, root]] : [];
}

/** Keeps the types current in workspace folders that hold skills, while the workspace is trusted. */
function keepTypesCurrent({ log, files, folders }: EditorServices): vscode.Disposable {
  async function update(): Promise<void> {
    if (!vscode.workspace.isTrusted || !readSetting(SETTINGS.writeTypes)) return;
    try {
      const skills = (await folders.list()).filter((folder) => folder.pf !== undefined);
      for (const root of new Map(skills.flatMap(rootOf)).values()) {
        const written = await writeTypes(files, root);
        if (written.length > 0) log.info(`Wrote ${written.join(", ")} in ${root.fsPath}`);
      }
    } catch (error) {
      showFailure(log, "Writing the types for pf.ts failed", error);
    }
  }
  void update();
  return vscode.Disposable.from(
    folders.onDidChange(() => void update()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void update()),
  );
}

/** `HASP: Initialize Workspace`, and the types that every workspace with skills gets by itself. */
export function registerInitialize({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, files } = editorServices;
  async function initialize(argument?: unknown): Promise<readonly string[]> {
    requireTrust("Writing into this workspace");
    const root = argument instanceof vscode.Uri ? argument : (await pickRoot("Folder to initialize"))?.uri;
    if (root === undefined) return [];
    const { allDomains } = await import("../../domains/registry.ts");
    const written = await writeMissing(files, root.fsPath, workspaceFiles(allDomains()));
    const done = written.length === 0 ? "Everything was there already." : `Wrote ${written.join(", ")}.`;
    void vscode.window.showInformationMessage(`HASP workspace ready. ${done}`);
    return written;
  }
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.initializeWorkspace, initialize),
    keepTypesCurrent(editorServices),
  );
}
