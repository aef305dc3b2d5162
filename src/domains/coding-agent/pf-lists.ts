import type { PfLists } from "../domain.ts";

/** Empty: the difficulty of a question says nothing of a guard, so hooks pin all skills. */
export const CODING_PF_LISTS: PfLists = {
  mandatory: [],
  light: [],
  safe: [],
  decomposition: [],
  entityAware: [],
};
