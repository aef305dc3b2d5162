import * as vscode from "vscode";
import type { CommandContribution } from "./contributions.ts";
import { guarded } from "./failure.ts";

/** Registers one command of the table; a failure is shown as "<title> failed". */
export function registerCommand<A extends unknown[], R>(
  log: vscode.LogOutputChannel,
  command: CommandContribution,
  run: (...args: A) => Promise<R>,
): vscode.Disposable {
  const shown = guarded(log, `${command.title} failed`, run);
  return vscode.commands.registerCommand(command.id, (...args: unknown[]) => shown(...(args as A)));
}
