import * as vscode from "vscode";
import { pfClassRange } from "../backtest/code-lens.ts";
import { COMMANDS } from "../contributions.ts";
import { describeReview, type Reviews } from "./reviews.ts";

/** "Teacher review" above the class of a PF, and beside it what the latest review came to. */
export function registerReviewLens(reviews: Reviews): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const found = await pfClassRange(document);
      if (found === undefined) return [];
      const { folder, range } = found;
      const review = {
        command: COMMANDS.teacherReview.id,
        title: "$(mortar-board) Teacher Review",
        tooltip: "Let the configured teacher score this skill",
        arguments: [folder],
      };
      const latest = await reviews.latest(folder);
      if (latest === undefined) return [new vscode.CodeLens(range, review)];
      const stale = latest.changed.length > 0;
      const show = {
        command: COMMANDS.showReview.id,
        title: `${stale ? "$(history) " : ""}${describeReview(latest)}`,
        tooltip: stale ? `${latest.changed.join(", ")} changed since this review` : "Show the latest review",
        arguments: [folder],
      };
      return [new vscode.CodeLens(range, review), new vscode.CodeLens(range, show)];
    },
  };
  return vscode.Disposable.from(
    changed,
    reviews.onDidChange(() => changed.fire()),
    vscode.languages.registerCodeLensProvider({ scheme: "file", pattern: "**/pf.ts" }, provider),
  );
}
