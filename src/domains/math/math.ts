import { FINAL } from "../../model/action-types.ts";
import { judgeOf } from "../../scoring/judge.ts";
import { plainStarters } from "../../skill/scaffold-starters.ts";
import { NO_PF_LISTS, type RunnableDomain } from "../domain.ts";
import { MATH_PF_TYPES, mathRules } from "./context-rules.ts";
import { answerOnly } from "./environment.ts";
import { mathJudge } from "./judge/math-judge.ts";
import { mathMockCalls } from "./mock-calls.ts";
import { mathPrompt } from "./prompt.ts";

/** Mathematical problems, answered in one step. */
export const math: RunnableDomain = {
  name: "math",
  about: "Math problems with an exact answer.",
  actionTypes: [FINAL],
  finalAction: FINAL,
  defaults: { maxSteps: 1, enableDifficultyGating: false, handlerVoteThreshold: 3 },
  pfLists: NO_PF_LISTS,
  pfTypes: MATH_PF_TYPES,
  contextRules: mathRules,
  prompt: mathPrompt,
  openEnvironment: async () => ({ value: answerOnly, diagnostics: [] }),
  judge: judgeOf(mathJudge),
  keys: { answer: (text) => text.trim(), question: (text) => text.trim() },
  maxTokens: 4_096,
  revisedPairs: true,
  starters: plainStarters(FINAL),
  mockCalls: mathMockCalls,
};
