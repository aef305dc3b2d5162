import { FINAL } from "../../model/action-types.ts";
import { AGENT } from "../../model/domain-names.ts";
import { WORD_KEYS } from "../../scoring/exact-match.ts";
import { exactMatchJudge, judgeOf } from "../../scoring/judge.ts";
import { plainStarters } from "../../skill/scaffold-starters.ts";
import { SHORT_ANSWERS } from "../answer-format.ts";
import { SEARCHING_DETECTORS } from "../detectors/detectors.ts";
import { NO_PF_LISTS, type Domain } from "../domain.ts";
import { SEARCH_CONDITIONS, STEP_CONDITIONS } from "../step-conditions.ts";
import { SEARCHING_TEXTS } from "../texts.ts";
import { agentMockCalls } from "./mock-calls.ts";

/**
 * Agents whose tools no other domain knows: the action types come from the record, and nothing is read into their texts. Importers of
 * foreign formats write it, and skills for a domain of one's own live under it. It has no prompt and no environment.
 */
export const agent: Domain = {
  name: AGENT,
  about: "Agents with tools of their own, as other programs record them.",
  actionTypes: [],
  finalAction: FINAL,
  conditions: [...SEARCH_CONDITIONS, ...STEP_CONDITIONS],
  furtherTypes: "",
  defaults: {},
  pfLists: NO_PF_LISTS,
  contextRules: {
    isEmptySearch: (observation) => observation.trim() === "",
    contradicts: () => false,
  },
  judge: judgeOf(exactMatchJudge),
  keys: WORD_KEYS,
  texts: SEARCHING_TEXTS,
  answerFormat: SHORT_ANSWERS,
  detectors: SEARCHING_DETECTORS,
  starters: plainStarters(FINAL),
  mockCalls: agentMockCalls,
};
