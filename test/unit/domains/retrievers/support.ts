import { afterEach } from "vitest";
import {
  WIRE_LIMITS,
  type Wire,
  type WireLimits,
} from "../../../../src/domains/passages/retrievers/exchange.ts";
import {
  RetrieverError,
  type RetrieverFailure,
} from "../../../../src/domains/passages/retrievers/retriever.ts";
import { createRedactor } from "../../../../src/llm/redact.ts";
import { httpClient } from "../../../../src/platform/http-fetch.ts";
import type { AddressRule } from "../../../../src/platform/public-address.ts";
import { systemTiming } from "../../../../src/platform/timing.ts";
import {
  loopbackRetriever,
  type LoopbackRetriever,
  type LoopbackRetrieverOptions,
  type Misbehaviour,
} from "../../../support/loopback-retriever.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A server that is closed after the test; the n-th call misbehaves as the n-th of `ways` says. */
export async function server(
  ways: readonly Misbehaviour[] = [],
  options: LoopbackRetrieverOptions = {},
): Promise<LoopbackRetriever> {
  const started = await loopbackRetriever({ misbehave: ({ index }) => ways[index], ...options });
  cleanups.push(() => started.close());
  return started;
}

/** Every call misbehaves in this way. */
export const always = (way: Misbehaviour): LoopbackRetrieverOptions => ({ misbehave: () => way });

export interface TestWire extends Wire {
  /** Milliseconds that were waited between tries. */
  readonly waits: readonly number[];
}

/** The real network side, on which waits between tries are noted and cost nothing. */
export function wire(limits: Partial<WireLimits> = {}, allow?: AddressRule): TestWire {
  const client = httpClient(allow === undefined ? {} : { allow });
  cleanups.push(() => client.close());
  const waits: number[] = [];
  const timing = {
    ...systemTiming,
    random: () => 0.5,
    sleep: async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      waits.push(ms);
    },
  };
  return {
    send: client.send,
    timing,
    redactor: createRedactor(),
    limits: { ...WIRE_LIMITS, ...limits },
    waits,
  };
}

/** What a call failed with. */
export async function failureOf(
  call: Promise<unknown>,
): Promise<{ readonly kind: RetrieverFailure; readonly message: string; readonly brief: string }> {
  const error: unknown = await call.then(
    (value) => new Error(`It did not fail: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof RetrieverError) return error;
  throw error;
}
