import type { ChatMessage } from "../../llm/chat-model.ts";
import { parseJson } from "../../model/read-json.ts";
import type { Completion } from "../../model/episode.ts";
import type { AgentTurn, ReadPrompt, ToolCall, Turn } from "./turn.ts";

/**
 * How completely a conversation tells what the agent read. `whole`: it is all that the model read, in its order. `transcript`: what was
 * said, without what the host adds to it: its system message, its tools, its reminders.
 */
export type PromptSource = "whole" | "transcript";

/** A call as text, in the form that chat templates of open models write: JSON between tags. */
export function callText({ name, args }: Pick<ToolCall, "name" | "args">): string {
  const given = typeof args === "string" ? (parseJson(args) ?? args) : (args ?? {});
  return `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
}

/** What a tool gave back, as text of a message in the user's place. */
export const resultMessage = (text: string): string => `<tool_response>\n${text}\n</tool_response>`;

/** The tools that a request offers, as text at the end of its system message: one JSON object a line. */
export const toolsText = (tools: readonly unknown[]): string =>
  tools.length === 0 ? "" : `<tools>\n${tools.map((tool) => JSON.stringify(tool)).join("\n")}\n</tools>`;

/** A reply of words and calls as one text. */
export function replyText({ text, calls }: Pick<AgentTurn, "text" | "calls">): string {
  return [text, ...calls.map(callText)].filter((part) => part !== "").join("\n");
}

/** The reply as a completion; its thoughts apart. */
function completionOf(turn: AgentTurn): Completion {
  if (turn.completion !== undefined) return turn.completion;
  const reasoning = turn.reasoning === "" ? {} : { reasoning: turn.reasoning };
  return { text: replyText(turn), ...reasoning, finish: "stop" };
}

/**
 * The turns, each of the agent's with what it read before it and with its reply, so far as its format did not say them. Messages in the
 * user's place with no reply between them are one, as most chat templates ask for.
 */
export function withPrompts(turns: readonly Turn[], source: PromptSource): readonly Turn[] {
  let talk: ChatMessage[] = [];
  const mark = source === "transcript" ? ({ fromTranscript: true } as const) : {};
  /** Messages that a prompt ends with: these may not grow any more. */
  let closed = 0;
  const say = (role: ChatMessage["role"], content: string): void => {
    const last = talk.at(-1);
    if (role !== "user" || last?.role !== "user" || talk.length <= closed) talk.push({ role, content });
    else talk[talk.length - 1] = { role, content: `${last.content}\n\n${content}` };
  };
  return turns.map((turn) => {
    if ("isFresh" in turn && turn.isFresh) {
      talk = [];
      closed = 0;
    }
    if (turn.kind === "result") say("user", turn.asUser === true ? turn.text : resultMessage(turn.text));
    else if (turn.kind !== "agent")
      say(turn.kind === "system" && source === "whole" ? "system" : "user", turn.text);
    if (turn.kind !== "agent") return turn;
    closed = talk.length;
    const read: ReadPrompt = turn.read ?? { talk, upTo: talk.length, ...mark };
    const completion = completionOf(turn);
    say("assistant", completion.text);
    return { ...turn, read, completion };
  });
}
