import type { ReviewPage, RunningReview, ShownReview } from "../../src/protocol/review.ts";
import type { Failed } from "../shared/failed.ts";

/** All that the view draws. */
export interface ReviewState {
  /** Undefined until the host has answered. */
  readonly page: ReviewPage | undefined;
  /** The review that is shown, and its position in `metadata.json`. */
  readonly shown: { readonly index: number; readonly review: ShownReview } | undefined;
  readonly failed: Failed | undefined;
}

export const INITIAL_REVIEW: ReviewState = { page: undefined, shown: undefined, failed: undefined };

/** The review to show after the list changed: a new one, else the one that was shown, else the newest. */
export function indexToShow(before: ReviewState, page: ReviewPage): number | undefined {
  const [newest] = page.reviews;
  const isNew =
    newest !== undefined && before.page !== undefined && newest.index !== before.page.reviews[0]?.index;
  const kept = page.reviews.find(({ index }) => index === before.shown?.index);
  return isNew ? newest.index : (kept ?? newest)?.index;
}

/** The page with what a review under way came to. */
export function withRunning(page: ReviewPage | undefined, running: RunningReview): ReviewPage | undefined {
  return page === undefined ? undefined : { ...page, running, unusable: undefined };
}
