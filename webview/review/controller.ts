import type { Connection } from "../../src/protocol/connection.ts";
import type { ReviewedFile } from "../../src/model/review.ts";
import type { ReviewHost, ReviewView } from "../../src/protocol/review.ts";
import type { Store } from "../replay/store.ts";
import { failedOf } from "../shared/failed.ts";
import { indexToShow, type ReviewState, withRunning } from "./model.ts";

export type ReviewConnection = Connection<ReviewHost, ReviewView>;

/** All that a person can make the view do. */
export interface ReviewController {
  /** Reads the page anew. */
  open(): Promise<void>;
  select(index: number): Promise<void>;
  openFile(file: ReviewedFile, line: number | undefined): void;
  reviewAgain(): void;
  showEvidence(): void;
  openRaw(index: number): void;
  openLog(): void;
  openHelp(): void;
}

export function createReviewController(
  connection: ReviewConnection,
  store: Store<ReviewState>,
): ReviewController {
  const orFail = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      store.update({ failed: failedOf(error) });
    }
  };
  async function show(index: number): Promise<void> {
    const review = await connection.request("readReview", { index });
    store.update({ shown: { index, review }, failed: undefined });
  }
  async function read(): Promise<void> {
    const page = await connection.request("open", {});
    const index = indexToShow(store.get(), page);
    store.update({ page, failed: undefined });
    if (index === undefined) store.update({ shown: undefined });
    else await show(index);
  }
  const controller: ReviewController = {
    open: () => orFail(read()),
    select: (index) => orFail(show(index)),
    openFile: (file, line) =>
      void orFail(connection.request("openFile", line === undefined ? { file } : { file, line })),
    reviewAgain: () => void orFail(connection.request("reviewAgain", {})),
    showEvidence: () => void orFail(connection.request("showEvidence", {})),
    openRaw: (index) => void orFail(connection.request("openRaw", { index })),
    openLog: () => void orFail(connection.request("openLog", {})),
    openHelp: () => void orFail(connection.request("openHelp", { page: "teacher" })),
  };
  connection.on("changed", () => void controller.open());
  connection.on("running", (running) => store.update({ page: withRunning(store.get().page, running) }));
  return controller;
}
