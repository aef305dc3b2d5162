import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ModelError, type ChatModel, type ChatReply, type ChatRequest } from "../../../src/llm/chat-model.ts";
import { parseModelSpec, type Endpoint } from "../../../src/llm/endpoint.ts";
import type { KeyStore } from "../../../src/llm/keys.ts";
import { openAiModel, type CallLimits } from "../../../src/llm/openai-model.ts";
import type { Price } from "../../../src/llm/price.ts";
import { createRedactor } from "../../../src/llm/redact.ts";
import type { Timing } from "../../../src/llm/timing.ts";
import { httpClient } from "../../../src/platform/http-fetch.ts";
import { systemTiming } from "../../../src/platform/timing.ts";
import {
  loopbackModel,
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
  type LoopbackOptions,
} from "../../support/loopback-model.ts";

export const KEY = "sk-test-4f9a8b7c6d5e4f3a2b1c";

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hasp-llm-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function ask(content = "Who founded Walmart?", more: Partial<ChatRequest> = {}): ChatRequest {
  return { messages: [{ role: "user", content }], temperature: 0, maxTokens: 100, ...more };
}

export function reply(text: string, more: Partial<ChatReply> = {}): ChatReply {
  const usage = { inputTokens: 10, outputTokens: 5, cost: 0.25, latencyMs: 7 };
  return { text, usage, model: "m", finish: "stop", cached: false, ...more };
}

/** Time as it is, except that waits between tries are noted and cost nothing. Chance is always a half. */
export function impatient(): Timing & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    ...systemTiming,
    waits,
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
    },
  };
}

export function keyStore(keys: Readonly<Record<string, string>>): KeyStore {
  return { keyFor: async (origin) => keys[origin], howToGive: (origin) => `Give the key of ${origin}.` };
}

export function endpointAt(spec: string): Endpoint {
  const { value } = parseModelSpec(spec);
  if (value?.kind !== "endpoint") throw new Error(`No endpoint: ${spec}`);
  return value.endpoint;
}

export interface Bench {
  readonly server: LoopbackModel;
  readonly model: ChatModel;
  readonly waits: readonly number[];
}

export interface BenchOptions extends LoopbackOptions {
  readonly limits?: Partial<CallLimits>;
  readonly price?: Price;
  readonly key?: string;
}

/** A model over a server on this machine; both are gone after the test. */
export async function bench(
  behave: readonly Behaviour[] | ((call: LoopbackCall) => Behaviour),
  options: BenchOptions = {},
): Promise<Bench> {
  const server = await loopbackModel(behave, options);
  const client = httpClient();
  onTestFinished(async () => {
    client.close();
    await server.close();
  });
  const timing = impatient();
  const { price, limits, key = KEY } = options;
  const model = openAiModel({
    endpoint: endpointAt(`${server.url}#walmart-8b`),
    keys: keyStore({ [server.origin]: key }),
    post: client.post,
    timing,
    redactor: createRedactor(),
    ...(price === undefined ? {} : { price }),
    ...(limits === undefined ? {} : { limits }),
  });
  return { server, model, waits: timing.waits };
}

export async function failure(call: Promise<unknown>): Promise<ModelError> {
  const error = await call.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (error instanceof ModelError) return error;
  throw error instanceof Error ? error : new Error("It did not fail as a model", { cause: error });
}
