import type { DomainThresholds } from "../domain.ts";

/** No skill of this domain votes: what holds an agent back is a Program Function that says why. */
export const CODING_THRESHOLDS = {
  handlerVoteThreshold: 4,
  // A session may go on for a day.
  maxModifyFires: 1000,
} as const satisfies DomainThresholds;
