import { addAll } from "./add-all.ts";
import { parseJson } from "../../model/read-json.ts";
import { hashText } from "../hash.ts";
import { withoutBlobs } from "./blobs.ts";
import { turnsOfMessages, unreadableMessages, usageOf } from "./chat-messages.ts";
import { chatMessage, isMessage } from "./chat-shapes.ts";
import { episodeOf } from "./conversation.ts";
import { type FormatResult, type ReaderOptions, refuse } from "./format-reader.ts";
import { errorIn, loggedCall } from "./logged-call.ts";
import {
  asList,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "./records.ts";
import { promptedTurns } from "./prompted-turns.ts";
import type { ReadEpisode } from "./turn.ts";

/** An answer beside its request, and why it ended. */
interface Reply {
  readonly messages: readonly unknown[];
  readonly reason: string | undefined;
  /** Its name in the id of the episode, for a row with several. */
  readonly name: string;
}

/** A conversation, and the answers to it that stand beside it. */
export interface ChatRow {
  readonly row: JsonRecord;
  readonly body: JsonRecord;
  readonly messages: readonly unknown[];
  readonly replies: readonly Reply[];
  readonly response: JsonRecord;
  readonly error: string | undefined;
  /** Tokens of earlier messages of the agent, by which of them it is, from the requests that they answered. */
  readonly usages?: ReadonlyMap<number, unknown> | undefined;
}

const LISTS = [
  "messages",
  "conversations",
  "conversation",
  "prompt",
  "chat_history",
  "trajectory",
  "dialogue",
];

/** The first of the keys that holds messages; LangChain's tracer puts each list of them into another. */
function messagesIn(value: JsonRecord): readonly unknown[] | undefined {
  for (const key of LISTS) {
    const given = value[key];
    const list = typeof given === "string" && given.startsWith("[") ? parseJson(given) : given;
    const flat = Array.isArray(list) && Array.isArray(list[0]) ? asList(list[0]) : list;
    if (Array.isArray(flat) && (flat.length === 0 ? key === "messages" : isMessage(flat[0]))) return flat;
  }
  return undefined;
}

/** The conversation of a row: as it is, as a request with its response, or as one of several to choose from. Undefined where it has none. */
export function chatRow(value: unknown): ChatRow | undefined {
  if (Array.isArray(value)) return isMessage(value[0]) ? plain({ messages: value }, value) : undefined;
  if (!isRecord(value)) return undefined;
  const call = loggedCall(value);
  const own = messagesIn(value);
  const asked = own ?? messagesIn(call.request);
  const chosen = choicesOf(value);
  const replies = chosen.length > 0 ? chosen : repliesOf(call.response ?? value);
  const failed = value["custom_id"] !== undefined && errorIn(call) !== undefined;
  if (asked === undefined && ((replies.length === 0 && !failed) || "input" in call.request)) return undefined;
  const body = own === undefined ? { ...call.row, ...call.request } : { ...call.request, ...call.row };
  const response = call.response ?? {};
  return { row: value, body, messages: asked ?? [], replies, response, error: errorIn(call) };
}

const plain = (body: JsonRecord, messages: readonly unknown[]): ChatRow => ({
  row: {},
  body,
  messages,
  replies: [],
  response: {},
  error: undefined,
});

/** Pairs of answers, one better than the other, as OpenAI and TRL write them. */
function choicesOf(row: JsonRecord): readonly Reply[] {
  const pairs = [
    ["preferred_output", "non_preferred_output"],
    ["chosen", "rejected"],
  ] as const;
  for (const pair of pairs) {
    const lists = pair.map((key) => row[key]).map((given) => (isRecord(given) ? [given] : asList(given)));
    if (lists.every((list) => list.length > 0 && isMessage(list[0])))
      return lists.map((messages, at) => ({
        messages,
        reason: undefined,
        name: at === 0 ? "chosen" : "rejected",
      }));
  }
  const completion = asList(row["completion"]);
  return isMessage(completion[0]) ? [{ messages: completion, reason: undefined, name: "completion" }] : [];
}

/** The answers of a response: OpenAI's choices, Anthropic's message, LangChain's generations, or messages. */
function repliesOf(response: JsonRecord): readonly Reply[] {
  const choices = recordsOf(response["choices"]).filter((choice) => isRecord(choice["message"]));
  if (choices.length > 0)
    return choices.map((choice, at) => ({
      messages: [choice["message"]],
      reason: asText(choice["finish_reason"]),
      name: `choice-${at + 1}`,
    }));
  const reason = asText(response["stop_reason"]) ?? asText(response["done_reason"]);
  const reply = (message: unknown): Reply[] => [{ messages: [message], reason, name: "choice-1" }];
  const isOwn = response["role"] === "assistant" || response["type"] === "message";
  if (isOwn && (Array.isArray(response["content"]) || typeof response["content"] === "string"))
    return reply({ role: "assistant", ...without(response, KEYS_OF_RESPONSE) });
  const [batch] = asList(response["generations"]);
  const generations = recordsOf(Array.isArray(batch) ? batch : response["generations"]);
  const made = generations.filter(({ message }) => isReply(message));
  if (made.length > 0)
    return made.map(({ message }, at) => ({
      messages: [message],
      reason: undefined,
      name: `choice-${at + 1}`,
    }));
  const alone = [response["output"], response["message"]].find(isReply);
  return alone === undefined ? [] : reply(alone);
}

const isReply = (message: unknown): boolean => asRecord(chatMessage(message))["role"] === "assistant";

const KEYS_OF_RESPONSE = "id type model stop_reason stop_sequence stop_details usage container".split(" ");
/** Reasons that say the agent ended by itself. */
const ENDED = new Set(["stop", "end_turn", "stop_sequence", "refusal", "eos", "eos_token"]);
const CUT = new Set(["length", "max_tokens", "model_context_window_exceeded"]);
/** Keys that are read, or that an episode should not keep. */
const MAPPED = (
  "id model system messages conversations conversation chat_history trajectory dialogue usage choices response request tools functions " +
  "custom_id headers preferred_output non_preferred_output chosen rejected completion role content type stop_reason stop_sequence"
).split(" ");

/** The episodes of a row: one, or one for each of its answers. */
export function readChatRow(
  given: ChatRow,
  line: number,
  { name, ledger, source }: ReaderOptions & { readonly source: string },
): FormatResult {
  const replies = given.replies.length > 0 ? given.replies : [undefined];
  const unreadable: number[] = [];
  const read = replies.flatMap((reply, at): ReadEpisode[] => {
    const made = episodeOfReply(given, reply, { name, ledger, source, at });
    if (made !== undefined && at === 0) addAll(unreadable, made.unreadable);
    return made === undefined ? [] : [made.episode];
  });
  if (read.length === 0) return nothingSaid(given, line);
  if (read.length > 1) ledger.mapped("answers to one request", "episodes", read.length);
  ledger.dropped("messages without a role", "they are no messages", unreadable.length);
  return { episodes: read, problems: unreadable.length === 0 ? [] : [unreadableMessages(line, unreadable)] };
}

function nothingSaid({ error }: ChatRow, line: number): FormatResult {
  const why = error === undefined ? "" : ` The request failed: ${error.slice(0, 200)}`;
  return refuse(
    line,
    `no message of the conversation is the assistant's, so it has no step.${why}`,
    error === undefined
      ? "Check the roles, and whether the answer is logged beside the request."
      : "Nothing to do.",
  );
}

interface ReplyOptions extends ReaderOptions {
  readonly source: string;
  readonly at: number;
}

function episodeOfReply(
  { body, messages, replies, response, error, usages }: ChatRow,
  reply: Reply | undefined,
  { name, ledger, source, at }: ReplyOptions,
): { readonly episode: ReadEpisode; readonly unreadable: readonly number[] } | undefined {
  const system = body["system"] ?? body["system_instruction"];
  const asked =
    system === undefined || system === null ? messages : [{ role: "system", content: system }, ...messages];
  const said = [...asked, ...(reply?.messages ?? [])].map(chatMessage);
  const reason = reply?.reason;
  const ends = reason === undefined || ENDED.has(reason);
  const usage = at === 0 ? usageIn(body, response) : undefined;
  const agents = messages
    .map(chatMessage)
    .filter((message) => asRecord(message)["role"] === "assistant").length;
  const all = usages === undefined ? undefined : new Map([...usages, [agents, usage]]);
  const { turns, unreadable } = turnsOfMessages(said, {
    ledger,
    ends,
    ofAgent: (_, nth) => ({ usage: usageOf(all?.get(nth), ledger) }),
  });
  if (!turns.some((turn) => turn.kind === "agent")) return undefined;
  const offered = body["tools"] ?? body["functions"];
  const tools = asList(typeof offered === "string" ? parseJson(offered) : offered);
  const cut = reason !== undefined && CUT.has(reason);
  // Nobody should learn from the worse of two answers.
  const whole = reply?.name === "rejected" ? turns : promptedTurns(turns, { tools, cut });
  const model = asText(response["model"]) ?? asText(body["model"]);
  const cost =
    all !== undefined
      ? undefined
      : usageOf(usage, ledger, { cost: at === 0 ? body["response_cost"] : undefined });
  if (model !== undefined) ledger.mapped("model", "settings.model");
  if (cost !== undefined) ledger.mapped("usage", "cost");
  const kept = asRecord(
    withoutBlobs(without(body, [...MAPPED, ...(Array.isArray(body["prompt"]) ? ["prompt"] : [])])),
  );
  for (const key of Object.keys(kept)) ledger.kept(key, "extra of the episode");
  ledger.kept("tools", "extra of the episode", tools.length > 0 ? 1 : 0);
  ledger.dropped("headers", "they may hold a key", body["headers"] === undefined ? 0 : 1);
  const id = idOf(body, response) ?? `${name}-${hashText(JSON.stringify([messages, replies]))}`;
  const several = replies.length > 1;
  const episode = episodeOf({
    id: several && (at > 0 || reply?.name === "chosen") ? `${id}~${reply?.name ?? at}` : id,
    source,
    turns: whole,
    settings: compact({ model }),
    cost,
    extra: compact({
      ...kept,
      tools: tools.length > 0 ? tools : undefined,
      finishReason: reason,
      answer: several ? reply?.name : undefined,
      error,
    }),
  });
  return { episode, unreadable: unreadable.map((place) => place - (asked.length - messages.length)) };
}

function idOf(body: JsonRecord, response: JsonRecord): string | undefined {
  return (
    asText(body["id"]) ?? asText(body["custom_id"]) ?? asText(body["request_id"]) ?? asText(response["id"])
  );
}

/** The tokens: beside the answer, or in the row. */
function usageIn(body: JsonRecord, response: JsonRecord): unknown {
  const output = asRecord(response["llm_output"]);
  const found = response["usage"] ?? body["usage"] ?? output["token_usage"] ?? output["usage"];
  if (isRecord(found)) return found;
  return "prompt_tokens" in body ? body : undefined;
}
