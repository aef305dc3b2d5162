import { WEB_SEARCH } from "../../model/domain-names.ts";
import { WORD_KEYS } from "../../scoring/exact-match.ts";
import { exactMatchJudge, judgeOf } from "../../scoring/judge.ts";
import { SHORT_ANSWERS } from "../answer-format.ts";
import { SEARCHING_DETECTORS } from "../detectors/detectors.ts";
import type { RunnableDomain } from "../domain.ts";
import { SEARCH_CONDITIONS, STEP_CONDITIONS } from "../step-conditions.ts";
import { SEARCHING_TEXTS } from "../texts.ts";
import { WEB_SEARCH_ACTIONS, WEB_SEARCH_FINAL } from "./action-space.ts";
import { webSearchRules } from "./context-rules.ts";
import { WEB_SEARCH_DATASETS } from "./datasets.ts";
import { webSearchMockCalls } from "./mock-calls.ts";
import { WEB_SEARCH_PF_LISTS } from "./pf-lists.ts";
import { webSearchPrompt } from "./prompt.ts";
import { needsPassages } from "../passages/retriever-kinds.ts";
import { webSearchStarters } from "./starters.ts";

/** Questions answered by searching and reading documents. */
export const webSearch: RunnableDomain = {
  name: WEB_SEARCH,
  about: "Questions answered by searching and reading.",
  actionTypes: WEB_SEARCH_ACTIONS,
  finalAction: WEB_SEARCH_FINAL,
  conditions: [...SEARCH_CONDITIONS, ...STEP_CONDITIONS],
  shipsSkills: true,
  // SPEC §4, "Runtime".
  defaults: { handlerVoteThreshold: 4, maxContexts: 1 },
  pfLists: WEB_SEARCH_PF_LISTS,
  contextRules: webSearchRules,
  prompt: webSearchPrompt,
  // Retrievers are large, and only a run needs them: a hook loads none.
  openEnvironment: async (...order) => (await import("./open-environment.ts")).openEnvironment(...order),
  needsPassages,
  datasets: WEB_SEARCH_DATASETS,
  judge: judgeOf(exactMatchJudge),
  keys: WORD_KEYS,
  texts: SEARCHING_TEXTS,
  answerFormat: SHORT_ANSWERS,
  detectors: SEARCHING_DETECTORS,
  // The public questions ask for a name, a date or a yes (over five: 14% of wrong, 0% of right ones).
  longestAnswer: 5,
  evolutionPreset: "evolve-web",
  starters: webSearchStarters,
  mockCalls: webSearchMockCalls,
};
