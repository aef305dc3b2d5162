import type { StepContext } from "./step-context.ts";

/** Fields that tell of searches and reads: they never say anything in a domain without such actions. Without a schema: a hook loads this list. */
export const FIELDS_OF_SEARCHES: readonly (keyof StepContext)[] = [
  "hasRead",
  "searchCount",
  "readCount",
  "emptyResults",
  "contradictorySources",
  "lastSearchResultsText",
  "allReadContents",
];
