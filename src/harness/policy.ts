import type { PromptInput, PromptSeen } from "../domains/domain.ts";
import type { Document, Proposal, Step } from "../model/episode.ts";
import type { Usage } from "../model/usage.ts";
import type { Action } from "../model/action.ts";
import type { ChatMessage } from "../llm/chat-model.ts";
import type { Sampling } from "../model/sampling.ts";
import type { AskSite } from "./teacher.ts";

/** Something a policy has seen, in the order it saw it. */
export type Seen = PromptSeen;

export interface PolicyInput extends PromptInput {
  readonly questionId: string;
  /** Which of the samples of the question this is; the first is 1. */
  readonly sample: number;
  /** Sampling of this sample: its temperature, its seed. */
  readonly sampling: Sampling;
  /** This input in the form of the domain's prompt. */
  readonly messages: readonly ChatMessage[];
  /** 0, or 1 for the second proposal of a step after a held-back FINAL. */
  readonly proposal: number;
}

/** What proposes actions: a model with the domain's prompts, a recorded episode, a script. */
export interface Policy {
  /** For people and run.json; holds no key. */
  readonly id: string;
  /**
   * The next proposal, with the completion that it was read from where a model said one. Text that is no action becomes the action `invalid`, with its raw text. Rejects with ModelError
   * (llm/chat-model.ts) when the model gives nothing; with the signal's reason on abort. Undefined: a recorded episode is at its end.
   */
  propose(input: PolicyInput, signal: AbortSignal): Promise<Proposal | undefined>;
}

/** What executes actions. */
export interface Environment {
  /** Action types it can execute. */
  readonly actionTypes: readonly string[];
  readonly searchReturnsText: boolean;
  /** Comes to where recorded steps left such tools, without running them again: `doc_0` is what it was then. */
  restore?(steps: readonly Pick<Step, "executed" | "documents">[]): void;
  /** `askTeacher` is there where a teacher may write what a search answers with. */
  execute(
    action: Action,
    signal: AbortSignal,
    askTeacher?: AskSite,
  ): Promise<{
    readonly observation: string;
    readonly documents?: readonly Document[];
    readonly usage?: Usage;
  }>;
}
