import type { Completion } from "../../../model/episode.ts";
import type { Usage } from "../../../model/usage.ts";
import { turnsOfMessages, usageOf } from "../chat-messages.ts";
import { amountOf, sumOfAmounts, tokensOf } from "../counts.ts";
import { type Ledger, openLedger } from "../ledger.ts";
import { asList, asRecord, asText, compact, isRecord, type JsonRecord, recordsOf } from "../records.ts";
import { type Said, sayAfter, saidTogether } from "../said.ts";
import { replyText, resultMessage, toolsText } from "../talk.ts";
import type { AgentTurn, Turn } from "../turn.ts";
import type { Owner, Spans } from "./spans.ts";

/** A question to the model and its answer. */
export interface ModelCall {
  readonly owner: Owner;
  /** Its place among the events. */
  readonly at: number;
  readonly message: JsonRecord;
  /** Messages that the model read, as far as the file has them. */
  readonly input: readonly JsonRecord[];
  readonly said: Said | undefined;
  readonly completion: Completion;
  readonly usage: Usage | undefined;
  readonly extra: Record<string, unknown> | undefined;
}

/** Messages of all prompts of one sample that are looked at: prompts that repeat a pool name its messages by range. */
const MOST_READ = 2_000_000;

/** One message as turns; what is mapped is said elsewhere. */
export const turnsOfMessage = (message: JsonRecord): readonly Turn[] =>
  turnsOfMessages([message], { ledger: openLedger(), ends: false }).turns;

const FINISHES: Readonly<Record<string, Completion["finish"]>> = {
  stop: "stop",
  tool_calls: "stop",
  max_tokens: "length",
  length: "length",
  model_length: "length",
};

function completionOf(turn: AgentTurn, stop: unknown): Completion {
  const finish = FINISHES[asText(stop) ?? "stop"] ?? "other";
  return { text: replyText(turn), ...(turn.reasoning === "" ? {} : { reasoning: turn.reasoning }), finish };
}

/** The calls of the model among a sample's events. `resolve` puts texts in the place of their names; `pool`: messages named by number. */
export function modelCallsOf(
  events: readonly JsonRecord[],
  {
    spans,
    resolve,
    pool,
    ledger,
  }: {
    readonly spans: Spans;
    readonly resolve: (value: unknown) => unknown;
    readonly pool: readonly unknown[];
    readonly ledger: Ledger;
  },
): readonly ModelCall[] {
  const prompts = promptBook(resolve);
  const pooled = new Map<number, JsonRecord | undefined>();
  let left = MOST_READ;

  function fromPool(at: number): JsonRecord | undefined {
    if (!pooled.has(at)) {
      const message = resolve(pool[at]);
      pooled.set(at, isRecord(message) ? message : undefined);
    }
    return pooled.get(at);
  }
  /** Undefined where not all of it is there. */
  function inputOf(event: JsonRecord): readonly JsonRecord[] | undefined {
    const refs = event["input_refs"];
    if (!Array.isArray(refs)) {
      const given = asList(event["input"]);
      left -= given.length;
      return left < 0 || given.length === 0 ? undefined : recordsOf(given.map(resolve));
    }
    const messages: JsonRecord[] = [];
    for (const ref of refs) {
      const [from, to] = asList(ref);
      if (typeof from !== "number" || typeof to !== "number" || from < 0 || to > pool.length)
        return undefined;
      left -= Math.max(0, to - from);
      if (left < 0) return undefined;
      for (let at = from; at < to; at++) {
        const message = fromPool(at);
        if (message === undefined) return undefined;
        messages.push(message);
      }
    }
    return messages;
  }

  const calls = events.flatMap((event, at): readonly ModelCall[] => {
    if (event["event"] !== "model") return [];
    const output = asRecord(event["output"]);
    const [choice] = recordsOf(output["choices"]);
    const message = asRecord(resolve(choice?.["message"]));
    const turn = turnsOfMessage({ role: "assistant", ...message }).find(({ kind }) => kind === "agent");
    if (choice === undefined || turn?.kind !== "agent" || asText(event["error"]) !== undefined) return [];
    const input = inputOf(event);
    const seconds = amountOf(output, ["time"], ledger);
    const latencyMs = seconds === undefined ? undefined : sumOfAmounts([Math.round(seconds * 1000)]);
    return [
      {
        owner: spans.ownerOf(event),
        at,
        message,
        input: input ?? [],
        said: input === undefined ? undefined : prompts(input, asList(event["tools"])),
        completion: completionOf(turn, choice["stop_reason"]),
        usage: usageWithCache(output["usage"], ledger, latencyMs),
        extra: compact({ timestamp: asText(event["timestamp"]), model: asText(event["model"]) }),
      },
    ];
  });
  if (left < 0) ledger.dropped("prompts", "the sample's events repeat more messages than are looked at");
  return calls;
}

/** Inspect counts what a cache held apart from the other tokens. */
export function usageWithCache(value: unknown, ledger: Ledger, latencyMs?: number): Usage | undefined {
  const given = asRecord(value);
  const parts = ["input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"].flatMap(
    (key) => tokensOf(given, [key], ledger) ?? [],
  );
  const cached = tokensOf(given, ["input_tokens_cache_read"], ledger) ?? 0;
  const all = {
    ...given,
    ...(parts.length > 0 && { input_tokens: sumOfAmounts(parts) }),
    ...(cached > 0 && { cached_input_tokens: cached }),
  };
  return usageOf(all, ledger, { latencyMs });
}

/** Puts prompts together, so that those that go on from each other share what is the same. */
function promptBook(
  resolve: (value: unknown) => unknown,
): (input: readonly JsonRecord[], tools: readonly unknown[]) => Said | undefined {
  const roots = new Map<string, { readonly text: string; readonly next: Map<unknown, Said> }>();
  const after = new Map<Said, Map<unknown, Said>>();

  function nextOf(said: Said | undefined, root: Map<unknown, Said>): Map<unknown, Said> {
    if (said === undefined) return root;
    const next = after.get(said) ?? new Map<unknown, Said>();
    after.set(said, next);
    return next;
  }
  return (input, tools) => {
    const named = JSON.stringify(tools);
    const root = roots.get(named) ?? { text: toolsText(asList(resolve(tools))), next: new Map() };
    roots.set(named, root);
    let said: Said | undefined;
    for (const message of input) {
      const next = nextOf(said, root.next);
      const known = next.get(keyOf(message));
      said = known ?? sayMessage(said, message, root.text);
      if (known === undefined && said !== undefined) next.set(keyOf(message), said);
    }
    return said;
  };
}

/** Messages of a pool are the same objects each time; others may have an id, and else are themselves. */
const keyOf = (message: JsonRecord): unknown => asText(message["id"]) ?? message;

/** The tools stand at the end of the first message, where that is the system's; else in one of their own. */
function sayMessage(before: Said | undefined, message: JsonRecord, tools: string): Said | undefined {
  const isFirst = before === undefined;
  const withTools = (text: string): string => [text, tools].filter((part) => part !== "").join("\n\n");
  let said = before;
  if (isFirst && message["role"] !== "system" && tools !== "") said = sayAfter(undefined, "system", tools);
  for (const turn of turnsOfMessage(message)) {
    if (turn.kind === "agent") said = sayAfter(said, "assistant", replyText(turn));
    else if (turn.kind === "result") said = saidTogether(said, "user", resultMessage(turn.text));
    else if (turn.kind === "user") said = saidTogether(said, "user", turn.text);
    else said = sayAfter(said, "system", isFirst ? withTools(turn.text) : turn.text);
  }
  return said;
}
