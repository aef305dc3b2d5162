import * as vscode from "vscode";
import type { Outcome } from "../model/episode.ts";

export const OUTCOME_ICONS: Readonly<Record<Outcome, vscode.ThemeIcon>> = {
  wrong: new vscode.ThemeIcon("error", new vscode.ThemeColor("testing.iconFailed")),
  halted: new vscode.ThemeIcon("debug-stop", new vscode.ThemeColor("testing.iconQueued")),
  correct: new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed")),
  unjudged: new vscode.ThemeIcon("question"),
  abandoned: new vscode.ThemeIcon("discard"),
};
