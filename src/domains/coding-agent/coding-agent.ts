import { CODING_FINAL } from "../../model/coding-tools.ts";
import { CODING_AGENT } from "../../model/domain-names.ts";
import { WORD_KEYS } from "../../scoring/exact-match.ts";
import { exactMatchJudge, judgeOf } from "../../scoring/judge.ts";
import { SHORT_ANSWERS } from "../answer-format.ts";
import { SEARCHING_DETECTORS } from "../detectors/detectors.ts";
import type { Domain } from "../domain.ts";
import { NO_PF_LISTS } from "../domain.ts";
import { CODING_ACTIONS } from "../../model/coding-tools.ts";
import { STEP_CONDITIONS } from "../step-conditions.ts";
import { SEARCHING_TEXTS } from "../texts.ts";
import { codingAgentRules } from "./context-rules.ts";
import { CODING_DEFAULTS, CODING_SERVED } from "./defaults.ts";
import { codingMockCalls } from "./mock-calls.ts";
import { codingAgentPrompt } from "./prompt.ts";
import { codingStarters } from "./starters.ts";

/** Work on a software project by calls of tools; FINAL is the wish to stop. */
export const codingAgent: Domain = {
  name: CODING_AGENT,
  about: "Agents that edit a repository.",
  actionTypes: CODING_ACTIONS,
  finalAction: CODING_FINAL,
  conditions: STEP_CONDITIONS,
  shipsSkills: true,
  // Tools of MCP servers that neither run a command nor touch a file keep their names.
  furtherTypes: "mcp__",
  callsTools: true,
  hasGuards: true,
  defaults: CODING_DEFAULTS,
  served: CODING_SERVED,
  // The difficulty of a question says nothing of a guard, so hooks pin all skills.
  pfLists: NO_PF_LISTS,
  contextRules: codingAgentRules,
  prompt: codingAgentPrompt,
  judge: judgeOf(exactMatchJudge),
  keys: WORD_KEYS,
  texts: SEARCHING_TEXTS,
  answerFormat: SHORT_ANSWERS,
  detectors: SEARCHING_DETECTORS,
  starters: codingStarters,
  mockCalls: codingMockCalls,
};
