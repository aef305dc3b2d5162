import * as vscode from "vscode";
import type { CommandContribution } from "./contributions.ts";
import { guarded } from "./failure.ts";

/** Registers one command of the table; a failure is shown as "<title> failed". */
export function registerCommand(
  log: vscode.LogOutputChannel,
  command: CommandContribution,
  run: (...args: never[]) => Promise<unknown>,
): vscode.Disposable {
  const shown = guarded(log, `${command.title} failed`, run);
  // A command's arguments come from menus, links and other extensions: each command looks at what it was given.
  return vscode.commands.registerCommand(command.id, (...args: never[]) => shown(...args));
}
