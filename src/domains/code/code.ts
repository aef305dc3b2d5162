import { FINAL } from "../../model/action-types.ts";
import { NO_PF_LISTS, type RunnableDomain } from "../domain.ts";
import { openAnswerOnly } from "../single-step/answer-only.ts";
import { CODE_PF_TYPES, codeRules } from "./context-rules.ts";
import { CODE_DATASETS } from "./datasets.ts";
import { CODE_DETECTORS } from "./detectors.ts";
import { codeJudge } from "./judge/code-judge.ts";
import { CODE_KEYS } from "./keys.ts";
import { codeMockCalls } from "./mock-calls.ts";
import { codePrompt } from "./prompt.ts";
import { codeStarters } from "./starters.ts";
import { CODE_MEASURES } from "./step-measures.ts";
import { CODE_TEXTS } from "./texts.ts";

/** Programming tasks in Python, answered in one step. */
export const code: RunnableDomain = {
  name: "code",
  about: "Python programs that must pass tests.",
  actionTypes: [FINAL],
  finalAction: FINAL,
  shipsSkills: true,
  answersIn: "python",
  neverModifies: true,
  defaults: {
    maxSteps: 1,
    enableDifficultyGating: false,
    handlerVoteThreshold: 3,
    // A held-back answer comes with the contexts of all skills at once, so they need more room than those of a step.
    contextBudget: 12_000,
    // All that come with HASP Studio: the texts of the skills are what helps most here (SPEC §2).
    maxSkillsInPrompt: 12,
  },
  pfLists: NO_PF_LISTS,
  pfTypes: CODE_PF_TYPES,
  contextRules: codeRules,
  skillText: "body",
  prompt: codePrompt,
  openEnvironment: openAnswerOnly,
  datasets: CODE_DATASETS,
  judge: codeJudge,
  keys: CODE_KEYS,
  texts: CODE_TEXTS,
  detectors: CODE_DETECTORS,
  stepMeasures: CODE_MEASURES,
  maxTokens: 4_096,
  revisedPairs: true,
  starters: codeStarters,
  mockCalls: codeMockCalls,
};
