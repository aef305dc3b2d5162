import type { ChatRow } from "./chat-row.ts";
import { chatMessage } from "./chat-shapes.ts";
import { asList, asName, asRecord, asText, isRecord, recordsOf, without } from "./records.ts";

/** A logged request that waits for one that goes on from it. */
interface Open {
  readonly row: ChatRow;
  readonly line: number;
  /** Its messages as texts to compare, without marks for the cache. */
  readonly said: readonly string[];
}

/** Conversations that are open at once, as an agent and its sub-agents are; of more, the one that waits longest is done. */
const MOST_OPEN = 32;

/** The requests of a log. An agent sends the whole conversation each time, so only the last request of one is needed. */
export interface RequestLog {
  /** Adds a request; answers one that nothing goes on from any more. */
  add(row: ChatRow, line: number): Pick<Open, "row" | "line"> | undefined;
  /** Those that are still open, in their order. */
  rest(): readonly Pick<Open, "row" | "line">[];
  /** Requests that a later one went on from. */
  continued(): number;
}

/** The row holds a request with messages and its one answer. */
export const isLogged = ({ row, messages, replies, response, error }: ChatRow): boolean =>
  messages.length > 0 &&
  replies.length === 1 &&
  error === undefined &&
  row["custom_id"] === undefined &&
  Object.keys(response).length > 0;

export function requestLog(): RequestLog {
  const open: Open[] = [];
  let continued = 0;
  return {
    add(row, line) {
      const said = row.messages.map(comparable);
      const at = open.findIndex((one) => goesOn(one, row, said));
      const before = at === -1 ? undefined : open.splice(at, 1)[0];
      if (before !== undefined) continued++;
      open.push({ row: before === undefined ? row : { ...row, usages: usagesOf(before.row) }, line, said });
      return open.length > MOST_OPEN ? open.shift() : undefined;
    },
    rest: () => open.toSorted((a, b) => a.line - b.line),
    continued: () => continued,
  };
}

const isAgents = (message: unknown): boolean => asRecord(message)["role"] === "assistant";

/** Usage of each of the agent's messages, by its number. */
function usagesOf(row: ChatRow): ReadonlyMap<number, unknown> {
  const usage = row.response["usage"];
  return new Map([...(row.usages ?? []), [row.messages.map(chatMessage).filter(isAgents).length, usage]]);
}

function goesOn({ row, said }: Open, next: ChatRow, then: readonly string[]): boolean {
  if (then.length <= said.length || !said.every((text, at) => text === then[at])) return false;
  const [reply] = row.replies[0]?.messages ?? [];
  return sameReply(chatMessage(reply), chatMessage(next.messages[said.length]));
}

/** The answer came back as it was said: by its calls, or by its words. */
function sameReply(reply: unknown, message: unknown): boolean {
  if (!isAgents(message)) return false;
  const [ids, others] = [callsIn(reply), callsIn(message)];
  if (ids.length > 0 || others.length > 0) return ids.join("\n") === others.join("\n");
  return wordsIn(reply) === wordsIn(message);
}

function callsIn(message: unknown): readonly string[] {
  const { tool_calls: listed, content } = asRecord(message);
  const blocks = recordsOf(content).filter(({ type }) => type === "tool_use");
  return [...recordsOf(listed), ...blocks].map(({ id }) => asName(id));
}

function wordsIn(message: unknown): string {
  const { content } = asRecord(message);
  return (
    asText(content) ??
    recordsOf(content)
      .map(({ text }) => asText(text) ?? "")
      .join("\n")
  ).trim();
}

/** A message as a text that is the same wherever the mark of the cache stands, and whether its words are a text or one block. */
function comparable(given: unknown): string {
  const message = asRecord(given);
  const { content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
  const plain = blocks.map((block) => (isRecord(block) ? without(block, ["cache_control"]) : block));
  return JSON.stringify({ ...without(message, ["cache_control"]), content: plain });
}
