import * as vscode from "vscode";
import type { DeadHook } from "../../agents/hook/dead/find-dead-hooks.ts";
import { counted } from "../../model/counted.ts";
import type { DeadHookCheck } from "../../platform/dead-hooks.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { workspaceOf } from "../../platform/hook-workspace.ts";
import { coalesce } from "../coalesce.ts";
import { type Row, row } from "../tree.ts";

/** Calls of agents that HASP should have judged and did not, as rows of the Runs view. */
export interface DeadHookRows extends vscode.Disposable {
  /** What is known now: one row, or none. Looks anew in the background. */
  rows(): readonly Row[];
  /** A look has found something else than the one before. */
  readonly onDidChange: vscode.Event<void>;
}

const WORDS: Readonly<Record<DeadHook["code"], string>> = {
  HASP852: "HASP was not asked",
  HASP853: "HASP's hook failed",
  HASP854: "ran although refused",
  HASP855: "HASP was asked about nothing",
};

/** Rows that are shown; `hasp hook status --json` has all. */
const SHOWN = 50;

function findingRow({ code, about, message, next, file, range }: DeadHook): Row {
  const selection = new vscode.Range(range.start.line, 0, range.start.line, 0);
  const open = file === undefined ? [] : [vscode.Uri.file(file), { selection }];
  return row(about, {
    description: WORDS[code],
    tooltip: [message, next].join("\n"),
    icon: new vscode.ThemeIcon("warning"),
    command: { command: "vscode.open", title: "Open the line of the host's log", arguments: open },
  });
}

function summaryRow(found: readonly DeadHook[]): Row {
  return row(`${counted(found.length, "call")} not judged`, {
    description: "coding agents",
    tooltip:
      "The hosts' own logs have calls that HASP should have judged and did not. `hasp hook status` says what to do.",
    icon: new vscode.ThemeIcon("warning"),
    children: () => found.slice(0, SHOWN).map(findingRow),
  });
}

export function watchDeadHooks(files: NodeFiles, log: vscode.LogOutputChannel): DeadHookRows {
  const changed = new vscode.EventEmitter<void>();
  let known: readonly DeadHook[] = [];
  let check: DeadHookCheck | undefined;

  async function findings(): Promise<DeadHook[]> {
    const { deadHookCheck } = await import("../../platform/dead-hooks.ts");
    check ??= deadHookCheck(files);
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    const found: DeadHook[] = [];
    for (const root of new Set(folders.map(({ uri }) => workspaceOf(uri.fsPath))))
      for (const session of (await check.check(root)).sessions) found.push(...session.findings);
    return found;
  }
  const look = coalesce(async () => {
    try {
      const found = await findings();
      if (JSON.stringify(found) === JSON.stringify(known)) return;
      known = found;
      changed.fire();
    } catch (error) {
      log.warn(`The hosts' own logs could not be compared: ${String(error)}`);
    }
  });
  return {
    rows() {
      void look();
      return known.length === 0 ? [] : [summaryRow(known)];
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
