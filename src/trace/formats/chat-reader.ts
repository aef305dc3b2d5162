import { addAll } from "./add-all.ts";
import { chatMessage, isMessage } from "./chat-shapes.ts";
import { type ChatRow, chatRow, readChatRow } from "./chat-row.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import { asText, isRecord, type JsonRecord } from "./records.ts";
import { responsesReader } from "./openai-responses.ts";
import { isLogged, requestLog } from "./request-log.ts";
import { isItem } from "./responses-items.ts";
import { isAnthropicEvent, replyOfEvents } from "./stream-reply.ts";

interface Held {
  readonly row: ChatRow;
  readonly line: number;
}

/** Values that wait for the end of the file: a conversation of one message a line, a stream, and a batch with its answers on other lines. */
interface Waiting {
  readonly messages: unknown[];
  readonly events: JsonRecord[];
  readonly asked: Map<string, Held>;
  readonly answered: Map<string, Held>;
}

/** Conversations of chat messages: a row each, or an array of rows. The formats of OpenAI and Anthropic may be mixed, also in one row. */
export function chatReader(options: ReaderOptions & { readonly source: string }): FormatReader {
  const waiting: Waiting = { messages: [], events: [], asked: new Map(), answered: new Map() };
  const log = requestLog();
  const readRow = (row: ChatRow, line: number): FormatResult => readChatRow(row, line, options);

  function read(value: unknown, line: number, cut = false): FormatResult {
    if (Array.isArray(value) && !isMessage(value[0]) && value.some((row) => chatRow(row) !== undefined))
      return together(value.map((row) => readOne(row, line, cut)));
    return readOne(value, line, cut);
  }

  function readOne(value: unknown, line: number, cut: boolean): FormatResult {
    if (isRecord(value) && isAnthropicEvent(value)) waiting.events.push(value);
    else if (isLoneMessage(value)) waiting.messages.push(value);
    else {
      const row = chatRow(value);
      if (row === undefined)
        return refuse(
          line,
          "this line has no list `messages`.",
          'Write one conversation a line: {"messages": [...]}.',
        );
      const whole = joinBatch(waiting, row, line);
      if (whole === undefined) return NOTHING;
      if (cut || !isLogged(whole)) return readRow(whole, line);
      const done = log.add(whole, line);
      return done === undefined ? NOTHING : readRow(done.row, done.line);
    }
    return NOTHING;
  }

  function end(): FormatResult {
    options.ledger.mapped("requests that a later one goes on from", "its episode", log.continued());
    const rest = [...log.rest(), ...waiting.asked.values(), ...waiting.answered.values()].map(
      ({ row, line }) => readRow(row, line),
    );
    const reply = replyOfEvents(waiting.events);
    const streamed = reply === undefined ? undefined : chatRow(reply);
    if (streamed !== undefined) rest.push(readRow(streamed, 0));
    if (waiting.messages.length > 0) addAll(rest, readTalk(waiting.messages, readRow, options));
    return together(rest);
  }
  return { read, end };
}

/** A conversation of one message a line. One that has items of OpenAI's Responses among them is all of items. */
function readTalk(
  messages: readonly unknown[],
  readRow: (row: ChatRow, line: number) => FormatResult,
  options: ReaderOptions,
): readonly FormatResult[] {
  const talk = messages.some(isItem) ? undefined : chatRow(messages);
  if (talk !== undefined) return [readRow(talk, 0)];
  const reader = responsesReader(options);
  return [reader.read(messages, 0), reader.end()];
}

/** A message, or an item, on a line of its own; a reply of Anthropic's is a row. */
function isLoneMessage(value: unknown): boolean {
  if (!isRecord(value) || "stop_reason" in value) return false;
  if (isItem(value)) return true;
  const message = isMessage(value) ? chatMessage(value) : undefined;
  return isRecord(message) && ("content" in message || "tool_calls" in message);
}

function together(results: readonly FormatResult[]): FormatResult {
  return {
    episodes: results.flatMap(({ episodes }) => episodes),
    problems: results.flatMap(({ problems }) => problems),
  };
}

/** A row with its request and its answer; those of a batch may be two, which name each other. Undefined: the other one is still to come. */
function joinBatch({ asked, answered }: Waiting, row: ChatRow, line: number): ChatRow | undefined {
  const id = asText(row.row["custom_id"]);
  const hasAnswer = row.replies.length > 0 || row.error !== undefined;
  if (id === undefined || (row.messages.length > 0 && hasAnswer)) return row;
  const [own, others] = hasAnswer ? [answered, asked] : [asked, answered];
  const other = others.get(id)?.row;
  if (other === undefined) {
    own.set(id, { row, line });
    return undefined;
  }
  others.delete(id);
  const [request, response] = hasAnswer ? [other, row] : [row, other];
  return { ...response, body: { ...response.body, ...request.body }, messages: request.messages };
}
