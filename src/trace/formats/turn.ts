import type { ChatMessage } from "../../llm/chat-model.ts";
import type { Action } from "../../model/action.ts";
import type { ToolResult } from "../../model/coding-context.ts";
import type { Completion, Episode } from "../../model/episode.ts";
import type { Usage } from "../../model/usage.ts";

export interface ToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  /** As it was given: an object, or a text, which may be JSON. */
  readonly args: unknown;
  /** Instead of the action that `actionOfCall` makes. */
  readonly action?: Action;
  readonly extra?: Record<string, unknown> | undefined;
}

/** What an agent read before it said something: the first `upTo` messages of a talk, which prompts that go on from each other share. */
export interface ReadPrompt {
  readonly talk: readonly ChatMessage[];
  readonly upTo: number;
  /** The talk is a transcript's: what the host adds to it is not there. */
  readonly fromTranscript?: true;
}

/** An episode as its file tells it, before it is one of a run. */
export interface ReadEpisode {
  readonly episode: Episode;
  /** What the agent read before the first proposal of each step, where the file has it. */
  readonly prompts?: readonly (ReadPrompt | undefined)[] | undefined;
}

/** One thing that was said, in the order of the conversation. */
export type Turn =
  | {
      readonly kind: "agent";
      readonly text: string;
      readonly reasoning: string;
      readonly calls: readonly ToolCall[];
      /** The format says that the agent ended here; false: that it was stopped. */
      readonly ends?: boolean;
      readonly usage?: Usage | undefined;
      /** What it read, word for word, where the format holds it beside the conversation. */
      readonly read?: ReadPrompt | undefined;
      /** Its reply, word for word; without it, of a conversation with prompts, its words and calls as text. */
      readonly completion?: Completion | undefined;
      readonly extra?: Record<string, unknown> | undefined;
    }
  | {
      readonly kind: "result";
      readonly callId?: string | undefined;
      readonly text: string;
      /** The agent read it as it is, as a message of the user, and not as the answer of a tool. */
      readonly asUser?: boolean | undefined;
      /** How the tool ended, where the format says so. */
      readonly result?: ToolResult | undefined;
      readonly extra?: Record<string, unknown> | undefined;
    }
  | {
      readonly kind: "user" | "system";
      readonly text: string;
      /** The agent reads nothing from before it any more: a summary of what was said so far. */
      readonly isFresh?: boolean;
    };

export type AgentTurn = Extract<Turn, { kind: "agent" }>;
