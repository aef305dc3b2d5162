import type { DomainFacts } from "../model/episode.ts";

/**
 * The action types that a PF may put in place of another. Where a search returns the text itself there is no READ to run,
 * even if the record has steps that look like one: `skipped: no READ here` (DESIGN.md, "Real trajectories").
 */
export function executableActions(facts: DomainFacts): readonly string[] {
  return facts.searchReturnsText ? facts.actionTypes.filter((type) => type !== "READ") : facts.actionTypes;
}
