import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ChatRequest } from "./chat-model.ts";

/** How an endpoint wants to be asked. Begins with what most know; what it refuses is left out from then on. */
export interface Dialect {
  /** Whether it counts tokens in a stream when asked to. */
  readonly countsInStream: boolean;
  readonly lengthField: "max_tokens" | "max_completion_tokens";
  /** Whether it takes stop sequences. OpenAI's reasoning models refuse them; other servers end thoughts at them. */
  readonly takesStop: boolean;
  /** Whether it can hold a reply to a JSON schema. */
  readonly takesSchema: boolean;
}

export const FIRST_DIALECT: Dialect = {
  countsInStream: true,
  lengthField: "max_tokens",
  takesStop: true,
  takesSchema: true,
};

/** The most stop sequences that OpenAI's endpoint takes; others follow it. */
const MOST_STOPS = 4;

/** Chats that overlap may each have learned something else. */
export function bothLearned(a: Dialect, b: Dialect): Dialect {
  return {
    countsInStream: a.countsInStream && b.countsInStream,
    lengthField: a.lengthField === "max_tokens" ? b.lengthField : a.lengthField,
    takesStop: a.takesStop && b.takesStop,
    takesSchema: a.takesSchema && b.takesSchema,
  };
}

/** The dialect to ask again in after a refusal; undefined where the refusal is about something else. */
export function otherDialect(
  { status, detail, param }: { readonly status: number; readonly detail: string; readonly param?: string },
  dialect: Dialect,
  request: ChatRequest,
): Dialect | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const names = (field: RegExp): boolean => field.test(param ?? "") || field.test(detail);
  if (dialect.countsInStream && names(/stream_options/)) return { ...dialect, countsInStream: false };
  // OpenAI's reasoning models name the field they want instead.
  if (dialect.lengthField === "max_tokens" && names(/max_completion_tokens/))
    return { ...dialect, lengthField: "max_completion_tokens" };
  if (dialect.takesSchema && request.schema !== undefined && names(/response_format|json_?schema|grammar/i))
    return { ...dialect, takesSchema: false };
  const hasStop = stopsOf(request).length > 0;
  return dialect.takesStop && hasStop && names(/\bstop\b/) ? { ...dialect, takesStop: false } : undefined;
}

/** The stop sequences that are sent. */
function stopsOf({ stop = [] }: ChatRequest): string[] {
  return stop.filter((text) => text !== "").slice(0, MOST_STOPS);
}

/** @param model the model's name at its endpoint. */
export function bodyOf(
  model: string,
  request: ChatRequest,
  dialect: Dialect,
): ChatCompletionCreateParamsStreaming {
  const stop = dialect.takesStop ? stopsOf(request) : [];
  const schema = dialect.takesSchema ? request.schema : undefined;
  return {
    model,
    // Some servers refuse the half of a character that a cut may leave.
    messages: request.messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
    temperature: request.temperature,
    [dialect.lengthField]: request.maxTokens,
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(schema === undefined ? {} : { response_format: formatOf(schema) }),
    stream: true,
    ...(dialect.countsInStream ? { stream_options: { include_usage: true } } : {}),
  };
}

function formatOf(schema: Readonly<Record<string, unknown>>) {
  return { type: "json_schema" as const, json_schema: { name: "reply", schema, strict: true } };
}
