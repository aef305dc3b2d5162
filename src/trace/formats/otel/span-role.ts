import { NAMES } from "./attribute-names.ts";
import { resultText } from "./parts.ts";
import { failureOf, type Span, textAt, valueAt } from "./span.ts";
import type { Notes } from "./notes.ts";

/** `lookup`: the host looks something up for the agent, or stores it: a memory operation or a retrieval. */
export type SpanRole = "chat" | "tool" | "agent" | "lookup" | "other";

const OPERATIONS: ReadonlyMap<string, SpanRole> = new Map<string, SpanRole>([
  ["chat", "chat"],
  ["text_completion", "chat"],
  ["generate_content", "chat"],
  ["execute_tool", "tool"],
  ["invoke_agent", "agent"],
  ["invoke_workflow", "agent"],
  ["retrieval", "lookup"],
  ["search_memory", "lookup"],
  ["create_memory", "lookup"],
  ["update_memory", "lookup"],
  ["upsert_memory", "lookup"],
  ["delete_memory", "lookup"],
  ["create_memory_store", "lookup"],
  ["delete_memory_store", "lookup"],
  ["create_agent", "other"],
  ["embeddings", "other"],
  ["plan", "other"],
  // Of Vercel and of VS Code.
  ["agent_step", "other"],
  ["rerank", "other"],
  ["execute_hook", "other"],
  ["content_event", "other"],
]);

/** The operations of Vercel's AI SDK: what calls a model, and what goes on until the model is done. */
const VERCEL: ReadonlyMap<string, SpanRole> = new Map<string, SpanRole>([
  ["ai.generateText", "agent"],
  ["ai.streamText", "agent"],
  ["ai.generateObject", "agent"],
  ["ai.streamObject", "agent"],
  ["ai.generateText.doGenerate", "chat"],
  ["ai.streamText.doStream", "chat"],
  ["ai.generateObject.doGenerate", "chat"],
  ["ai.streamObject.doStream", "chat"],
  ["ai.toolCall", "tool"],
]);

/** Kinds that OpenInference, Langfuse and OpenLLMetry (Traceloop) give their spans. */
const KINDS: ReadonlyMap<string, SpanRole> = new Map<string, SpanRole>([
  ["llm", "chat"],
  ["generation", "chat"],
  ["tool", "tool"],
  ["agent", "agent"],
  ["workflow", "agent"],
  ["retriever", "lookup"],
]);

/** What a span is, by the conventions of those who write it. An operation that nobody knows is noted. */
export function roleOf(span: Span, { ledger }: Pick<Notes, "ledger">): SpanRole {
  const operation = textAt(span, "gen_ai.operation.name");
  if (operation !== undefined) {
    const role = OPERATIONS.get(operation);
    if (role !== undefined) return role;
    // A provider may name its operation itself.
    if (valueAt(span, "gen_ai.output.messages", "gen_ai.input.messages") !== undefined) return "chat";
    if (!operation.startsWith("ai."))
      ledger.unknown(`gen_ai.operation.name ${JSON.stringify(operation.slice(0, 60))}`);
    return "other";
  }
  const vercel = textAt(span, "ai.operationId");
  if (vercel !== undefined) return VERCEL.get(vercel) ?? "other";
  const kind = textAt(span, ...NAMES.spanKind);
  if (kind !== undefined) return KINDS.get(kind.toLowerCase()) ?? "other";
  const request = textAt(span, "llm.request.type");
  if (request !== undefined) return request === "chat" || request === "completion" ? "chat" : "other";
  if (span.name.startsWith("execute_tool ")) return "tool";
  if (/^invoke_agent(?: |$)/.test(span.name)) return "agent";
  return textAt(span, "gen_ai.request.model") === undefined ? "other" : "chat";
}

export interface ToolSpan {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: unknown;
  readonly result: string;
  readonly failed: boolean;
}

const TOOL_PREFIX = /^execute_tool |^ai\.toolCall$/;

/** The call that a tool span, or a lookup, tells. */
export function toolOf(span: Span, role: SpanRole): ToolSpan {
  if (role === "lookup") return lookupOf(span);
  const failure = failureOf(span);
  const told = span.events.find(({ name }) => name === "gen_ai.tool.message");
  const result = valueAt(span, ...NAMES.toolResult) ?? told?.attributes["content"];
  return {
    id: textAt(span, ...NAMES.toolId)?.trim(),
    name: textAt(span, ...NAMES.toolName) ?? (span.name.replace(TOOL_PREFIX, "") || "tool"),
    args: valueAt(span, ...NAMES.toolArguments),
    result: resultText(result) || (failure ?? ""),
    failed: failure !== undefined,
  };
}

/** A memory operation or a retrieval: what was asked, and what came back. */
function lookupOf(span: Span): ToolSpan {
  const name = textAt(span, "gen_ai.operation.name") ?? "retrieval";
  const records = valueAt(span, "gen_ai.memory.records");
  const failure = failureOf(span);
  const isStored = /^(?:create|update|upsert|delete)_/.test(name);
  const args = valueAt(span, ...NAMES.query) ?? (isStored ? records : undefined);
  const found = valueAt(span, ...NAMES.documents) ?? (isStored ? undefined : records);
  return {
    id: undefined,
    name,
    args: args ?? valueAt(span, ...NAMES.store),
    result: resultText(found) || (failure ?? ""),
    failed: failure !== undefined,
  };
}

/** What an agent is called, where its span says so. */
export function agentName(span: Span): string | undefined {
  const named = textAt(span, ...NAMES.agent);
  return named ?? /^invoke_(?:agent|workflow) (.+)$/.exec(span.name)?.[1];
}

/** The conversation that a span says it is part of. */
export const conversationOf = (span: Span): string | undefined => textAt(span, ...NAMES.conversation);
