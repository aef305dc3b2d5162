import { FINAL } from "../../model/action-types.ts";
import { plainStarters } from "../../skill/scaffold-starters.ts";
import { NO_PF_LISTS, type Domain } from "../domain.ts";
import { CODE_PF_TYPES, codeRules } from "./context-rules.ts";
import { codeJudge } from "./judge/code-judge.ts";
import { codeMockCalls } from "./mock-calls.ts";

/** Programming tasks in Python, answered in one step. */
export const code: Domain = {
  name: "code",
  about: "Python programs that must pass tests.",
  actionTypes: [FINAL],
  finalAction: FINAL,
  answersIn: "python",
  // SPEC §4, "Runtime". A held-back answer comes with the contexts of all skills at once, so they need more room than those of a step.
  defaults: { maxSteps: 1, enableDifficultyGating: false, handlerVoteThreshold: 3, contextBudget: 12_000 },
  pfLists: NO_PF_LISTS,
  pfTypes: CODE_PF_TYPES,
  contextRules: codeRules,
  skillText: "body",
  judge: codeJudge,
  keys: { answer: (text) => text, question: (text) => text.trim() },
  maxTokens: 4_096,
  revisedPairs: true,
  starters: plainStarters(FINAL),
  mockCalls: codeMockCalls,
};
