import type { Ledger } from "../ledger.ts";
import { asName, type JsonRecord, without } from "../records.ts";

const MAPPED = ["id", "epoch", "input", "target", "messages", "scores", "score", "model_usage"];
/** What repeats the messages, or is the run's own bookkeeping of them. */
const DROPPED = ["output", "attachments", "events", "transcript", "events_data", "timelines", "message_refs"];
/** Keys of a sample, of all versions up to 0.3.285. */
const KNOWN = new Set([
  ...MAPPED,
  ...DROPPED,
  ...(
    "choices description sandbox files setup metadata store role_usage model_fallbacks started_at completed_at " +
    "total_time working_time uuid invalidation error error_retries limit turn_count token_limit token_limit_type " +
    "token_limit_usage message_limit time_limit"
  ).split(" "),
]);

/** Events that the messages repeat, or that the episodes of agents tell. */
const SAID = new Set("model tool state store step span_begin span_end sample_init".split(" "));
/** The other events of Inspect 0.3.285. */
const KEPT = new Set(
  (
    "sample_limit sandbox anchor approval review sentinel branch checkpoint compaction input interrupt score score_edit " +
    "error logger info subtask"
  ).split(" "),
);

const UNHEARD = "HASP does not know what it is";

/** What an episode has no field for. */
export function keepSample(sample: JsonRecord, events: readonly JsonRecord[], ledger: Ledger): JsonRecord {
  const rest = Object.fromEntries(
    Object.entries(without(sample, [...MAPPED, ...DROPPED])).filter(
      ([, value]) =>
        (value !== null && Object.keys(Object(value)).length > 0) ||
        typeof value === "number" ||
        typeof value === "boolean",
    ),
  );
  for (const key of Object.keys(rest)) {
    if (KNOWN.has(key)) ledger.kept(`samples[].${key}`, "extra of the episode");
    else ledger.kept(`samples[].${key}`, `extra of the episode; ${UNHEARD}`);
  }
  if ("timelines" in sample) ledger.dropped("samples[].timelines", "they are views of the events");
  const kept = events.filter((event) => !SAID.has(asName(event["event"])));
  for (const event of events) nameEvent(asName(event["event"]), ledger);
  return {
    ...rest,
    scores: sample["scores"] ?? sample["score"],
    ...(kept.length === 0 ? {} : { events: kept }),
  };
}

function nameEvent(kind: string, ledger: Ledger): void {
  const name = `samples[].events: ${kind}`;
  if (kind === "model") ledger.mapped(name, "prompts, completions, usage and time of steps");
  else if (SAID.has(kind)) ledger.dropped(name, "the messages, or the episodes of agents, say the same");
  else if (KEPT.has(kind)) ledger.kept(name, "extra of the episode");
  else ledger.kept(name, `extra of the episode; ${UNHEARD}`);
}
