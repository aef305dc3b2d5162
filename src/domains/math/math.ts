import { FINAL } from "../../model/action-types.ts";
import { judgeOf } from "../../scoring/judge.ts";
import { openAnswerOnly } from "../single-step/answer-only.ts";
import { NO_PF_LISTS, type RunnableDomain } from "../domain.ts";
import { MATH_ANSWERS, MATH_KEYS } from "./answer-form.ts";
import { MATH_PF_TYPES, mathRules } from "./context-rules.ts";
import { MATH_DATASETS } from "./datasets.ts";
import { MATH_DETECTORS } from "./detectors.ts";
import { mathJudge } from "./judge/math-judge.ts";
import { mathMockCalls } from "./mock-calls.ts";
import { mathPrompt } from "./prompt.ts";
import { mathStarters } from "./starters.ts";
import { MATH_MEASURES } from "./step-measures.ts";
import { MATH_TEXTS } from "./texts.ts";

/** Mathematical problems, answered in one step. */
export const math: RunnableDomain = {
  name: "math",
  about: "Math problems with an exact answer.",
  actionTypes: [FINAL],
  finalAction: FINAL,
  shipsSkills: true,
  formulas: true,
  // SPEC §4, "Runtime". A held-back answer comes with the contexts of all skills at once, so they need more room than those of a step.
  defaults: { maxSteps: 1, enableDifficultyGating: false, handlerVoteThreshold: 3, contextBudget: 12_000 },
  pfLists: NO_PF_LISTS,
  pfTypes: MATH_PF_TYPES,
  contextRules: mathRules,
  prompt: mathPrompt,
  openEnvironment: openAnswerOnly,
  datasets: MATH_DATASETS,
  judge: judgeOf(mathJudge),
  keys: MATH_KEYS,
  texts: MATH_TEXTS,
  answerFormat: MATH_ANSWERS,
  detectors: MATH_DETECTORS,
  stepMeasures: MATH_MEASURES,
  maxTokens: 4_096,
  revisedPairs: true,
  starters: mathStarters,
  mockCalls: mathMockCalls,
};
