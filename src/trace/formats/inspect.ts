import type { Outcome } from "../../model/episode.ts";
import { type AgentMessage, turnsOfMessages, unreadableMessages, usageOf } from "./chat-messages.ts";
import { type Conversation, episodeOf } from "./conversation.ts";
import type { Turn } from "./turn.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import { amountOf, sumOfAmounts, tokensOf } from "./counts.ts";
import type { Ledger } from "./ledger.ts";
import { MAX_LINE_BYTES } from "../text-lines.ts";
import {
  asList,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
  asName,
} from "./records.ts";

/** An Inspect log as one JSON document: `eval` beside `status` or `samples`. */
export function isInspectLog(value: unknown): boolean {
  return (
    isRecord(value) && isRecord(value["eval"]) && ("status" in value || "samples" in value || "plan" in value)
  );
}

const SAMPLE_MAPPED = ["id", "epoch", "input", "target", "messages", "scores", "score", "model_usage"];
/** What repeats the messages, or is the run's own bookkeeping of them. */
const SAMPLE_DROPPED = ["output", "attachments", "events", "transcript", "events_data"];
const EVENTS_DROPPED = new Set([
  "model",
  "tool",
  "state",
  "store",
  "step",
  "span_begin",
  "span_end",
  "sample_init",
]);

/** Characters that the texts of one sample may have together: an episode holds a text up to four times, and a line has its limit. */
const MAX_RESOLVED = MAX_LINE_BYTES / 4;

/**
 * Long texts of a sample stand once, under a hash, and are named where they belong. One that is named so often that no line could hold it all
 * stays a name.
 */
function resolver(sample: JsonRecord, ledger: Ledger): (value: unknown) => unknown {
  const texts = {
    ...asRecord(asRecord(sample["transcript"])["content"]),
    ...asRecord(sample["attachments"]),
  };
  let left = MAX_RESOLVED;
  const resolve = (value: unknown): unknown => {
    if (typeof value === "string") {
      const hash = /^(?:attachment|tc):\/\/([0-9a-f]+)$/.exec(value)?.[1];
      const text = hash === undefined ? undefined : texts[hash];
      if (typeof text !== "string") return value;
      left -= text.length;
      if (left < 0) {
        ledger.dropped("attachments", "the episode would be too long; their names stand in their place");
        return value;
      }
      return text;
    }
    if (Array.isArray(value)) return value.map(resolve);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return Object.keys(texts).length === 0 ? (value) => value : resolve;
}

function eventsOf(sample: JsonRecord): readonly JsonRecord[] {
  return recordsOf(sample["events"] ?? asRecord(sample["transcript"])["events"]);
}

/** What the log tells of the agent's nth message: the event of its model call, by the message's id, else by its place. */
function modelCalls(
  events: readonly JsonRecord[],
  ledger: Ledger,
): (message: JsonRecord, nth: number) => AgentMessage {
  const calls = events.filter((event) => event["event"] === "model");
  const byId = new Map<unknown, JsonRecord>();
  for (const call of calls) {
    const [choice] = recordsOf(asRecord(call["output"])["choices"]);
    const id = asText(asRecord(choice?.["message"])["id"]);
    if (id !== undefined) byId.set(id, call);
  }
  return (message, nth) => {
    const call = byId.get(message["id"]) ?? (byId.size === 0 ? calls[nth] : undefined);
    if (call === undefined) return {};
    const output = asRecord(call["output"]);
    const seconds = amountOf(output, ["time"], ledger);
    const latencyMs = seconds === undefined ? undefined : sumOfAmounts([Math.round(seconds * 1000)]);
    const usage = usageOf(output["usage"], ledger, { latencyMs });
    return { usage, extra: compact({ timestamp: asText(call["timestamp"]), model: asText(call["model"]) }) };
  };
}

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
  const { turns } = turnsOfMessages(asList(input), { ledger: QUIET, ends: false });
  return turns.find((turn) => turn.kind === "user")?.text;
}

const QUIET: Ledger = {
  mapped: () => undefined,
  kept: () => undefined,
  dropped: () => undefined,
  unknown: () => undefined,
  wrongNumber: () => undefined,
  takeWrongNumbers: () => [],
  list: () => ({ mapped: [], kept: [], dropped: [], unknown: [] }),
};

function targetOf(target: unknown): string[] | undefined {
  const list = (Array.isArray(target) ? target : [target]).filter((text) => typeof text === "string");
  return list.some((text) => text.trim() !== "") ? list : undefined;
}

function keepSample(sample: JsonRecord, events: readonly JsonRecord[], ledger: Ledger): JsonRecord {
  const rest = Object.fromEntries(
    Object.entries(without(sample, [...SAMPLE_MAPPED, ...SAMPLE_DROPPED])).filter(
      ([, value]) =>
        (value !== null && Object.keys(Object(value)).length > 0) ||
        typeof value === "number" ||
        typeof value === "boolean",
    ),
  );
  for (const key of Object.keys(rest)) ledger.kept(`samples[].${key}`, "extra of the episode");
  const kept = events.filter((event) => !EVENTS_DROPPED.has(asName(event["event"])));
  for (const event of events) {
    const name = `samples[].events: ${asName(event["event"])}`;
    if (kept.includes(event)) ledger.kept(name, "extra of the episode");
    else if (event["event"] !== "model") ledger.dropped(name, "the messages say the same");
    else ledger.mapped(name, "usage and time of steps");
  }
  return {
    ...rest,
    scores: sample["scores"] ?? sample["score"],
    ...(kept.length === 0 ? {} : { events: kept }),
  };
}

/** How the last model call ended, where it did not just stop. */
function stopOf(sample: JsonRecord): string | undefined {
  const [choice] = recordsOf(asRecord(sample["output"])["choices"]);
  return asText(choice?.["stop_reason"]);
}

/** Takes the header of a log: what is so for all its samples. */
export interface InspectHeader {
  readonly evaluation: JsonRecord;
  readonly plan: unknown;
}

/** One sample as an episode. */
export function sampleResult(
  value: unknown,
  header: InspectHeader,
  line: number,
  options: ReaderOptions,
): FormatResult {
  if (!isRecord(value)) return refuse(line, "a sample of the log is no object.", "Check the log.");
  const { ledger } = options;
  const resolve = resolver(value, ledger);
  const events = eventsOf(value);
  const stop = stopOf(value);
  const limited = value["limit"] !== undefined && value["limit"] !== null;
  const ends = (stop === undefined || stop === "stop") && !limited;
  const messages = asList(resolve(value["messages"]));
  const known = modelCalls(events, ledger);
  const ofAgent = (message: JsonRecord, nth: number): AgentMessage => known(message, nth);
  const { turns, unreadable } = turnsOfMessages(messages, { ledger, ends, ofAgent });
  const id = `${asName(value["id"]) || "sample"}_epoch_${asName(value["epoch"]) || "1"}`;
  const repaired = withAgent(turns);
  if (repaired.length === 0)
    return refuse(line, `the sample ${id} has no messages, so it has no step.`, "Check the log.");
  const conversation = describe(
    value,
    { id, turns: repaired, header, resolve, events, limited, stop },
    options,
  );
  const problems = unreadable.length === 0 ? [] : [unreadableMessages(line, unreadable)];
  return { episodes: [episodeOf(conversation)], problems };
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

interface Sample {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly header: InspectHeader;
  readonly resolve: (value: unknown) => unknown;
  readonly events: readonly JsonRecord[];
  readonly limited: boolean;
  readonly stop: string | undefined;
}

function describe(value: JsonRecord, sample: Sample, { ledger }: ReaderOptions): Conversation {
  const { header, events, resolve } = sample;
  const outcome = outcomeOf(value, ledger);
  const gold = targetOf(value["target"]);
  if (gold !== undefined) ledger.mapped("samples[].target", "gold");
  ledger.mapped("eval.model, eval.task", "settings");
  if ("output" in value) ledger.dropped("samples[].output", "it repeats the last message");
  const usages = Object.values(asRecord(value["model_usage"])).map(asRecord);
  const sum = (key: string): number =>
    sumOfAmounts(usages.map((usage) => tokensOf(usage, [key], ledger) ?? 0));
  return {
    id: sample.id,
    source: "inspect",
    turns: sample.turns,
    question: inputText(resolve(value["input"])),
    outcome,
    gold,
    ...(sample.limited || outcome === "halted" ? { stopReason: "halted" } : {}),
    maxSteps: undefined,
    settings: compact({ model: asText(header.evaluation["model"]), task: asText(header.evaluation["task"]) }),
    cost:
      usages.length === 0
        ? usageOf(asRecord(value["output"])["usage"], ledger)
        : usageOf({ input_tokens: sum("input_tokens"), output_tokens: sum("output_tokens") }, ledger),
    extra: compact({
      ...keepSample(value, events, ledger),
      eval: header.evaluation,
      plan: header.plan,
      stopReason: sample.stop,
    }),
  };
}

/** An Inspect log as one JSON document. `NaN` in it was read as null. */
export function inspectReader(options: ReaderOptions): FormatReader {
  function read(value: unknown, line: number): FormatResult {
    if (!isInspectLog(value))
      return refuse(line, "this is no Inspect log: it has no `eval`.", "Check the file.");
    const log = asRecord(value);
    const samples = asList(log["samples"]);
    if (samples.length === 0) {
      const next = "Log with samples (`log_samples`), or import the log that has them.";
      return refuse(line, "the log has no samples, so there is no episode in it.", next);
    }
    for (const key of ["results", "stats", "status", "version", "reductions", "logging", "error"])
      if (key in log) options.ledger.dropped(key, "it tells of the log, not of an episode");
    const header = { evaluation: withoutArgs(asRecord(log["eval"])), plan: log["plan"] };
    const results = samples.map((sample) => sampleResult(sample, header, line, options));
    return {
      episodes: results.flatMap((result) => result.episodes),
      problems: results.flatMap((result) => result.problems),
    };
  }
  return { read, end: () => NOTHING };
}

/** `model_args` may hold a key for the model, and is the same for every sample. */
export function withoutArgs(evaluation: JsonRecord): JsonRecord {
  return without(evaluation, ["model_args"]);
}
