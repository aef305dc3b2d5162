import type { ChatMessage } from "../llm/chat-model.ts";
import type { Action } from "../model/action.ts";
import type { Proposal } from "../model/episode.ts";
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
  readonly prompt: AgentPrompt;
}

/** Something a policy has seen: a step, or a FINAL that was held back with the contexts that held it back (DESIGN.md, Γ). */
export type PromptSeen =
  | {
      readonly kind: "step";
      readonly proposal: Proposal;
      readonly executed: Action;
      readonly observation: string;
      readonly injected: readonly string[];
    }
  | { readonly kind: "held-back"; readonly proposal: Proposal; readonly injected: readonly string[] };

/** What a prompt is made of. */
export interface PromptInput {
  readonly question: string;
  readonly seen: readonly PromptSeen[];
  /** 0-based. */
  readonly t: number;
  readonly maxSteps: number;
}

/** How a chat model is asked to act in a domain, and how its reply is read. */
export interface AgentPrompt {
  /** Changes with every change of the wording. */
  readonly version: string;
  messages(input: PromptInput): readonly ChatMessage[];
  /** Never fails: text without an action is the action `invalid`. */
  parseReply(text: string): Pick<Proposal, "thought" | "action">;
}

export interface DomainThresholds {
  /** A FINAL is turned into a SEARCH when more handlers than this vote for it (SPEC §4). */
  readonly handlerVoteThreshold: number;
}
