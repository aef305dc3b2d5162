import fs from "node:fs";
import path from "node:path";
import type * as vscode from "vscode";

/** The folder of an extension changes its name with each version, and hooks name a file: this one, which stays. */
const LAUNCHER = "hook/hasp-hook.cjs";

function launcherText(hook: string): string {
  return `// HASP Studio writes this file: coding agents start it, and it starts the HASP Studio that is installed now. Where there is none any
// more, an agent goes on as if it had never been asked.
try {
  require(${JSON.stringify(hook)}).runHook(process.argv.slice(2));
} catch {
  process.stdout.write("{}\\n");
}
`;
}

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
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  await fs.promises.writeFile(file, text);
  return file;
}

/** After an update, hooks that were installed before start the new version. Nothing is written where none was. */
export async function refreshLauncher(context: vscode.ExtensionContext): Promise<void> {
  const { file, text } = placeOf(context);
  const before = await fs.promises.readFile(file, "utf8").catch(() => undefined);
  if (before !== undefined && before !== text) await fs.promises.writeFile(file, text);
}
