import type { Action } from "../../model/action.ts";
import type { ToolResult } from "../../model/coding-context.ts";
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
      readonly extra?: Record<string, unknown> | undefined;
    }
  | {
      readonly kind: "result";
      readonly callId?: string | undefined;
      readonly text: string;
      /** How the tool ended, where the format says so. */
      readonly result?: ToolResult | undefined;
      readonly extra?: Record<string, unknown> | undefined;
    }
  | { readonly kind: "user" | "system"; readonly text: string };

export type AgentTurn = Extract<Turn, { kind: "agent" }>;
