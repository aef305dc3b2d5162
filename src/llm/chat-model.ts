import type { Usage } from "../model/usage.ts";

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What a model is asked. Equal requests to equal models may be answered from the cache. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly temperature: number;
  /** The longest reply, in tokens. */
  readonly maxTokens: number;
  readonly topP?: number;
  readonly seed?: number;
  /** The reply ends before the first of these texts; four at most. */
  readonly stop?: readonly string[];
  /** JSON schema that the reply keeps to, where the endpoint can hold a model to one. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Tells apart requests that are meant to be sampled again, such as the samples of one question. */
  readonly sample?: number;
}

export interface ChatReply {
  readonly text: string;
  /** Thoughts of a reasoning model, which are no part of the text. */
  readonly reasoning?: string;
  /** Tokens, US dollars where the price is known, milliseconds. A reply from the cache costs nothing. */
  readonly usage: Usage;
  /** What the endpoint says it answered with, e.g. a dated model. */
  readonly model: string;
  /** `length`: cut off at `maxTokens`. */
  readonly finish: "stop" | "length" | "other";
  readonly cached: boolean;
}

export const MODEL_FAILURES = [
  "unauthorised",
  "refused_request",
  "context_overflow",
  "rate_limited",
  "server_error",
  "connection",
  "timeout",
  "empty_reply",
  "malformed_reply",
  "budget",
] as const;

/** Why a model gave no reply. Each is a stop reason of its own, `model_<kind>`. */
export type ModelFailure = (typeof MODEL_FAILURES)[number];

/**
 * The model gave no usable reply, after all tries that its client makes. `next` is what a person can do. `usage` is what
 * the last try was charged, where the endpoint said so. Holds no key.
 */
export class ModelError extends Error {
  readonly kind: ModelFailure;
  readonly next: string | undefined;
  readonly usage: Usage | undefined;
  /** Thoughts that came to no reply. */
  readonly reasoning: string | undefined;
  constructor(kind: ModelFailure, message: string, next?: string, usage?: Usage, reasoning?: string) {
    super(message);
    this.name = "ModelError";
    this.kind = kind;
    this.next = next;
    this.usage = usage;
    this.reasoning = reasoning;
  }
}

export interface ChatOptions {
  /** Aborts the call; the promise then rejects with the signal's reason, never with ModelError. */
  readonly signal?: AbortSignal;
  /** Pieces of the reply as they arrive, where the model streams. */
  readonly onText?: (piece: string) => void;
  /** What `onText` brought so far is void: the connection was lost and the reply begins again. */
  readonly onRestart?: () => void;
}

/** A policy's or a teacher's model, wherever it runs. Retries and waiting happen inside; calls may overlap. */
export interface ChatModel {
  /** What it is, for people, files and cache keys: `gpt-4o-2024-11-20 at https://api.openai.com`. */
  readonly id: string;
  /** Rejects with ModelError. */
  chat(request: ChatRequest, options?: ChatOptions): Promise<ChatReply>;
}
