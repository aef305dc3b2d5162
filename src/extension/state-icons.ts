import * as vscode from "vscode";

const FAILED = new vscode.ThemeColor("testing.iconFailed");

/** Icons of things that run for long: evolutions, experiments, and their parts. */
export const STATE_ICONS = {
  notYet: new vscode.ThemeIcon("circle-large-outline"),
  running: new vscode.ThemeIcon("sync~spin"),
  paused: new vscode.ThemeIcon("debug-pause"),
  detached: new vscode.ThemeIcon("debug-disconnect"),
  done: new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed")),
  failed: new vscode.ThemeIcon("error", FAILED),
  refused: new vscode.ThemeIcon("circle-slash", FAILED),
} as const;
