import { CODING_FINAL } from "../../model/coding-tools.ts";
import type { Domain } from "../domain.ts";
import { CODING_ACTIONS } from "./action-space.ts";
import { codingAgentRules } from "./context-rules.ts";
import { CODING_PF_LISTS } from "./pf-lists.ts";
import { codingAgentPrompt } from "./prompt.ts";
import { CODING_THRESHOLDS } from "./thresholds.ts";

/** Work on a software project by calls of tools; FINAL is the wish to stop. */
export const codingAgent: Domain = {
  name: "coding-agent",
  actionTypes: CODING_ACTIONS,
  finalAction: CODING_FINAL,
  pfLists: CODING_PF_LISTS,
  thresholds: CODING_THRESHOLDS,
  contextRules: codingAgentRules,
  prompt: codingAgentPrompt,
};
