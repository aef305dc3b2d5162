import { DETECTOR_PATTERNS } from "../analysis/failures/detector-patterns.ts";
import { GROUP_DESCRIPTIONS } from "../analysis/failures/groups.ts";
import type { FailureDetector, FailureGroup } from "../model/failure.ts";

/** Our own words about failures, for tooltips. */
export interface FailureWords {
  /** The condition of each detector, in one sentence. */
  readonly detectors: Readonly<Record<FailureDetector, string>>;
  readonly groups: Readonly<Record<FailureGroup, string>>;
}

const triggers = Object.entries(DETECTOR_PATTERNS).map(([name, { trigger }]) => [name, trigger]);

export const FAILURE_WORDS: FailureWords = {
  detectors: Object.fromEntries(triggers) as FailureWords["detectors"],
  groups: GROUP_DESCRIPTIONS,
};
