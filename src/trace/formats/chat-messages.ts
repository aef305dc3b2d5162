import { addAll } from "./add-all.ts";
import type { Usage } from "../../model/usage.ts";
import { withoutBlobs } from "./blobs.ts";
import { type Block, blocksOf, summaryOf } from "./chat-blocks.ts";
import type { AgentTurn, ToolCall, Turn } from "./turn.ts";
import { amountOf, sumOfAmounts, tokensOf } from "./counts.ts";
import { type FormatProblem, warning } from "./format-reader.ts";
import type { Ledger } from "./ledger.ts";
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

export interface Content {
  readonly text: string;
  readonly reasoning: string;
  /** Parts that are neither: images, sounds, files. The text holds a mark in their place. */
  readonly others: readonly unknown[];
}

/** The words of a message whose content is a text or a list of parts, as OpenAI, Anthropic and Inspect write them. */
export function contentOf(content: unknown): Content {
  if (typeof content === "string") return { text: content, reasoning: "", others: [] };
  const texts: string[] = [];
  const reasonings: string[] = [];
  const others: unknown[] = [];
  for (const part of asList(content)) {
    const record = typeof part === "string" ? { type: "text", text: part } : asRecord(part);
    const reasoning = asText(record["reasoning"]) ?? asText(record["thinking"]);
    const text = record["text"] ?? record["refusal"];
    if (reasoning !== undefined) reasonings.push(reasoning);
    else if (typeof text === "string") texts.push(text);
    else {
      texts.push(`[${asText(record["type"]) ?? "part"}]`);
      others.push(part);
    }
  }
  return { text: texts.join("\n"), reasoning: reasonings.join("\n"), others };
}

/** Keys of messages that the mapping reads; every other one is kept in the extra of its step. */
const MAPPED = [
  "role",
  "content",
  "tool_calls",
  "function_call",
  "reasoning_content",
  "reasoning",
  "reasoning_details",
  "thinking_blocks",
  "refusal",
  "audio",
];
const MAPPED_OF_RESULT = ["role", "content", "tool_call_id", "tool_call_ids"];

/** The calls of a message: OpenAI's, with the arguments as text, or Inspect's, with the function's name beside them. */
function callsOf(message: JsonRecord): ToolCall[] {
  const legacy = message["function_call"];
  const listed = recordsOf(message["tool_calls"]);
  const calls = listed.length === 0 && isRecord(legacy) ? [{ function: legacy }] : listed;
  return calls.map((call: JsonRecord) => {
    const named = asRecord(call["function"]);
    const custom = asRecord(call["custom"]);
    const rest = compact({
      ...without(call, ["id", "type", "function", "custom", "name", "args", "arguments"]),
    });
    return {
      id: asText(call["id"]),
      name:
        asText(call["function"]) ??
        asText(named["name"]) ??
        asText(custom["name"]) ??
        asText(call["name"]) ??
        "",
      args: call["arguments"] ?? named["arguments"] ?? custom["input"] ?? call["args"],
      extra: rest === undefined ? undefined : { call: withoutBlobs(rest) },
    };
  });
}

/** Facts about a message of the agent that stand elsewhere in the file. */
export interface AgentMessage {
  readonly usage?: Usage | undefined;
  readonly extra?: Record<string, unknown> | undefined;
}

/** Thoughts beside the content, as several servers write them; some write the same ones under two names. */
function thoughtsBeside(message: JsonRecord): readonly string[] {
  const told = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  if (told !== undefined) return [told];
  const parts = [...recordsOf(message["reasoning_details"]), ...recordsOf(message["thinking_blocks"])];
  return parts.flatMap(
    (part) => asText(part["text"]) ?? asText(part["thinking"]) ?? summaryOf(part["summary"]) ?? [],
  );
}

/** The agent's words and calls up to a result that stands in its own message, or to its end. */
interface Part {
  texts: string[];
  thoughts: string[];
  calls: ToolCall[];
}

const emptyPart = (): Part => ({ texts: [], thoughts: [], calls: [] });
const isEmpty = ({ texts, thoughts, calls }: Part): boolean =>
  texts.length + thoughts.length + calls.length === 0;

/**
 * The turns of one message of the agent. A tool that the server itself ran answers within the message, so what follows is a turn of its
 * own. `ends`: its last words are the agent's last.
 */
export function agentTurns(
  message: JsonRecord,
  { usage, extra, ends }: AgentMessage & { readonly ends?: boolean },
  ledger: Ledger,
): readonly Turn[] {
  const turns: Turn[] = [];
  const others: unknown[] = [];
  const ids = new Set<string>();
  let part = emptyPart();
  addAll(part.thoughts, thoughtsBeside(message));
  const told = new Set(part.thoughts);
  const close = (last: boolean): void => {
    if (isEmpty(part) && !(last && turns.length === 0)) return;
    turns.push(turnOf(part, last && ends === true, ledger));
    part = emptyPart();
  };
  for (const block of blocksOf(message["content"], "assistant", ledger)) {
    if (block.kind === "text") part.texts.push(block.text);
    else if (block.kind === "thought") addAll(part.thoughts, told.has(block.text) ? [] : [block.text]);
    else if (block.kind === "call") {
      if (block.call.id !== undefined) ids.add(block.call.id);
      part.calls.push(block.call);
    } else if (block.kind === "result") {
      close(false);
      ledger.mapped("tool results", "observations");
      turns.push(block.result);
    } else {
      part.texts.push(block.mark);
      others.push(block.part);
    }
  }
  // LangChain lists the calls that stand in the content a second time.
  addAll(
    part.calls,
    callsOf(message).filter(({ id }) => id === undefined || !ids.has(id)),
  );
  if (part.texts.length === 0 && turns.length === 0) addAll(part.texts, wordsBeside(message));
  close(true);
  const rest = keepRest(message, MAPPED, others, "assistant", ledger);
  const whole = { usage: usage ?? usageBeside(message, ledger), extra: compact({ ...extra, message: rest }) };
  const first = turns.findIndex((turn) => turn.kind === "agent");
  return turns.map((turn, index) => (index === first ? { ...turn, ...whole } : turn));
}

/** The usage that a message tells itself, as LangChain, Cline and Anthropic's replies do. */
function usageBeside(message: JsonRecord, ledger: Ledger): Usage | undefined {
  const { tokens, cost } = asRecord(message["metrics"]);
  const metadata = asRecord(message["usage_metadata"]);
  const read = asRecord(metadata["input_token_details"])["cache_read"];
  const { prompt: prompt_tokens, completion: completion_tokens } = asRecord(tokens);
  return (
    usageOf(message["usage"], ledger) ??
    usageOf(compact({ ...metadata, cached_input_tokens: read }), ledger) ??
    usageOf(compact({ prompt_tokens, completion_tokens }), ledger, { cost })
  );
}

/** Words of a message without content: that it will not answer, or what it says in a sound. */
function wordsBeside(message: JsonRecord): readonly string[] {
  const words = asText(message["refusal"]) ?? asText(asRecord(message["audio"])["transcript"]);
  return words === undefined ? [] : [words];
}

function turnOf({ texts, thoughts, calls }: Part, ends: boolean, ledger: Ledger): AgentTurn {
  ledger.mapped(
    "assistant messages",
    calls.length > 0 ? "thoughts of steps" : ends ? "FINAL" : "other, or FINAL of a coding agent",
  );
  ledger.mapped("tool calls", "actions of steps", calls.length);
  return {
    kind: "agent",
    text: texts.join("\n"),
    reasoning: thoughts.join("\n"),
    calls,
    ...(ends ? { ends } : {}),
  };
}

/** What a message has besides what is mapped; parts that are no text are in it. */
function keepRest(
  message: JsonRecord,
  mapped: readonly string[],
  others: readonly unknown[],
  role: string,
  ledger: Ledger,
): Record<string, unknown> | undefined {
  const rest = Object.fromEntries(
    Object.entries(message).filter(([key, value]) => !mapped.includes(key) && value !== null),
  );
  for (const key of Object.keys(rest)) ledger.kept(`${role} messages: ${key}`, "extra of steps");
  ledger.kept(`${role} messages: content that is no text`, "extra of steps", others.length);
  return asCompact(withoutBlobs({ ...rest, ...(others.length === 0 ? {} : { content: others }) }));
}

const asCompact = (value: unknown): Record<string, unknown> | undefined => compact(asRecord(value));

export interface MessageOptions {
  readonly ledger: Ledger;
  /** The format says that the agent ended with its last message, unless that calls a tool. */
  readonly ends: boolean;
  /** Facts about the nth message of the agent that stand elsewhere in the file. */
  readonly ofAgent?: (message: JsonRecord, nth: number) => AgentMessage;
}

const AGENTS = new Set(["assistant", "ai", "model"]);
const TOOLS = new Set(["tool", "function", "ipython"]);
const PEOPLE = new Set(["user", "human"]);

/** The turns of a list of chat messages, and the places of entries that are none. */
export function turnsOfMessages(
  messages: readonly unknown[],
  options: MessageOptions,
): { readonly turns: readonly Turn[]; readonly unreadable: readonly number[] } {
  const turns: Turn[] = [];
  const unreadable: number[] = [];
  let agents = 0;
  messages.forEach((message, index) => {
    const role = isRecord(message) ? message["role"] : undefined;
    if (!isRecord(message) || typeof role !== "string") {
      unreadable.push(index);
      return;
    }
    const last = index === messages.length - 1;
    if (AGENTS.has(role)) {
      const known = options.ofAgent?.(message, agents++) ?? {};
      for (const turn of agentTurns(message, { ...known, ends: options.ends && last }, options.ledger))
        turns.push(turn);
    } else for (const turn of otherTurns(role, message, options.ledger)) turns.push(turn);
  });
  return { turns, unreadable };
}

/** Results that stand among the words of a message in the user's place are the tools', in their order. */
function otherTurns(role: string, message: JsonRecord, ledger: Ledger): readonly Turn[] {
  if (TOOLS.has(role)) return [resultTurn(message, ledger)];
  const turns: Turn[] = [];
  let texts: string[] = [];
  const close = (): void => {
    if (texts.length > 0) turns.push({ kind: PEOPLE.has(role) ? "user" : "system", text: texts.join("\n") });
    texts = [];
  };
  for (const block of blocksOf(message["content"], role, ledger)) {
    if (block.kind === "text" || block.kind === "thought") texts.push(block.text);
    else if (block.kind === "other") {
      ledger.dropped(`${role} messages: content that is no text`, "a mark stands in its place");
      texts.push(block.mark);
    } else if (block.kind === "result") {
      close();
      ledger.mapped("tool results", "observations");
      turns.push(block.result);
    } else ledger.dropped(`${role} messages: calls of tools`, "only the agent calls tools");
  }
  close();
  ledger.mapped(`${role} messages`, "question, prelude or observations");
  return turns;
}

function resultTurn(message: JsonRecord, ledger: Ledger): Turn {
  const results = blocksOf(message["content"], "tool", ledger);
  const others = results.flatMap((block) => (block.kind === "other" ? [block.part] : []));
  ledger.mapped("tool results", "observations");
  const [fromList] = asList(message["tool_call_ids"]);
  const rest = keepRest(message, MAPPED_OF_RESULT, others, "tool", ledger);
  return {
    kind: "result",
    callId: asText(message["tool_call_id"]) ?? asText(fromList),
    text: withError(results.map(wordsOfBlock).join("\n"), message["error"]),
    extra: rest === undefined ? undefined : { result: rest },
  };
}

function wordsOfBlock(block: Block): string {
  if (block.kind === "text" || block.kind === "thought") return block.text;
  if (block.kind === "other") return block.mark;
  return block.kind === "result" ? block.result.text : "";
}

/** Inspect keeps the failure of a tool beside its words; the agent was shown both. */
function withError(text: string, error: unknown): string {
  const message = asText(asRecord(error)["message"]) ?? asText(error);
  if (message === undefined || text.includes(message)) return text;
  return [text, message].filter((part) => part !== "").join("\n");
}

/**
 * Tokens as OpenAI (`prompt_tokens`), Anthropic and Inspect (`input_tokens`) count them. Of these two, Anthropic's input does not hold what
 * its cache gave or took.
 */
export function usageOf(
  usage: unknown,
  ledger: Ledger,
  more: { readonly cost?: unknown; readonly latencyMs?: number | undefined } = {},
): Usage | undefined {
  const given = asRecord(usage);
  const { latencyMs } = more;
  const input = tokensOf(given, ["prompt_tokens", "input_tokens"], ledger);
  const output = tokensOf(given, ["completion_tokens", "output_tokens"], ledger);
  const cost =
    amountOf({ cost: more.cost }, ["cost"], ledger) ?? amountOf(given, ["total_cost", "cost"], ledger);
  if (input === undefined && output === undefined && cost === undefined) return undefined;
  const cache = cacheOf(given, ledger);
  return {
    inputTokens: sumOfAmounts([input ?? 0, ...cache.besides]),
    ...(cache.read === undefined ? {} : { cachedInputTokens: cache.read }),
    outputTokens: output ?? 0,
    ...(cost === undefined ? {} : { cost }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
}

/** Tokens read from the cache, and the cached tokens that the input does not count. */
function cacheOf(
  usage: JsonRecord,
  ledger: Ledger,
): { readonly read: number | undefined; readonly besides: readonly number[] } {
  const details = asRecord(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
  const inside =
    tokensOf(details, ["cached_tokens"], ledger) ?? tokensOf(usage, ["cached_input_tokens"], ledger);
  const read = tokensOf(usage, ["cache_read_input_tokens"], ledger);
  const written = tokensOf(usage, ["cache_creation_input_tokens"], ledger);
  const isAnthropic = usage["prompt_tokens"] === undefined && inside === undefined;
  return { read: inside ?? read, besides: isAnthropic ? [read ?? 0, written ?? 0] : [] };
}

/** Says which entries of a list of messages were left out. */
export function unreadableMessages(line: number, at: readonly number[]): FormatProblem {
  const places = at
    .slice(0, 5)
    .map((index) => index + 1)
    .join(", ");
  const more = at.length > 5 ? ` and ${at.length - 5} more` : "";
  return warning(
    line,
    `message ${places}${more} has no role and was left out.`,
    "Check the list of messages.",
  );
}
