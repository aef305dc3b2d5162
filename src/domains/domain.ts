import type { ContextRules } from "../trace/context-at.ts";

/** What the harness and the analyses need to know about a kind of task. */
export interface Domain {
  readonly name: string;
  /** Action types, in the order in which people read them. */
  readonly actionTypes: readonly string[];
  /** The action type that gives the answer and ends the episode. */
  readonly finalAction: string;
  /** Ids of the skills that every selection keeps (SPEC §4). */
  readonly mandatorySkills: readonly string[];
  readonly thresholds: DomainThresholds;
  readonly contextRules: ContextRules;
}

export interface DomainThresholds {
  /** A FINAL is turned into a SEARCH when more handlers than this vote for it (SPEC §4). */
  readonly handlerVoteThreshold: number;
}
