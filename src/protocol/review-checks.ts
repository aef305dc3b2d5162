import { REVIEWED_FILES } from "../model/review.ts";
import { type ArrivalChecks, object, oneOf, optional, position } from "./check.ts";
import { helpPlace } from "./help-check.ts";
import type { ReviewHost, ReviewView } from "./review.ts";

/** Checks of everything that arrives from the view of a skill's reviews. */
export const FROM_REVIEW: ArrivalChecks<ReviewView, ReviewHost> = {
  requests: {
    open: object({}),
    readReview: object({ index: position }),
    openFile: object<ReviewHost["requests"]["openFile"]["params"]>({
      file: oneOf(REVIEWED_FILES),
      line: optional(position),
    }),
    reviewAgain: object({}),
    showEvidence: object({}),
    openRaw: object({ index: position }),
    openLog: object({}),
    openHelp: helpPlace,
  },
  events: {},
};
