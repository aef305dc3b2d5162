import type * as vscode from "vscode";
import { COMMANDS } from "../contributions.ts";
import { registerPfLenses } from "../language/pf-lens.ts";
import { describeReview, type Reviews } from "./reviews.ts";

/** "Teacher review" above the class of a PF, and beside it the result of the latest review. */
export function registerReviewLens(reviews: Reviews): vscode.Disposable {
  return registerPfLenses(reviews.onDidChange, async (folder) => {
    const review = {
      command: COMMANDS.teacherReview.id,
      title: "$(mortar-board) Teacher Review",
      tooltip: "Let the configured teacher score this skill",
      arguments: [folder],
    };
    const latest = await reviews.latest(folder);
    if (latest === undefined) return [review];
    const stale = latest.changed.length > 0;
    const show = {
      command: COMMANDS.showReview.id,
      title: `${stale ? "$(history) " : ""}${describeReview(latest)}`,
      tooltip: stale ? `${latest.changed.join(", ")} changed since this review` : "Show the latest review",
      arguments: [folder],
    };
    return [review, show];
  });
}
