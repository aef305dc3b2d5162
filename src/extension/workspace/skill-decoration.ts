import * as vscode from "vscode";
import type { Review } from "../../model/review.ts";

type Decision = Review["decision"];

/** Rows of skills. A scheme of its own, so that no decoration of the skill's files comes with it. */
const SCHEME = "hasp-skill-row";

/** At the right end of the row, where no width cuts it off. */
const BADGES: Readonly<Record<Decision, string>> = { accept: "✓", revise: "↻", reject: "✗" };

/** How a row is decorated: greyed where its skill does not act, with a badge for the decision of its latest review. */
export interface RowMarks {
  readonly isIdle: boolean;
  readonly decision: Decision | undefined;
}

/** The marks stand in the address, so that the decoration needs no other state. */
export function decoratedUri(skill: vscode.Uri, { isIdle, decision }: RowMarks): vscode.Uri {
  const query = new URLSearchParams({
    ...(isIdle && { idle: "" }),
    ...(decision !== undefined && { decision }),
  });
  return vscode.Uri.from({ scheme: SCHEME, path: skill.path, query: query.toString() });
}

function decorationOf({ scheme, query }: vscode.Uri): vscode.FileDecoration | undefined {
  if (scheme !== SCHEME) return undefined;
  const marks = new URLSearchParams(query);
  const decision = marks.get("decision");
  const badge = Object.entries(BADGES).find(([name]) => name === decision)?.[1];
  return {
    propagate: false,
    ...(marks.has("idle") && { color: new vscode.ThemeColor("disabledForeground") }),
    ...(badge !== undefined && { badge, tooltip: `Latest review: ${decision}` }),
  };
}

export function registerSkillDecoration(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorationOf });
}
