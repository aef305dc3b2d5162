import type { Domain } from "../domain.ts";
import { WEB_SEARCH_ACTIONS, WEB_SEARCH_FINAL } from "./action-space.ts";
import { webSearchRules } from "./context-rules.ts";
import { WEB_SEARCH_PF_LISTS } from "./pf-lists.ts";
import { webSearchPrompt } from "./prompt.ts";
import { WEB_SEARCH_THRESHOLDS } from "./thresholds.ts";

/** Questions answered by searching and reading documents. */
export const webSearch: Domain = {
  name: "web-search",
  actionTypes: WEB_SEARCH_ACTIONS,
  finalAction: WEB_SEARCH_FINAL,
  pfLists: WEB_SEARCH_PF_LISTS,
  thresholds: WEB_SEARCH_THRESHOLDS,
  contextRules: webSearchRules,
  prompt: webSearchPrompt,
};
