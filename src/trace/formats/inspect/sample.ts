import type { Outcome } from "../../../model/episode.ts";
import { MAX_LINE_BYTES } from "../../text-lines.ts";
import { type AgentMessage, turnsOfMessages } from "../chat-messages.ts";
import { type Conversation, episodeOf } from "../conversation.ts";
import { sumOfAmounts, tokensOf } from "../counts.ts";
import { type FormatResult, type ReaderOptions, refuse } from "../format-reader.ts";
import { type Ledger, openLedger } from "../ledger.ts";
import { unreadableMessages } from "../chat-messages.ts";
import {
  asList,
  asName,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "../records.ts";
import type { ReadEpisode, Turn } from "../turn.ts";
import type { InspectHeader } from "./header.ts";
import { type ModelCall, modelCallsOf, usageWithCache } from "./model-calls.ts";
import { type Resolve, resolver } from "./resolver.ts";
import { keepSample } from "./sample-extra.ts";
import { type Spans, spansOf } from "./spans.ts";
import { promptsFor, submittedIn, toldByCall, withSubAgents } from "./sub-agents.ts";

/** `C` and 1 are right, `I`, `N` and 0 are wrong; partial credit is no verdict. */
function verdictOf(value: unknown): Outcome | undefined {
  if (value === "C" || value === 1 || value === true) return "correct";
  if (value === "I" || value === "N" || value === 0 || value === false) return "wrong";
  return undefined;
}

function outcomeOf(sample: JsonRecord, ledger: Ledger): Outcome {
  const scores = Object.values(asRecord(sample["scores"])).map(asRecord);
  const single = isRecord(sample["score"]) ? [sample["score"]] : [];
  for (const score of [...scores, ...single]) {
    const outcome = verdictOf(score["value"]);
    if (outcome === undefined) continue;
    ledger.mapped("samples[].scores", "outcome, and extra");
    return outcome;
  }
  return sample["error"] !== undefined && sample["error"] !== null ? "halted" : "unjudged";
}

/** The task as the sample gives it: a text, or the first words of the user in a list of messages. */
function inputText(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  const { turns } = turnsOfMessages(asList(input), { ledger: openLedger(), ends: false });
  return turns.find((turn) => turn.kind === "user")?.text;
}

function targetOf(target: unknown): string[] | undefined {
  const list = (Array.isArray(target) ? target : [target]).filter((text) => typeof text === "string");
  return list.some((text) => text.trim() !== "") ? list : undefined;
}

/** How the last model call ended, where it did not just stop. */
function stopOf(sample: JsonRecord): string | undefined {
  const [choice] = recordsOf(asRecord(sample["output"])["choices"]);
  return asText(choice?.["stop_reason"]);
}

function eventsOf(sample: JsonRecord): readonly JsonRecord[] {
  return recordsOf(sample["events"] ?? asRecord(sample["transcript"])["events"]);
}

/** What is known of a sample before its messages are read. */
interface Sample {
  readonly id: string;
  readonly value: JsonRecord;
  readonly header: InspectHeader;
  readonly resolve: Resolve;
  readonly events: readonly JsonRecord[];
  readonly spans: Spans;
  readonly calls: readonly ModelCall[];
  readonly limited: boolean;
  readonly stop: string | undefined;
}

function openSample(value: JsonRecord, header: InspectHeader, ledger: Ledger): Sample {
  const resolve = resolver(value, MAX_LINE_BYTES / 4, ledger);
  const events = eventsOf(value);
  const spans = spansOf(events);
  // Each message of a prompt is stored once, however many prompts it is in.
  const pooled = resolver(value, MAX_LINE_BYTES, ledger);
  const pool = asList(asRecord(value["events_data"])["messages"]);
  return {
    id: `${asName(value["id"]) || "sample"}_epoch_${asName(value["epoch"]) || "1"}`,
    value,
    header,
    resolve,
    events,
    spans,
    calls: modelCallsOf(events, { spans, resolve: pooled, pool, ledger }),
    limited: value["limit"] !== undefined && value["limit"] !== null,
    stop: stopOf(value),
  };
}

/** The episodes of one sample: its own, and those of agents that were called in it. */
export function sampleResult(
  value: unknown,
  header: InspectHeader,
  line: number,
  { ledger }: ReaderOptions,
): FormatResult {
  if (!isRecord(value)) return refuse(line, "a sample of the log is no object.", "Check the log.");
  const sample = openSample(value, header, ledger);
  const messages = asList(sample.resolve(value["messages"]));
  const { turns, unreadable } = mainTurns(messages, sample, ledger);
  const repaired = withAgent(turns);
  if (repaired.length === 0) {
    const why = asText(asRecord(value["error"])["message"])?.slice(0, 200);
    const ended = why === undefined ? "" : ` It ended with the error: ${why}.`;
    return refuse(
      line,
      `the sample ${sample.id} has no messages, so it has no step.${ended}`,
      "Check the log.",
    );
  }
  const conversation = describe(sample, repaired, ledger);
  const main = episodeOf(conversation);
  const episodes = withAgents(main, conversation, sample, ledger);
  return { episodes, problems: unreadable.length === 0 ? [] : [unreadableMessages(line, unreadable)] };
}

function withAgents(
  main: ReadEpisode,
  { settings }: Conversation,
  { spans, calls, events, resolve, header }: Sample,
  ledger: Ledger,
): readonly ReadEpisode[] {
  const others = calls.filter(({ owner }) => owner.kind === "other").length;
  ledger.dropped("model calls of scorers and tools", "they are no steps of an agent", others);
  if (spans.agents.length === 0) return [main];
  const all = withSubAgents(
    main,
    { settings, extra: { eval: header.evaluation } },
    { events, calls, spans, resolve },
  );
  ledger.mapped("spans of agents that another one called", "episodes of their own", all.length - 1);
  return all;
}

/** The key under which an agent's turn bears the place of its model call until that is put into it. */
const MARK = "modelCall";

/** What the log tells of the agent's nth message: its model call, by the message's id, else by its place. */
function callFinder(calls: readonly ModelCall[]): (message: JsonRecord, nth: number) => number {
  const byId = new Map<string, number>();
  calls.forEach(({ message }, at) => {
    const id = asText(message["id"]);
    if (id !== undefined) byId.set(id, at);
  });
  const own = calls.flatMap(({ owner }, at) => (owner.kind === "main" ? [at] : []));
  return (message, nth) => byId.get(asText(message["id"]) ?? "") ?? (byId.size === 0 ? (own[nth] ?? -1) : -1);
}

/** The messages of the sample as turns of its own agent; what agents said that took over for a while is what it was told. */
function mainTurns(
  messages: readonly unknown[],
  { calls, limited, stop }: Sample,
  ledger: Ledger,
): { readonly turns: readonly Turn[]; readonly unreadable: readonly number[] } {
  const find = callFinder(calls);
  const own = calls.filter(({ owner }) => owner.kind === "main");
  const prompts = promptsFor(own);
  const hasEnded = stop === undefined || stop === "stop" || submittedIn(own.at(-1)?.message) !== undefined;
  const ends = hasEnded && !limited;
  const ofAgent = (message: JsonRecord, nth: number): AgentMessage => {
    const at = find(message, nth);
    return at === -1 ? {} : { usage: calls[at]?.usage, extra: { [MARK]: at } };
  };
  const { turns, unreadable } = turnsOfMessages(messages, { ledger, ends, ofAgent });
  const told = turns.map((turn): Turn => {
    if (turn.kind !== "agent") return turn;
    const { [MARK]: at, ...extra } = turn.extra ?? {};
    const call = typeof at === "number" ? calls[at] : undefined;
    if (call === undefined) return turn;
    if (call.owner.kind === "agent" && turn.calls.length === 0) return { kind: "system", text: turn.text };
    return { ...turn, ...toldByCall(call, prompts.get(call)), extra: compact({ ...call.extra, ...extra }) };
  });
  return { turns: told, unreadable };
}

/** Results without the message that called for them still are what happened: each gets a call by the name it tells. */
function withAgent(turns: readonly Turn[]): readonly Turn[] {
  if (turns.some((turn) => turn.kind === "agent")) return turns;
  return turns.flatMap((turn): readonly Turn[] => {
    if (turn.kind !== "result") return [turn];
    const name = asText(asRecord(turn.extra?.["result"])["function"]) ?? "";
    const call = { id: turn.callId, name, args: undefined };
    return [{ kind: "agent", text: "", reasoning: "", calls: [call] }, turn];
  });
}

function describe(sample: Sample, turns: readonly Turn[], ledger: Ledger): Conversation {
  const { value, header, events, resolve, calls, spans } = sample;
  const outcome = outcomeOf(value, ledger);
  const gold = targetOf(value["target"]);
  if (gold !== undefined) ledger.mapped("samples[].target", "gold");
  ledger.mapped("eval.model, eval.task", "settings");
  if ("output" in value) ledger.dropped("samples[].output", "it repeats the last message");
  return {
    id: sample.id,
    source: "inspect",
    turns,
    question: inputText(resolve(value["input"])),
    outcome,
    answer: submittedIn(calls.findLast(({ owner }) => owner.kind === "main")?.message),
    gold,
    // Without events nothing tells which tools the model was offered.
    ...(calls.length === 0 && { prompts: "transcript" as const }),
    ...(sample.limited || outcome === "halted" ? { stopReason: "halted" } : {}),
    maxSteps: undefined,
    settings: compact({ model: asText(header.evaluation["model"]), task: asText(header.evaluation["task"]) }),
    // Called agents count for themselves.
    cost: spans.agents.length === 0 ? costOf(value, ledger) : undefined,
    extra: compact({
      ...keepSample(without(value, []), events, ledger),
      eval: header.evaluation,
      plan: header.plan,
      stopReason: sample.stop,
    }),
  };
}

function costOf(value: JsonRecord, ledger: Ledger): Conversation["cost"] {
  const usages = Object.values(asRecord(value["model_usage"])).map(asRecord);
  if (usages.length === 0) return usageWithCache(asRecord(value["output"])["usage"], ledger);
  const sum = (key: string): number =>
    sumOfAmounts(usages.map((usage) => tokensOf(usage, [key], ledger) ?? 0));
  return usageWithCache(
    {
      input_tokens: sum("input_tokens"),
      input_tokens_cache_read: sum("input_tokens_cache_read"),
      input_tokens_cache_write: sum("input_tokens_cache_write"),
      output_tokens: sum("output_tokens"),
    },
    ledger,
  );
}
