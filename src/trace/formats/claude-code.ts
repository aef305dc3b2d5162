import type { Ledger } from "./ledger.ts";
import { ApiRequests } from "./claude-code/api-requests.ts";
import { DROPPED_LINES } from "./claude-code/known-kinds.ts";
import { holdsMedia } from "./claude-code/message-blocks.ts";
import { messageName } from "./claude-code/message-hash.ts";
import { withoutRepeatedWords, WordQueue } from "./claude-code/queued-words.ts";
import { attachmentEvent, messageLine, progressEvent, systemEvent } from "./claude-code/read-line.ts";
import { type Checkpoint, episodesOfFile } from "./claude-code/session-episodes.ts";
import { SessionFacts } from "./claude-code/session-facts.ts";
import { StreamUsage } from "./claude-code/stream-usage.ts";
import type { AgentStart } from "./claude-code/sub-agents.ts";
import type { HostEvent, LinePlace, TranscriptLine } from "./claude-code/transcript-line.ts";
import type { CalledAgents } from "./called-agents.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
  warning,
} from "./format-reader.ts";
import { asList, asName, asRecord, asText, isRecord, type JsonRecord } from "./records.ts";
import type { Sha256 } from "../ports.ts";

const MESSAGES = new Set(["user", "assistant"]);
const REQUESTS = new Set(["api-request", "api-request-shape", "api-request-blob", "api-request-resumed"]);
const OTHERS = new Set(
  "summary system attachment queue-operation last-prompt custom-title ai-title cost-state result stream_event".split(
    " ",
  ),
);

const isKnownType = (type: string): boolean =>
  MESSAGES.has(type) || REQUESTS.has(type) || OTHERS.has(type) || DROPPED_LINES.has(type);

/** A line of a session of Claude Code, an event of `claude --print --output-format stream-json`, or a list of such events. */
export function isClaudeCode(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && isClaudeCode(value[0]);
  if (!isRecord(value) || !isKnownType(asName(value["type"]))) return isAgentDescription(value);
  // Gemini CLI writes the words of a person so.
  if (typeof value["message"] === "string") return false;
  if ("leafUuid" in value || typeof (value["sessionId"] ?? value["session_id"]) === "string") return true;
  // Snapshots of files name a message, and the journal of a workflow an agent.
  return "snapshot" in value ? "messageId" in value : "key" in value && "agentId" in value;
}

/** `agent-<id>.meta.json`, beside the session of a sub-agent. */
const isAgentDescription = (value: unknown): boolean =>
  isRecord(value) && typeof value["agentType"] === "string" && typeof value["toolUseId"] === "string";

/** The lines of a file as they are read. */
interface Reading {
  lines: TranscriptLine[];
  readonly facts: Map<string, SessionFacts>;
  readonly queues: Map<string, WordQueue>;
  readonly fromQueue: Set<TranscriptLine>;
  readonly starts: AgentStart[];
  readonly checkpoints: Map<string, Checkpoint>;
  readonly requests: ApiRequests;
  /** Names of messages with pictures, whose bytes are not kept. */
  readonly names: Map<TranscriptLine, string>;
  readonly usage: StreamUsage;
  /** Id of the session of the line before. */
  latest: string;
  readonly ledger: Ledger;
  readonly called: CalledAgents;
  readonly sha256: Sha256 | undefined;
}

/**
 * Sessions of Claude Code: each is an episode, and so is each sub-agent in it, and each branch that a person went back from. Lines may stand in
 * any order, so all of them are kept until the end.
 */
export function claudeCodeReader({ name, ledger, called, sha256 }: ReaderOptions): FormatReader {
  const reading: Reading = {
    lines: [],
    facts: new Map(),
    queues: new Map(),
    fromQueue: new Set(),
    starts: [],
    checkpoints: new Map(),
    requests: new ApiRequests(),
    names: new Map(),
    usage: new StreamUsage(),
    latest: name,
    ledger,
    called: called ?? new Map(),
    sha256,
  };
  return {
    read: (value, line, isCut) => readValue(reading, value, line, isCut === true),
    end: () => endOf(reading),
  };
}

function readValue(reading: Reading, value: unknown, line: number, isCut: boolean): FormatResult {
  if (Array.isArray(value)) {
    const problems = value.flatMap((event: unknown) => readValue(reading, event, line, false).problems);
    return { episodes: [], problems };
  }
  if (!isRecord(value)) return refuse(line, "this line is no object.", "Check the transcript.");
  if (isAgentDescription(value)) {
    reading.ledger.dropped("descriptions of sub-agents", "the sessions tell the same");
    return NOTHING;
  }
  return readRow(reading, value, line, isCut);
}

function readRow(reading: Reading, row: JsonRecord, line: number, isCut: boolean): FormatResult {
  const { ledger, requests } = reading;
  const place = placeOf(reading, row, line);
  // Of a line that breaks off the type may be missing.
  const type = asName(row["type"]) || asName(asRecord(row["message"])["role"]);
  const facts = factsAt(reading, place);
  facts.noteLine(row);
  if (MESSAGES.has(type)) return readMessage(reading, place, row, isCut);
  if (REQUESTS.has(type)) requests.note(type, row, ledger);
  else if (type === "summary") {
    ledger.kept("summaries", "extra of the episode");
    facts.summaries.push(asText(row["summary"]) ?? "");
  } else if (type === "custom-title" || type === "ai-title") {
    ledger.kept("titles", "extra of the episode");
    facts.noteTitle(row);
  } else if (type === "cost-state") {
    ledger.mapped("costs of the session", "cost");
    facts.noteCost(row, ledger);
  } else if (type === "result" && row["key"] === undefined) {
    ledger.mapped("results of prompts", "cost, extra of the episode");
    facts.noteResult(row, ledger);
    reading.lines.push({ ...place, kind: "host", event: { kind: "turn" } });
  } else if (type === "stream_event") {
    ledger.dropped("parts of messages", "the whole messages follow; the usage is theirs");
    reading.usage.note(row, ledger);
  } else if (type === "last-prompt") noteCheckpoint(reading, row, place);
  else if (type === "queue-operation") noteQueue(reading, row, place);
  else if (type === "" && isCut) noteCut(ledger);
  else readHostLine(reading, type, row, place);
  return NOTHING;
}

/** That a line breaks off is a finding already. */
const noteCut = (ledger: Ledger): void =>
  ledger.dropped("lines that break off", "what they are, or say, is not in the file");

/** Lines that are part of a conversation without being messages, and lines that are not needed. */
function readHostLine(reading: Reading, type: string, row: JsonRecord, place: LinePlace): void {
  const { ledger } = reading;
  let event: HostEvent | undefined;
  if (type === "system") {
    if (row["subtype"] === "init") factsOf(reading, place.session, undefined).model ??= asText(row["model"]);
    event = systemEvent(row, ledger);
  } else if (type === "attachment") event = attachmentEvent(row, ledger);
  else {
    if (type === "progress") event = progressEvent(row);
    const why = DROPPED_LINES.get(type) ?? (type === "result" ? DROPPED_LINES.get("started") : undefined);
    if (why !== undefined) ledger.dropped(`lines of type ${type}`, why);
    else ledger.unknown(`lines of type ${type === "" ? "(none)" : type.slice(0, 60)}`);
  }
  // Lines without words may stand between two messages all the same.
  if (event !== undefined || place.uuid !== undefined) reading.lines.push({ ...place, kind: "host", event });
}

function readMessage(reading: Reading, place: LinePlace, row: JsonRecord, isCut: boolean): FormatResult {
  const { ledger, sha256 } = reading;
  const message = asRecord(row["message"]);
  const line = messageLine(place, row, message, ledger, isCut);
  if (line === undefined && isCut) {
    noteCut(ledger);
    return NOTHING;
  }
  if (line === undefined) {
    ledger.dropped("messages without a content", "they are neither words nor blocks");
    const next = "Nothing to do, unless you know what stood there.";
    return { episodes: [], problems: [warning(place.line, "its message has no content.", next)] };
  }
  reading.lines.push(line);
  if (line.kind === "agent") factsAt(reading, place).model ??= asText(message["model"]);
  if (sha256 !== undefined && holdsMedia(message["content"]))
    reading.names.set(
      line,
      messageName(sha256, line.kind === "agent" ? "assistant" : "user", asList(message["content"])),
    );
  return NOTHING;
}

/** Where a line hangs. Events of `stream-json` follow each other; those of a sub-agent name the call that started it. */
function placeOf(reading: Reading, row: JsonRecord, line: number): LinePlace {
  reading.latest = asText(row["sessionId"]) ?? asText(row["session_id"]) ?? reading.latest;
  const session = reading.latest;
  const caller = asText(row["parent_tool_use_id"]);
  const parent = row["parentUuid"];
  const isSide = row["isSidechain"] === true || caller !== undefined;
  const agent = isSide ? (asText(row["agentId"]) ?? asText(row["agent_id"]) ?? caller) : undefined;
  if (caller !== undefined && agent !== undefined) reading.starts.push({ callId: caller, session, agent });
  return {
    line,
    uuid: asText(row["uuid"]),
    parent: parent === null ? null : asText(parent),
    session,
    agent,
    isSide,
    timestamp: asText(row["timestamp"]),
  };
}

/** The facts of the agent whose line it is; side chains that name no agent share theirs. */
const factsAt = (reading: Reading, { session, agent, isSide }: LinePlace): SessionFacts =>
  factsOf(reading, session, agent ?? (isSide ? "" : undefined));

function factsOf({ facts }: Reading, session: string, agent: string | undefined): SessionFacts {
  const key = agent === undefined ? session : `${session}\n${agent}`;
  const found = facts.get(key) ?? new SessionFacts();
  facts.set(key, found);
  return found;
}

/** The facts of a conversation, from whichever of its lines name their agent. */
function factsFor({ facts }: Reading, session: string, agent: string | undefined): SessionFacts {
  const own =
    agent === undefined ? undefined : (facts.get(`${session}\n${agent}`) ?? facts.get(`${session}\n`));
  return own ?? facts.get(session) ?? new SessionFacts();
}

/** Notes that a person went back; the program writes the place of the latest prompt at other times too. */
function noteCheckpoint(
  { checkpoints, ledger }: Reading,
  row: JsonRecord,
  { session, line }: LinePlace,
): void {
  ledger.dropped("lines of type last-prompt", "the messages tell the prompts");
  const leaf = row["leafUuid"];
  if (row["rewound"] === true && (leaf === null || typeof leaf === "string"))
    checkpoints.set(session, { leaf, line });
  else if (typeof leaf === "string" && checkpoints.get(session)?.leaf !== leaf) checkpoints.delete(session);
}

function noteQueue(reading: Reading, row: JsonRecord, place: LinePlace): void {
  const { queues, ledger } = reading;
  const queue = queues.get(place.session) ?? new WordQueue();
  queues.set(place.session, queue);
  ledger.dropped("lines of type queue-operation", "words that reach the agent stand in the conversation");
  const words = queue.note(row, place);
  if (words === undefined) return;
  reading.lines.push(words);
  reading.fromQueue.add(words);
}

function endOf(reading: Reading): FormatResult {
  const { requests, sha256, names, ledger, called } = reading;
  if (reading.lines.length > 0 && reading.lines.every((line) => isTurnMark(line)))
    return refuse(0, ONLY_RESULT, STREAM);
  const lines = withoutRepeatedWords(reading.usage.applied(reading.lines), reading.fromQueue);
  if (!requests.isEmpty && sha256 !== undefined) requests.complete(bySession(lines), sha256, names);
  // What they say is in the episodes from here on.
  reading.lines = [];
  return episodesOfFile({
    lines,
    starts: reading.starts,
    checkpoints: reading.checkpoints,
    factsOf: (session, agent) => factsFor(reading, session, agent),
    promptOf: (ref) => requests.promptOf(ref),
    ledger,
    called,
  });
}

const ONLY_RESULT = "the file holds the last words of a prompt and nothing that the agent did.";
const STREAM = "Run claude with --output-format stream-json --verbose, or import the session's own file.";

const isTurnMark = (line: TranscriptLine): boolean => line.kind === "host" && line.event?.kind === "turn";

/** The lines of each session and sub-agent, as Claude Code keeps them in a file each. */
function bySession(lines: readonly TranscriptLine[]): Iterable<readonly TranscriptLine[]> {
  const found = new Map<string, TranscriptLine[]>();
  for (const line of lines) {
    const key = `${line.session}\n${line.agent ?? ""}`;
    const own = found.get(key) ?? [];
    found.set(key, own);
    own.push(line);
  }
  return found.values();
}
