import type { Completion } from "../../../model/episode.ts";
import type { Usage } from "../../../model/usage.ts";
import { replyText } from "../talk.ts";
import type { ReadPrompt, Turn } from "../turn.ts";
import type { Message } from "./messages.ts";
import type { OpenCall } from "./calls.ts";
import type { Span } from "./span.ts";

/** A turn of the agent while its trace is read. */
export interface AgentDraft {
  readonly kind: "agent";
  readonly text: string;
  readonly reasoning: string;
  readonly calls: OpenCall[];
  readonly usage: Usage | undefined;
  readonly read: ReadPrompt | undefined;
  readonly completion: Completion | undefined;
  extra: Record<string, unknown> | undefined;
  /** When it began. */
  readonly start: number | undefined;
  /** Nothing was recorded of what it said. */
  readonly silent: boolean;
  /** It said that it was done. */
  readonly done: boolean;
  ends: boolean;
}

export type TurnDraft = AgentDraft | Exclude<Turn, { kind: "agent" }>;

/** One question and what the agent did about it. */
export interface Draft {
  question: string | undefined;
  /** What it was given before its first step. */
  readonly opening: Turn[];
  readonly turns: TurnDraft[];
  /** Its first request was read. */
  opened: boolean;
  lastAgent: AgentDraft | undefined;
  /** The latest turn that a chat told. */
  lastReply: AgentDraft | undefined;
  /** Instructions that it was given. */
  readonly instructions: Set<string>;
  /** Chats that failed: no step was made of them. */
  readonly failures: Record<string, unknown>[];
  readonly spans: Span[];
}

export const openDraft = (question: string | undefined): Draft => ({
  question,
  opening: [],
  turns: [],
  opened: false,
  lastAgent: undefined,
  lastReply: undefined,
  instructions: new Set(),
  failures: [],
  spans: [],
});

/** The first step of each turn of the agent, as `episodeOf` counts them. */
export function firstSteps({ turns }: Draft): ReadonlyMap<AgentDraft, number> {
  const steps = new Map<AgentDraft, number>();
  let next = 0;
  for (const turn of turns) {
    if (turn.kind !== "agent") continue;
    steps.set(turn, next);
    next += Math.max(1, turn.calls.length);
  }
  return steps;
}

export function instruct(draft: Draft, messages: readonly Message[]): void {
  for (const { text } of messages) {
    if (text === "" || draft.instructions.has(text)) continue;
    draft.instructions.add(text);
    (draft.opened ? draft.turns : draft.opening).push({ kind: "system", text });
  }
}

/**
 * Begins with the first request: its last words of the user are the question, unless the span of the agent told it. What went before is
 * told as one text, so that nobody takes it for the question; words of the user with no reply after them stay theirs.
 */
export function openTalk(draft: Draft, messages: readonly Message[]): void {
  const asked = messages.findLastIndex(({ role, text }) => role === "user" && text !== "");
  const before = messages.slice(0, asked === -1 ? messages.length : asked);
  const replied = before.findLastIndex(({ role }) => role === "assistant" || role === "tool") + 1;
  const words = messages[asked]?.text;
  const tell = (kind: "system" | "user", text: string | undefined): void => {
    if (text !== undefined && text !== "") draft.opening.push({ kind, text });
  };
  tell("system", historyText(before.slice(0, replied)));
  for (const { text } of before.slice(replied)) tell("user", text);
  tell("user", words);
  if (asked !== -1) tell("system", historyText(messages.slice(asked + 1)));
  draft.question ??= words;
  draft.opened ||= messages.length > 0;
}

const SPEAKERS = { user: "User", assistant: "Agent", tool: "Tool", system: "System" } as const;

function historyText(messages: readonly Message[]): string {
  if (messages.length === 0) return "";
  const lines = messages.flatMap((message) => {
    const speaker = SPEAKERS[message.role];
    const said = message.role === "assistant" ? replyText(message) : message.text;
    const answers = message.answers.map(({ text }) => `Tool: ${text}`);
    return said === "" ? answers : [`${speaker}: ${said}`, ...answers];
  });
  return ["Earlier in this conversation:", ...lines].join("\n\n");
}
