import * as vscode from "vscode";
import type { CommandContribution } from "./contributions.ts";
import { guarded } from "./failure.ts";

/** The fields of the argument that code gave a command; none where it gave no object. */
export function fieldsOf(argument: unknown): Readonly<Record<string, unknown>> {
  return typeof argument === "object" && argument !== null ? (argument as Record<string, unknown>) : {};
}

/** Registers one command of the table; a failure is shown as "<title> failed". */
export function registerCommand(
  log: vscode.LogOutputChannel,
  command: CommandContribution,
  run: (...args: never[]) => Promise<unknown>,
): vscode.Disposable {
  const shown = guarded(log, `${command.title.replace(/…$/, "")} failed`, run);
  // A command's arguments come from menus, links and other extensions: each command looks at what it was given.
  return vscode.commands.registerCommand(command.id, (...args: never[]) => shown(...args));
}

/**
 * Registers a feature that is nothing but commands. `load` brings its code with the first of them that is called, and what it
 * answers then registers the commands themselves.
 */
export function registerOnFirstUse(
  log: vscode.LogOutputChannel,
  commands: readonly CommandContribution[],
  load: () => Promise<() => vscode.Disposable>,
): vscode.Disposable {
  let registered = vscode.Disposable.from();
  let loading: Promise<void> | undefined;
  let isOver = false;
  const loadOnce = async (): Promise<void> => {
    const register = await load();
    if (isOver) return;
    // The ids have to be free before the feature takes them.
    registered.dispose();
    registered = register();
  };
  registered = vscode.Disposable.from(
    ...commands.map((command) =>
      registerCommand(log, command, async (...args: never[]) => {
        const loaded = (loading ??= loadOnce());
        loaded.catch(() => (loading = undefined));
        await loaded;
        return vscode.commands.executeCommand(command.id, ...args);
      }),
    ),
  );
  return {
    dispose() {
      isOver = true;
      registered.dispose();
    },
  };
}
