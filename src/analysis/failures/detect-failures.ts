import type { Episode } from "../../model/episode.ts";
import { FAILURE_DETECTORS, type DetectedFailure, type FailureDetector } from "../../model/failure.ts";
import {
  contradictoryEvidenceIgnored,
  partialAnswer,
  reasoningHallucination,
  wrongEntityFocus,
} from "./answer-detectors.ts";
import { actsBeforeAnswer, viewOf, type Detector } from "./episode-view.ts";
import { pfOverrideHarmful } from "./override-detector.ts";
import { queryTooBroad, queryTooNarrow } from "./query-detectors.ts";
import { STEP_DETECTORS } from "./step-detectors.ts";

const DETECTORS: Readonly<Record<FailureDetector, Detector>> = {
  ...STEP_DETECTORS,
  query_too_broad: queryTooBroad,
  query_too_narrow: queryTooNarrow,
  wrong_entity_focus: wrongEntityFocus,
  reasoning_hallucination: reasoningHallucination,
  partial_answer: partialAnswer,
  contradictory_evidence_ignored: contradictoryEvidenceIgnored,
  pf_override_harmful: pfOverrideHarmful,
};

/** The others are about searches, reads or early answers: a domain in which the answer is the only action has none (SPEC §10.8). */
const IN_ONE_STEP: ReadonlySet<FailureDetector> = new Set(["wrong_entity_focus", "format_mismatch"]);

/**
 * The failures that the twelve detectors find in an episode (SPEC §7 B), in the order of `FAILURE_DETECTORS`. Right episodes show some
 * too. Needs no model and never throws; a detector that does not apply to the episode's domain finds nothing.
 */
export function detectFailures(episode: Episode): readonly DetectedFailure[] {
  const view = viewOf(episode);
  const isMultiStep = actsBeforeAnswer(view);
  return FAILURE_DETECTORS.filter((name) => isMultiStep || IN_ONE_STEP.has(name)).flatMap((name) => {
    const found = DETECTORS[name](view);
    return found === undefined ? [] : [{ name, ...found }];
  });
}
