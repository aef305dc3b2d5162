import path from "node:path";
import type * as vscode from "vscode";
import { nodeFiles } from "../../platform/files.ts";
import { launcherText } from "../../platform/hook-launcher.ts";
import { withoutLinks } from "../../platform/user-folders.ts";

/** The folder of an extension changes its name with each version, and hooks name a file: this one, which stays. */
const LAUNCHER = "hook/hasp-hook.cjs";
const MOST_BYTES = 100_000;

function placeOf({ globalStorageUri, extensionUri }: vscode.ExtensionContext): {
  file: string;
  text: string;
} {
  const hook = path.join(extensionUri.fsPath, "dist", "hook.cjs");
  return { file: path.join(globalStorageUri.fsPath, ...LAUNCHER.split("/")), text: launcherText(hook) };
}

/** The file that hooks start; written where it is not there yet. */
export async function ensureLauncher(context: vscode.ExtensionContext): Promise<string> {
  const { file, text } = placeOf(context);
  await nodeFiles().writeText(withoutLinks(file), text);
  return file;
}

/** After an update, hooks that were installed before start the new version. Nothing is written where none was. */
export async function refreshLauncher(context: vscode.ExtensionContext): Promise<void> {
  const { file, text } = placeOf(context);
  const files = nodeFiles();
  const before = await files.readText(file, MOST_BYTES);
  if (before.kind === "text" && before.text !== text) await files.writeText(withoutLinks(file), text);
}
