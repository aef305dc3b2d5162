import { usageOf } from "./chat-messages.ts";
import { readCompacted } from "./codex/compaction.ts";
import { episodesOf } from "./codex/episodes.ts";
import { addUsage, readEvent } from "./codex/events.ts";
import { isExecEvent, readExecEvent } from "./codex/exec-json.ts";
import { isBareItem, readAgentWords, readItem } from "./codex/items.ts";
import { isOlderLine, isPromptAlone, readOlderLine } from "./codex/older.ts";
import { openRollout, type Places, type Rollout } from "./codex/rollout.ts";
import {
  describeSession,
  enterOwnLines,
  reachPlaces,
  takeMeta,
  threadsBefore,
} from "./codex/session-meta.ts";
import { segmentIn } from "./codex/threads.ts";
import {
  type FormatProblem,
  type FormatReader,
  type ReaderOptions,
  refuse,
  warning,
} from "./format-reader.ts";
import { asName, asText, isRecord, type JsonRecord } from "./records.ts";
import type { ReadEpisode } from "./turn.ts";

/** Lines of a rollout that are read, by their type. */
const LINES = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "event_msg",
  "compacted",
  "token_usage_record",
  "inter_agent_communication",
]);

/** Lines of a rollout that are known and not needed. */
const DROPPED: ReadonlyMap<string, string> = new Map([
  ["world_state", "the messages tell the model of it"],
  ["inter_agent_communication_metadata", "it says whether the next message begins a turn"],
  ["dynamic_tools_updated", "it lists tools"],
  ["security_risk_score", "it is a score of the service"],
  ["id_allocation", "it numbers items"],
  ["retained_context", "it repeats messages"],
  ["realtime_item", "conversations by voice are not read"],
]);

/** A line of a rollout file of Codex, of its older forms, or of `codex exec --json`. */
export function isCodex(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const type = asName(value["type"]);
  if (isRecord(value["payload"])) return LINES.has(type) || DROPPED.has(type);
  return isExecEvent(value) || isOlderLine(value);
}

/** What has been read of a file: its sessions, mostly one. */
interface Reading {
  readonly options: ReaderOptions;
  rollout: Rollout;
  /** Threads whose lines this session repeats. */
  repeated: Set<string>;
  /** The last number of a line of this session so far, and that up to which a copy behind it repeats them. */
  last: number;
  copiedUpTo: number;
  readonly episodes: ReadEpisode[];
  readonly problems: FormatProblem[];
  /** It is what `codex exec --json` prints. */
  isPrinted: boolean;
}

/**
 * Sessions of Codex: rollout files of all versions, and what `codex exec --json` writes. What the model said and read stands in items; how
 * commands ended, what a script ran and who said the words stand in events beside them.
 */
export function codexReader(options: ReaderOptions): FormatReader {
  const reading: Reading = {
    options,
    rollout: openRollout(options.ledger, placesOf(options)),
    repeated: new Set(),
    last: -1,
    copiedUpTo: -1,
    episodes: [],
    problems: [],
    isPrinted: false,
  };
  return {
    read(value, line) {
      if (!isRecord(value)) return refuse(line, "this line is no object.", "Check the rollout file.");
      readLine(reading, value, line);
      return { episodes: [], problems: reading.problems.splice(0) };
    },
    end() {
      const isNew = reading.episodes.length === 0;
      finish(reading);
      const { episodes, problems } = reading;
      const lacksPrompt = reading.isPrinted && episodes.some(({ episode }) => episode.question === "");
      return {
        episodes,
        problems: [
          ...problems,
          ...(isNew && episodes.length === 0 ? NOTHING_SAID : []),
          ...(lacksPrompt ? NO_PROMPT : []),
        ],
      };
    },
  };
}

/** Of what `codex exec --json` prints. */
const NO_PROMPT: readonly FormatProblem[] = [
  {
    line: 0,
    severity: "information",
    message: "`codex exec --json` does not print the prompt, so the question is not known.",
    next: "Import the rollout-*.jsonl of the thread, from ~/.codex/sessions, in its place: it has the id in its name.",
  },
];

const NOTHING_SAID: readonly FormatProblem[] = [
  warning(
    0,
    "the file tells of a session, and of nothing that was said or done in it.",
    "Import the rollout-*.jsonl of the session, from ~/.codex/sessions or ~/.codex/archived_sessions.",
  ),
];

/** The places at which other files of the import leave this one. */
function placesOf({ name, threads }: ReaderOptions): Places {
  const segment = segmentIn(name);
  const ahead = [...(threads?.left.get(segment ?? "") ?? [])].toSorted((a, b) => a - b);
  return { segment, ahead, reached: [], takenFrom: threads?.takenFrom.get(segment ?? "") };
}

/** Makes episodes of the session so far; what follows is another one. */
function finish(reading: Reading): void {
  const { name, ledger, threads } = reading.options;
  reachPlaces(reading.rollout);
  for (const one of episodesOf(reading.rollout, name, threads)) reading.episodes.push(one);
  reading.rollout = openRollout(ledger);
  reading.repeated = new Set();
  reading.last = -1;
  reading.copiedUpTo = -1;
}

function readLine(reading: Reading, value: JsonRecord, line: number): void {
  const { payload } = value;
  const { ledger } = reading.options;
  if (!isRecord(payload)) return readBareLine(reading, value, line);
  const type = asName(value["type"]);
  if (type === "session_meta") return readMeta(reading, payload);
  const { rollout } = reading;
  const { ordinal } = value;
  if (typeof ordinal === "number") {
    if (ordinal <= reading.copiedUpTo)
      return ledger.dropped("lines that stand in the file twice", "they were read before");
    reading.last = Math.max(reading.last, ordinal);
  }
  enterOwnLines(rollout, ordinal);
  reachPlaces(rollout, ordinal ?? null);
  const timestamp = asText(value["timestamp"]);
  if (type === "turn_context") {
    ledger.mapped("lines of type turn_context", "settings and facts.cwd");
    describeSession(rollout, payload);
  } else if (type === "response_item")
    addProblem(reading, readItem(rollout, { item: payload, timestamp, line }));
  else if (type === "event_msg") readEvent(rollout, payload, timestamp);
  else if (type === "compacted") readCompacted(rollout, payload);
  else if (type === "token_usage_record") readRecord(rollout, payload);
  else if (type === "inter_agent_communication")
    readAgentWords(rollout, payload, "lines of type inter_agent_communication");
  else if (DROPPED.has(type)) ledger.dropped(`lines of type ${type}`, DROPPED.get(type) ?? "");
  else ledger.unknown(`lines of type ${type}`);
}

function addProblem({ problems }: Reading, problem: FormatProblem | undefined): void {
  if (problem !== undefined) problems.push(problem);
}

/** The first line of a session; one of a thread whose lines the session repeats says nothing of it. */
function readMeta(reading: Reading, payload: JsonRecord): void {
  const id = asText(payload["id"]);
  const { about } = reading.rollout;
  reading.options.ledger.mapped("lines of type session_meta", "id, settings and facts");
  const isRepeated = id === about.id || (id !== undefined && reading.repeated.has(id));
  const { parent, forkedFrom } = threadsBefore(payload);
  for (const thread of [parent, forkedFrom]) if (thread !== undefined) reading.repeated.add(thread);
  if (about.id !== undefined && id === about.id) reading.copiedUpTo = reading.last;
  if (about.id !== undefined && isRepeated) return;
  if (about.id !== undefined) finish(reading);
  takeMeta(reading.rollout, payload, reading.options.threads);
}

/** The usage of one reply. */
function readRecord(rollout: Rollout, payload: JsonRecord): void {
  const reply = asText(payload["response_id"]) ?? "";
  const { ledger, counted } = rollout;
  if (reply !== "" && counted.has(reply))
    return ledger.dropped("lines of type token_usage_record", "the usage of the reply is counted already");
  counted.add(reply);
  ledger.mapped("lines of type token_usage_record", "usage of steps");
  return addUsage(rollout, usageOf(payload["usage"], ledger));
}

/** Lines without an envelope: those of `codex exec --json`, and of rollouts before it. */
function readBareLine(reading: Reading, value: JsonRecord, line: number): void {
  const { rollout, options } = reading;
  if (isBareItem(value)) addProblem(reading, readItem(rollout, { item: value, timestamp: undefined, line }));
  else if (isExecEvent(value) || asName(value["type"]).startsWith("item.")) {
    const thread = value["type"] === "thread.started" ? value["thread_id"] : undefined;
    reading.isPrinted ||= thread !== undefined;
    if (thread !== undefined && rollout.about.id !== undefined && thread !== rollout.about.id)
      finish(reading);
    readExecEvent(reading.rollout, value);
  } else if (isOlderLine(value) || isPromptAlone(value))
    addProblem(reading, readOlderLine(rollout, value, line));
  else options.ledger.unknown("lines without a payload");
}
