import type { Outcome } from "../../model/episode.ts";
import type { Usage } from "../../model/usage.ts";
import { type Conversation, episodeOf } from "./conversation.ts";
import type { AgentTurn, ToolCall, Turn } from "./turn.ts";
import {
  type FormatProblem,
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
  warning,
} from "./format-reader.ts";
import { sumOfAmounts, tokensOf } from "./counts.ts";
import type { Ledger } from "./ledger.ts";
import { type GenAiMessage, resultText, talkOfSpan } from "./otel-messages.ts";
import { isOtlp, type Span, spansOf } from "./otlp.ts";
import { asList, asRecord, asText, compact, type JsonRecord } from "./records.ts";

const CHATS = new Set(["chat", "text_completion", "generate_content"]);

function operationOf(span: Span): string | undefined {
  return asText(span.attributes["gen_ai.operation.name"]);
}

function isChat(span: Span): boolean {
  const operation = operationOf(span);
  if (operation !== undefined) return CHATS.has(operation);
  return asText(span.attributes["gen_ai.request.model"]) !== undefined;
}

function isTool(span: Span): boolean {
  return operationOf(span) === "execute_tool" || span.name.startsWith("execute_tool ");
}

/** Spans of OpenTelemetry's GenAI conventions: each trace is an episode, whichever documents its spans stand in. */
export function otelReader(options: ReaderOptions): FormatReader {
  const traces = new Map<string, { line: number; spans: Span[] }>();
  function read(value: unknown, line: number): FormatResult {
    if (!isOtlp(value)) return refuse(line, "there is no `resourceSpans`.", "Export traces as OTLP JSON.");
    const { spans, unreadable } = spansOf(asRecord(value));
    for (const span of spans) {
      const trace = traces.get(span.traceId) ?? { line, spans: [] };
      trace.spans.push(span);
      traces.set(span.traceId, trace);
    }
    const next = "Check the exporter: a span has `traceId` and `spanId`.";
    const problems =
      unreadable === 0 ? [] : [warning(line, `${unreadable} entries are no spans and were left out.`, next)];
    return { episodes: [], problems };
  }
  function end(): FormatResult {
    const problems: FormatProblem[] = [];
    const episodes = [...traces].flatMap(([id, trace]) => {
      const spans = trace.spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
      if (spans.some((span) => isChat(span) || isTool(span)))
        return [episodeOf(describe(id, spans, options.ledger))];
      const message = `the trace ${id} has no chat and no tool span of the GenAI conventions.`;
      problems.push(warning(trace.line, message, "Its spans were left out."));
      return [];
    });
    return episodes.length + problems.length === 0 ? NOTHING : { episodes, problems };
  }
  return { read, end };
}

const TALK = [
  "gen_ai.system_instructions",
  "gen_ai.input.messages",
  "gen_ai.output.messages",
  "gen_ai.tool.call.arguments",
  "gen_ai.tool.call.result",
];

function keep(span: Span): Record<string, unknown> {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(
      ([key]) => !TALK.includes(key) && !/^gen_ai\.(?:prompt|completion)\.\d/.test(key),
    ),
  );
  const events = span.events.filter((event) => !event.name.startsWith("gen_ai."));
  return {
    spanId: span.spanId,
    name: span.name,
    ...(span.startText === undefined ? {} : { start: span.startText }),
    ...span.rest,
    attributes,
    ...(events.length === 0 ? {} : { events }),
  };
}

function usageOf({ attributes, start, end }: Span, ledger: Ledger): Usage | undefined {
  const input = tokensOf(attributes, ["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"], ledger);
  const output = tokensOf(
    attributes,
    ["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"],
    ledger,
  );
  if (input === undefined && output === undefined) return undefined;
  const latencyMs = sumOfAmounts([Math.max(0, Math.round((end - start) / 1e6))]);
  return { inputTokens: input ?? 0, outputTokens: output ?? 0, latencyMs };
}

/** What grows as the spans of a trace are read in the order of their beginnings. */
interface Draft {
  readonly turns: Turn[];
  /** Texts of users and tools that were taken already: each chat repeats all that was said before. */
  readonly heard: Set<string>;
  readonly called: Set<string>;
  readonly answered: Set<string>;
  readonly ledger: Ledger;
}

function talk(spans: readonly Span[], ledger: Ledger): Draft {
  const draft: Draft = { turns: [], heard: new Set(), called: new Set(), answered: new Set(), ledger };
  const opening = spans.find((span) => operationOf(span) === "invoke_agent");
  if (opening !== undefined)
    hearInput(
      draft,
      talkOfSpan(opening).input.filter(({ role }) => role === "user"),
    );
  const last = spans.findLast(isChat);
  for (const span of spans) {
    if (isChat(span)) addChat(draft, span, span === last);
    else if (isTool(span)) addTool(draft, span);
  }
  return draft;
}

function hearInput(draft: Draft, messages: readonly GenAiMessage[]): void {
  for (const message of messages) {
    for (const { id, text } of message.results) {
      if (id !== undefined && (!draft.called.has(id) || draft.answered.has(id))) continue;
      if (id === undefined && draft.heard.has(`tool\n${text}`)) continue;
      draft.heard.add(`tool\n${text}`);
      if (id !== undefined) draft.answered.add(id);
      draft.turns.push({ kind: "result", callId: id, text });
      draft.ledger.mapped("tool results in gen_ai.input.messages", "observations");
    }
    if (message.role === "assistant" || message.role === "tool" || message.text === "") continue;
    const key = `${message.role}\n${message.text}`;
    if (draft.heard.has(key)) continue;
    draft.heard.add(key);
    draft.turns.push({ kind: message.role === "user" ? "user" : "system", text: message.text });
    draft.ledger.mapped("gen_ai.input.messages", "question, prelude or observations");
  }
}

function addChat(draft: Draft, span: Span, isLast: boolean): void {
  const { system, input, output } = talkOfSpan(span);
  hearInput(
    draft,
    system.map((text) => ({
      role: "system",
      text,
      reasoning: "",
      calls: [],
      results: [],
      finish: undefined,
    })),
  );
  hearInput(draft, input);
  const [said] = output;
  const reasons = asList(span.attributes["gen_ai.response.finish_reasons"]);
  const finish = said?.finish ?? asText(reasons[0]);
  for (const call of said?.calls ?? []) if (call.id !== undefined) draft.called.add(call.id);
  if (said !== undefined) draft.ledger.mapped("gen_ai.output.messages", "thoughts and actions");
  draft.turns.push({
    kind: "agent",
    text: said?.text ?? "",
    reasoning: said?.reasoning ?? "",
    calls: said?.calls ?? [],
    ends: isLast && (finish === "stop" || finish === "end_turn") && said !== undefined,
    usage: usageOf(span, draft.ledger),
    extra: { span: keep(span), ...(output.length > 1 ? { otherChoices: output.slice(1) } : {}) },
  });
  draft.ledger.kept("attributes of spans", "extra of steps");
}

/** The call of a tool span is the model's own where the chat before tells it; else it is read off the span. */
function addTool(draft: Draft, span: Span): void {
  const { attributes } = span;
  const id = asText(attributes["gen_ai.tool.call.id"]);
  const result = attributes["gen_ai.tool.call.result"] ?? attributes["gen_ai.tool.message"];
  const failed = asText(attributes["error.type"]) ?? asText(asRecord(span.rest["status"])["message"]);
  const text = resultText(result) || (failed ?? "");
  const known = id === undefined ? isAsked(draft) : draft.called.has(id);
  draft.ledger.mapped("execute_tool spans", "actions and observations");
  if (!known) addCall(draft, span, id);
  if (text === "" || (id !== undefined && draft.answered.has(id))) return;
  if (id !== undefined) draft.answered.add(id);
  draft.heard.add(`tool\n${text}`);
  draft.turns.push({ kind: "result", callId: id, text, extra: { toolSpan: keep(span) } });
}

/** The last turn of the agent has a call that nothing answered yet. */
function isAsked({ turns }: Draft): boolean {
  const at = turns.findLastIndex((turn) => turn.kind === "agent");
  const agent = turns[at];
  return agent?.kind === "agent" && agent.calls.length > turns.length - 1 - at;
}

function addCall(draft: Draft, span: Span, id: string | undefined): void {
  const name =
    asText(span.attributes["gen_ai.tool.name"]) ?? (span.name.replace(/^execute_tool /, "") || "tool");
  const call: ToolCall = { id, name, args: span.attributes["gen_ai.tool.call.arguments"] };
  if (id !== undefined) draft.called.add(id);
  const before = draft.turns.at(-1);
  // The chat before said nothing that was recorded: this is what it called.
  if (before?.kind === "agent" && before.text === "" && before.calls.length === 0)
    draft.turns[draft.turns.length - 1] = { ...before, calls: [call], ends: false } satisfies AgentTurn;
  else
    draft.turns.push({ kind: "agent", text: "", reasoning: "", calls: [call], extra: { span: keep(span) } });
}

const VERDICTS: ReadonlyMap<string, Outcome> = new Map([
  ["correct", "correct"],
  ["pass", "correct"],
  ["incorrect", "wrong"],
  ["fail", "wrong"],
]);

/** What `gen_ai.evaluation.result` events say, the first of them that is a verdict. */
function outcomeOf(spans: readonly Span[], ledger: Ledger): Outcome {
  for (const { name, attributes } of spans.flatMap((span) => span.events)) {
    const label = asText(attributes["gen_ai.evaluation.score.label"]);
    const outcome =
      name === "gen_ai.evaluation.result" ? VERDICTS.get(label?.toLowerCase() ?? "") : undefined;
    if (outcome === undefined) continue;
    ledger.mapped("gen_ai.evaluation.result", "outcome");
    return outcome;
  }
  return "unjudged";
}

function describe(id: string, spans: readonly Span[], ledger: Ledger): Conversation {
  const { turns } = talk(spans, ledger);
  const others = spans.filter((span) => !isChat(span) && !isTool(span));
  ledger.kept("spans that are neither chats nor tools", "extra of the episode", others.length);
  const first = (key: string): string | undefined =>
    spans.map((span) => asText(span.attributes[key])).find((text) => text !== undefined);
  const evaluations = spans
    .flatMap((span) => span.events)
    .filter(({ name }) => name === "gen_ai.evaluation.result");
  const resource: JsonRecord = spans[0]?.resource ?? {};
  return {
    id,
    source: "otel",
    turns,
    outcome: outcomeOf(spans, ledger),
    settings: compact({
      model: first("gen_ai.response.model") ?? first("gen_ai.request.model"),
      agent: first("gen_ai.agent.name"),
    }),
    extra: compact({
      resource: Object.keys(resource).length === 0 ? undefined : resource,
      conversationId: first("gen_ai.conversation.id"),
      spans: others.length === 0 ? undefined : others.map(keep),
      evaluations: evaluations.length === 0 ? undefined : evaluations,
    }),
  };
}
