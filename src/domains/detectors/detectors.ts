import type { DetectorPattern, FailureDetector } from "../../model/failure.ts";
import type { DomainJudge } from "../../scoring/judge.ts";
import {
  contradictoryEvidenceIgnored,
  partialAnswer,
  reasoningHallucination,
  wrongEntityFocus,
} from "./answer-detectors.ts";
import { inSeveralSteps, type Detector } from "./episode-view.ts";
import { queryTooBroad, queryTooNarrow } from "./query-detectors.ts";
import { STEP_DETECTORS } from "./step-detectors.ts";

/** A detector as a domain runs it. */
export interface DomainDetector {
  readonly detect: Detector;
  /** Its failures as an author of skills reads them. Absent: in the words for agents that search. */
  readonly pattern?: DetectorPattern;
}

/** The detectors of a domain, by name. Those that it does not name do not run there. */
export type Detectors = Readonly<Partial<Record<FailureDetector, DomainDetector>>>;

/** Of domains in which an agent searches and reads (SPEC §7 B). In a record of one step those about steps find nothing (SPEC §10.8). */
export const SEARCHING_DETECTORS = {
  premature_final: { detect: STEP_DETECTORS.premature_final },
  repeated_search: { detect: inSeveralSteps(STEP_DETECTORS.repeated_search) },
  no_read_before_final: { detect: inSeveralSteps(STEP_DETECTORS.no_read_before_final) },
  query_too_broad: { detect: inSeveralSteps(queryTooBroad) },
  query_too_narrow: { detect: inSeveralSteps(queryTooNarrow) },
  wrong_entity_focus: { detect: wrongEntityFocus },
  reasoning_hallucination: { detect: inSeveralSteps(reasoningHallucination) },
  format_mismatch: { detect: STEP_DETECTORS.format_mismatch },
  partial_answer: { detect: inSeveralSteps(partialAnswer) },
  contradictory_evidence_ignored: { detect: inSeveralSteps(contradictoryEvidenceIgnored) },
  excessive_steps_no_progress: { detect: inSeveralSteps(STEP_DETECTORS.excessive_steps_no_progress) },
} as const satisfies Detectors;

/** Of a domain that names none: they look at steps, and at the length of an answer. */
const PLAIN_DETECTORS: Detectors = {
  premature_final: {
    ...SEARCHING_DETECTORS.premature_final,
    pattern: {
      group: "termination",
      abstraction: "The agent gives its answer before it has done enough for a question of several parts.",
      trigger: "A final answer is proposed in the first or second step.",
      hint: "Hold the answer back, and name a part of the question that nothing has covered yet.",
    },
  },
  format_mismatch: SEARCHING_DETECTORS.format_mismatch,
  excessive_steps_no_progress: {
    ...SEARCHING_DETECTORS.excessive_steps_no_progress,
    pattern: {
      group: "termination",
      abstraction: "The agent goes on for several steps that bring nothing new.",
      trigger: "Three steps in a row brought nothing, or what was known already.",
      hint: "Change the approach, or answer with what is known.",
    },
  },
};

/** They compare words of the answer with those of accepted ones, so they hold where the judge does. */
const WORD_DETECTORS: Detectors = {
  wrong_entity_focus: {
    ...SEARCHING_DETECTORS.wrong_entity_focus,
    pattern: {
      group: "entity",
      abstraction: "The agent follows an entity that is related to the question and answers about it.",
      trigger: "A final answer names an entity whose relation to the question was never checked.",
      hint: "Name the entity that the question asks about, and have it compared with the answer.",
    },
  },
  partial_answer: {
    ...SEARCHING_DETECTORS.partial_answer,
    pattern: {
      group: "format",
      abstraction:
        "The answer leaves out a part of the full name, or of the several things that are asked for.",
      trigger: "A final answer covers one part of the question.",
      hint: "Give the complete name, and all parts that the question asks for.",
    },
  },
};

/** The detectors that run in a domain. */
export function detectorsOf({
  detectors,
  judge,
}: {
  readonly detectors?: Detectors;
  readonly judge: Pick<DomainJudge, "comparesWords">;
}): Detectors {
  if (detectors !== undefined) return detectors;
  return judge.comparesWords === true ? { ...PLAIN_DETECTORS, ...WORD_DETECTORS } : PLAIN_DETECTORS;
}
