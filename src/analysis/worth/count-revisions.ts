import type { RevisedDraft } from "../../model/revised-drafts.ts";
import type { Revisions } from "../../model/revisions.ts";
import { signTest } from "../compare-measures.ts";

/** Counts drafts; those whose two verdicts are not both known are counted apart. */
export function countRevisions(drafts: readonly Pick<RevisedDraft, "draft" | "revision">[]): Revisions {
  const count = (draft: boolean, revision: boolean): number =>
    drafts.filter((one) => one.draft === draft && one.revision === revision).length;
  const [fixed, broken] = [count(false, true), count(true, false)];
  const [sameRight, sameWrong] = [count(true, true), count(false, false)];
  const notMeasured = drafts.length - fixed - broken - sameRight - sameWrong;
  return { fixed, broken, sameRight, sameWrong, notMeasured, p: signTest(fixed, broken) };
}
