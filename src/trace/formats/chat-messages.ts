import type { Usage } from "../../model/usage.ts";
import type { AgentTurn, ToolCall, Turn } from "./turn.ts";
import { amountOf, tokensOf } from "./counts.ts";
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
  "refusal",
];
const MAPPED_OF_RESULT = ["role", "content", "tool_call_id", "tool_call_ids"];

/** The calls of a message: OpenAI's, with the arguments as text, or Inspect's, with the function's name beside them. */
function callsOf(message: JsonRecord): ToolCall[] {
  const legacy = message["function_call"];
  const listed = recordsOf(message["tool_calls"]);
  const calls = listed.length === 0 && isRecord(legacy) ? [{ function: legacy }] : listed;
  return calls.map((call: JsonRecord) => {
    const named = asRecord(call["function"]);
    const rest = compact({ ...without(call, ["id", "type", "function", "arguments"]) });
    return {
      id: asText(call["id"]),
      name:
        asText(call["function"]) ?? asText(named["name"]) ?? asText(asRecord(call["custom"])["name"]) ?? "",
      args: call["arguments"] ?? named["arguments"] ?? asRecord(call["custom"])["input"],
      extra: rest === undefined ? undefined : { call: rest },
    };
  });
}

export interface AgentMessage {
  readonly ends?: boolean;
  readonly usage?: Usage | undefined;
  readonly extra?: Record<string, unknown> | undefined;
}

export function agentTurn(message: JsonRecord, more: AgentMessage, ledger: Ledger): AgentTurn {
  const content = contentOf(message["content"]);
  const told = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  const calls = callsOf(message);
  ledger.mapped(
    "assistant messages",
    calls.length > 0 ? "thoughts of steps" : more.ends === true ? "FINAL" : "other",
  );
  ledger.mapped("tool calls", "actions of steps", calls.length);
  return {
    kind: "agent",
    text: content.text === "" ? (asText(message["refusal"]) ?? "") : content.text,
    reasoning: [told ?? "", content.reasoning].filter((text) => text !== "").join("\n"),
    calls,
    ...(more.ends === true ? { ends: true } : {}),
    usage: more.usage,
    extra: compact({
      ...more.extra,
      message: keepRest(message, MAPPED, content.others, "assistant", ledger),
    }),
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
  return compact({ ...rest, ...(others.length === 0 ? {} : { content: others }) });
}

export interface MessageOptions {
  readonly ledger: Ledger;
  /** The format says that the agent ended with its last message, unless that calls a tool. */
  readonly ends: boolean;
  /** What is known of the nth message of the agent from elsewhere. */
  readonly ofAgent?: (message: JsonRecord, nth: number) => AgentMessage;
}

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
    if (role === "assistant" || role === "ai" || role === "model") {
      const known = options.ofAgent?.(message, agents++) ?? {};
      turns.push(agentTurn(message, { ...known, ends: options.ends && last }, options.ledger));
    } else turns.push(otherTurn(role, message, options.ledger));
  });
  return { turns, unreadable };
}

function otherTurn(role: string, message: JsonRecord, ledger: Ledger): Turn {
  const { text, others } = contentOf(message["content"]);
  if (role !== "tool" && role !== "function" && role !== "ipython") {
    const kind = role === "user" ? "user" : "system";
    ledger.mapped(`${role} messages`, "question, prelude or observations");
    if (others.length > 0)
      ledger.dropped(`${role} messages: content that is no text`, "a mark stands in its place");
    return { kind, text };
  }
  ledger.mapped("tool results", "observations");
  const [fromList] = asList(message["tool_call_ids"]);
  const rest = keepRest(message, MAPPED_OF_RESULT, others, "tool", ledger);
  return {
    kind: "result",
    callId: asText(message["tool_call_id"]) ?? asText(fromList),
    text: withError(text, message["error"]),
    extra: rest === undefined ? undefined : { result: rest },
  };
}

/** Inspect keeps the failure of a tool beside its words; the agent was shown both. */
function withError(text: string, error: unknown): string {
  const message = asText(asRecord(error)["message"]) ?? asText(error);
  if (message === undefined || text.includes(message)) return text;
  return [text, message].filter((part) => part !== "").join("\n");
}

/** Tokens as OpenAI (`prompt_tokens`), Anthropic and Inspect (`input_tokens`) count them. */
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
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(cost === undefined ? {} : { cost }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
}
