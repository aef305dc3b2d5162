import { detectorsOf, type Detectors } from "../../domains/detectors/detectors.ts";
import { inSeveralSteps, viewOf } from "../../domains/detectors/episode-view.ts";
import type { Domain } from "../../domains/domain.ts";
import { domainOfRecord } from "../../domains/registry.ts";
import type { Episode } from "../../model/episode.ts";
import { FAILURE_DETECTORS, type DetectedFailure } from "../../model/failure.ts";
import { pfOverrideHarmful } from "./override-detector.ts";

const OVERRIDES: Detectors = { pf_override_harmful: { detect: inSeveralSteps(pfOverrideHarmful) } };

/** The detectors that run in a domain: its own, and ours of what skills did, where one action can take the place of another. */
export function detectorsIn(
  domain: Pick<Domain, "detectors" | "judge" | "actionTypes" | "finalAction">,
): Detectors {
  const hasSteps = domain.actionTypes.some((type) => type !== domain.finalAction);
  return { ...(hasSteps && OVERRIDES), ...detectorsOf(domain) };
}

/**
 * The failures that the detectors of its domain find in an episode (SPEC §7 B), in the order of `FAILURE_DETECTORS`. Right episodes show some
 * too. Needs no model and never throws.
 */
export function detectFailures(episode: Episode): readonly DetectedFailure[] {
  const domain = domainOfRecord(episode.facts);
  const view = viewOf(episode, domain);
  const detectors = detectorsIn(domain);
  return FAILURE_DETECTORS.flatMap((name): readonly DetectedFailure[] => {
    const { detect, pattern } = detectors[name] ?? {};
    const found = detect?.(view);
    return found === undefined ? [] : [{ name, ...found, ...(pattern !== undefined && { pattern }) }];
  });
}
