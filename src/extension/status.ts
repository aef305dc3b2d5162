import * as vscode from "vscode";
import { counted } from "../model/counted.ts";
import { COMMANDS } from "./contributions.ts";
import type { ProblemCounts } from "./diagnostics/publisher.ts";
import { MANAGE_TRUST } from "./workspace/trust.ts";

export type Status = ReturnType<typeof createStatus>;

function icon(counts: ProblemCounts): string {
  if (counts.errors > 0) return "$(error)";
  return counts.warnings > 0 ? "$(warning)" : "$(pass)";
}

function restText(counts: ProblemCounts): { text: string; tooltip: string } {
  const found = counts.errors + counts.warnings;
  if (found === 0)
    return { text: "$(pass) HASP", tooltip: "HASP found no problems in the skills it checked." };
  const words = `${counted(counts.errors, "error")} and ${counted(counts.warnings, "warning")}`;
  return {
    text: `${icon(counts)} HASP ${found}`,
    tooltip: `HASP found ${words} in skills. Click for the problems.`,
  };
}

function restrictedTooltip(words: string): vscode.MarkdownString {
  const { command, label } = MANAGE_TRUST;
  const notice = "Restricted mode: Program Functions and cases do not run until you trust this workspace.";
  const tooltip = new vscode.MarkdownString(`${words}\n\n${notice} [${label}](command:${command})`);
  tooltip.isTrusted = { enabledCommands: [command] };
  return tooltip;
}

/** The one status bar item: problems at rest, the running thing while one runs. Hidden until there is something to say. */
export function createStatus() {
  const item = vscode.window.createStatusBarItem("hasp.status", vscode.StatusBarAlignment.Left, 40);
  item.name = "HASP";
  let counts: ProblemCounts = { errors: 0, warnings: 0 };
  let running = false;

  function rest(): void {
    const { text, tooltip } = restText(counts);
    const restricted = !vscode.workspace.isTrusted;
    item.text = restricted ? text.replace(/^\$\(\w+\)/, "$(shield)") : text;
    item.tooltip = restricted ? restrictedTooltip(tooltip) : tooltip;
    const quiet = restricted ? MANAGE_TRUST.command : COMMANDS.openLog.id;
    item.command = counts.errors + counts.warnings > 0 ? "workbench.actions.view.problems" : quiet;
    item.show();
  }

  const trusted = vscode.workspace.onDidGrantWorkspaceTrust(() => running || rest());
  return {
    showProblems(next: ProblemCounts): void {
      counts = next;
      if (!running) rest();
    },
    /** `share`: how far it is, 0–1. */
    showRunning(what: string, share: number | undefined): void {
      running = true;
      item.text = `$(sync~spin) ${what}${share === undefined ? "" : ` ${Math.floor(share * 100)}%`}`;
      item.tooltip = `${what} runs. Click for the log.`;
      item.command = COMMANDS.openLog.id;
      item.show();
    },
    showIdle(): void {
      running = false;
      rest();
    },
    dispose: (): void => vscode.Disposable.from(item, trusted).dispose(),
  };
}
