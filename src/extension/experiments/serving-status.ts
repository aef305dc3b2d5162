import * as vscode from "vscode";
import { COMMANDS, VIEWS } from "../contributions.ts";
import type { ServedPolicy } from "./served-policy.ts";

/** The item of the status bar about a student that is served or is the policy; hidden where there is none. */
export function showServing(served: ServedPolicy): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("hasp.serving", vscode.StatusBarAlignment.Left, 39);
  item.name = "HASP policy";
  function show(): void {
    const [chosen, answering] = [served.chosen(), served.answering()];
    const student = answering?.student ?? chosen;
    if (student === undefined) return item.hide();
    const isRunning = answering !== undefined;
    const { title } = student;
    item.text = isRunning ? `$(broadcast) ${title}` : `$(debug-disconnect) ${title}: not running`;
    const words = isRunning
      ? `The adapter of ${title} is served${served.isServed() ? " as the policy" : ""}. It ends with this window.`
      : `The policy is the adapter of ${title}, and its server is not running.`;
    const way = isRunning ? COMMANDS.stopServing : COMMANDS.useAdapter;
    const label = isRunning ? COMMANDS.stopServing.title : "Serve Adapter";
    const argument = encodeURIComponent(JSON.stringify([{ student: student.name }]));
    const tooltip = new vscode.MarkdownString(`${words}\n\n[${label}](command:${way.id}?${argument})`);
    tooltip.isTrusted = { enabledCommands: [way.id] };
    item.tooltip = tooltip;
    item.command = isRunning
      ? `${VIEWS.experiments.id}.focus`
      : { command: way.id, title: label, arguments: [{ student: student.name }] };
    item.backgroundColor = isRunning ? undefined : new vscode.ThemeColor("statusBarItem.warningBackground");
    item.accessibilityInformation = { label: words };
    item.show();
  }
  show();
  return vscode.Disposable.from(item, served.onDidChange(show));
}
