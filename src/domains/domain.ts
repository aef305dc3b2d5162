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
  readonly pfLists: PfLists;
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
  | { readonly kind: "held-back"; readonly proposal: Proposal; readonly injected: readonly string[] }
  /** An answer that was not taken: the policy goes another round. */
  | { readonly kind: "next-round"; readonly proposal: Proposal; readonly note: string };

/** What a prompt is made of. */
export interface PromptInput {
  readonly question: string;
  readonly seen: readonly PromptSeen[];
  /** What the environment can execute; the domain's own action space where nothing is said. */
  readonly actionTypes?: readonly string[];
  /** Summaries of the selected skills, for the system prompt. */
  readonly summaries?: readonly string[];
  /** Phase instructions for this very proposal. */
  readonly instructions?: readonly string[];
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

/** Ids of skills by what they are good for; what the heuristic PFSelector branches to (SPEC §4). */
export interface PfLists {
  /** Every selection keeps them. */
  readonly mandatory: readonly string[];
  /** For a simple question. */
  readonly light: readonly string[];
  /** For a chain of facts: those that do no harm, those that take the question apart, those that keep names apart. */
  readonly safe: readonly string[];
  readonly decomposition: readonly string[];
  readonly entityAware: readonly string[];
}

export interface DomainThresholds {
  /** A FINAL is turned into a SEARCH when more handlers than this vote for it (SPEC §4). */
  readonly handlerVoteThreshold: number;
  /** Modifications of one PF in an episode, where the general default is made for shorter ones. */
  readonly maxModifyFires?: number;
}
