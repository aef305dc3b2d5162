import { createStore } from "../replay/store.ts";
import { createReviewController, type ReviewConnection } from "./controller.ts";
import { INITIAL_REVIEW } from "./model.ts";
import { HaspReview } from "./root.ts";

/** Brings the page's `<hasp-review>` to life over a host. */
export function startReview(connection: ReviewConnection): void {
  const view = document.querySelector("hasp-review");
  if (!(view instanceof HaspReview)) throw new Error("The page has no <hasp-review> element.");
  const store = createStore(INITIAL_REVIEW);
  const controller = createReviewController(connection, store);
  view.attach(store, controller);
  void controller.open();
}
