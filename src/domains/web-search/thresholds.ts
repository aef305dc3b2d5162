import type { DomainThresholds } from "../domain.ts";

/** SPEC §4, "Runtime". */
export const WEB_SEARCH_THRESHOLDS: DomainThresholds = { handlerVoteThreshold: 4 };
