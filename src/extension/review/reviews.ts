import * as vscode from "vscode";
import { METADATA_FILE } from "../../review/metadata-file.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Review, ReviewedFile } from "../../model/review.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { watchFiles } from "../watch-files.ts";
import { parentOf } from "../workspace/skill-folders.ts";

/** The latest review of a skill, and what became of the skill since. */
export interface LatestReview {
  readonly review: Review;
  /** Files that are not as the teacher saw them; none: the review is current. */
  readonly changed: readonly ReviewedFile[];
}

/** The reviews that stand in the `metadata.json` of skills. */
export interface Reviews extends vscode.Disposable {
  /** Oldest first; none where the file cannot be read. */
  all(folder: vscode.Uri): Promise<readonly Review[]>;
  /** Undefined where there is none that can be read. */
  latest(folder: vscode.Uri): Promise<LatestReview | undefined>;
  /** Answers why it was not written, or nothing. */
  add(folder: vscode.Uri, review: Review): Promise<readonly Diagnostic[]>;
  /** The folder of the skill whose reviews changed. */
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

const loadStore = () => import("../../review/review-store.ts");

/** `disk` holds the reviews; `shown` is the skill as a person sees it, so that an unsaved edit counts as one. */
export function openReviews(disk: NodeFiles, shown: NodeFiles): Reviews {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const watching = watchFiles(`**/skills/**/${METADATA_FILE}`, (file) => changed.fire(parentOf(file)));
  const held = vscode.Disposable.from(changed, watching);
  const all = async (folder: vscode.Uri): Promise<readonly Review[]> =>
    (await (await loadStore()).readReviews(disk, folder.fsPath)).value ?? [];
  return {
    all,
    async latest(folder) {
      const review = (await all(folder)).at(-1);
      if (review === undefined) return undefined;
      const { fingerprintOfFolder } = await import("../../review/review-subject.ts");
      const now = await fingerprintOfFolder(shown, folder.fsPath);
      return { review, changed: (await loadStore()).changedSince(review, now) };
    },
    async add(folder, review) {
      const { reviewFiles } = await import("../../platform/review-files.ts");
      const problems = await (await loadStore()).appendReview(reviewFiles(disk), folder.fsPath, review);
      changed.fire(folder);
      return problems;
    },
    onDidChange: changed.event,
    dispose: () => held.dispose(),
  };
}

/** `accept 0.78`; after an edit `stale` stands in front, where a narrow view does not cut it off. */
export function describeReview({ review, changed }: LatestReview): string {
  const verdict = `${review.decision} ${review.qSkill.toFixed(2)}`;
  return changed.length === 0 ? verdict : `stale · ${verdict}`;
}
