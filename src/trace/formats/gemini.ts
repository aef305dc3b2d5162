import { addAll } from "./add-all.ts";
import { codingAction } from "./coding-turns.ts";
import { episodeOf } from "./conversation.ts";
import { tokensOf } from "./counts.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import {
  addMessage,
  emptySession,
  type GeminiSession,
  nodesOf,
  replaceHistory,
  rewind,
} from "./gemini-session.ts";
import type { Ledger } from "./ledger.ts";
import { asList, asName, asRecord, asText, compact, isRecord, type JsonRecord } from "./records.ts";
import { pathsOf, treeEpisodes } from "./talk-tree.ts";
import { GEMINI_TOOLS } from "./tools/gemini.ts";
import type { AgentTurn, ReadEpisode, Turn } from "./turn.ts";

const EVENTS = new Set(["init", "message", "tool_use", "tool_result", "error", "result"]);

const isContent = (value: unknown): boolean =>
  isRecord(value) && (value["role"] === "user" || value["role"] === "model") && Array.isArray(value["parts"]);

/** A content of Gemini's API, as a history holds it, in some versions with an id. */
const contentIn = (value: unknown): JsonRecord =>
  asRecord(isContent(value) ? value : asRecord(value)["content"]);

/** The list of contents in a checkpoint, or in what `/chat share` writes. */
function historyOf(value: unknown): readonly unknown[] | undefined {
  const lists = Array.isArray(value)
    ? [value]
    : [asRecord(value)["clientHistory"], asRecord(value)["history"]];
  return lists.map(asList).find((list) => list.length > 0 && isContent(contentIn(list[0])));
}

/** A line or a document that Gemini CLI writes: sessions, checkpoints, shared chats, and `--output-format stream-json`. */
export function isGemini(value: unknown): boolean {
  if (historyOf(value) !== undefined) return true;
  if (!isRecord(value)) return false;
  if ("sessionId" in value && "projectHash" in value) return true;
  if (typeof value["$rewindTo"] === "string") return true;
  if (value["type"] === "init") return "session_id" in value && "timestamp" in value;
  return value["type"] === "gemini" && "id" in value && "timestamp" in value;
}

interface Reading {
  readonly sessions: GeminiSession[];
  /** Of `stream-json`, which has no ids of messages. */
  readonly streams: Stream[];
  readonly episodes: ReadEpisode[];
  readonly options: ReaderOptions;
}

interface Stream {
  readonly init: JsonRecord;
  readonly turns: Turn[];
  result: JsonRecord;
}

/** Sessions of Gemini CLI. What a person went back from is an abandoned branch; each sub-agent has a file of its own. */
export function geminiReader(options: ReaderOptions): FormatReader {
  const reading: Reading = { sessions: [], streams: [], episodes: [], options };
  return {
    read: (value, line, cut) => readValue(reading, value, line, cut),
    end: () => ({
      episodes: [
        ...reading.sessions.flatMap((session) => episodesOf(session, options)),
        ...reading.streams.flatMap((stream) => episodeOfStream(stream, options)),
        ...reading.episodes,
      ],
      problems: [],
    }),
  };
}

function readValue(reading: Reading, value: unknown, line: number, cut = false): FormatResult {
  const history = historyOf(value);
  if (history !== undefined) {
    addAll(reading.episodes, episodeOfHistory(history, reading.options));
    return NOTHING;
  }
  if (!isRecord(value)) return refuse(line, "an object is expected.", "Check the session's file.");
  const type = asName(value["type"]);
  if (EVENTS.has(type) && !("id" in value)) readEvent(reading, type, value);
  else readRecord(reading, cut ? { ...value, cut } : value);
  return NOTHING;
}

function readRecord({ sessions, options: { ledger } }: Reading, record: JsonRecord): void {
  if ("sessionId" in record && "projectHash" in record) {
    const known = sessions.at(-1);
    // A session that is resumed goes on in its file behind another first line.
    if (
      known !== undefined &&
      known.header["sessionId"] === record["sessionId"] &&
      record["messages"] === undefined
    ) {
      known.header = { ...known.header, ...record };
      return;
    }
    sessions.push(emptySession(record));
    for (const message of asList(record["messages"]))
      if (isRecord(message)) addMessage(lastOf(sessions), message);
    return;
  }
  const session = lastOf(sessions);
  const update = asRecord(record["$set"]);
  if (typeof record["$rewindTo"] === "string") {
    ledger.mapped("records of going back", "abandoned branches");
    rewind(session, record["$rewindTo"]);
  } else if ("$set" in record) {
    if (Array.isArray(update["messages"])) replaceHistory(session, update["messages"], ledger);
    const { messages: _, ...rest } = update;
    session.header = { ...session.header, ...rest };
  } else if (typeof record["id"] === "string") addMessage(session, record);
  else ledger.unknown(`records with ${Object.keys(record).slice(0, 3).join(", ") || "no key"}`);
}

function lastOf(sessions: GeminiSession[]): GeminiSession {
  const last = sessions.at(-1) ?? emptySession({});
  if (sessions.length === 0) sessions.push(last);
  return last;
}

function episodesOf(session: GeminiSession, { name, folder, ledger }: ReaderOptions): readonly ReadEpisode[] {
  const { header } = session;
  const { nodes, cwd } = nodesOf(session, ledger);
  const id = asText(header["sessionId"]) ?? name;
  const isSub = header["kind"] === "subagent";
  // Sub-agents lie in a folder that is named after the session.
  const parent = isSub && folder !== undefined && folder !== "chats" ? folder : undefined;
  const model = [...session.messages.values()].map(({ message }) => asText(message["model"])).find(Boolean);
  const { episodes, silent } = treeEpisodes(pathsOf(nodes), {
    id,
    key: "messageId",
    episodeOf: ({ nodes: _, ...path }) =>
      episodeOf({
        ...(parent === undefined ? {} : { origin: { as: "sub_agent", episode: parent } as const }),
        ...path,
        source: "gemini",
        coding: { cwd },
        settings: compact({ model, agent: "gemini-cli" }),
        prompts: path.outcome === undefined ? "transcript" : undefined,
        extra: compact({
          summary: asText(header["summary"]),
          directories: header["directories"],
          kind: isSub ? "subagent" : undefined,
        }),
      }),
  });
  ledger.dropped("abandoned branches without a step", "the agent did nothing in them", silent);
  return episodes;
}

/** A history as the model reads it, without ids or what the session's file tells besides. */
function episodeOfHistory(history: readonly unknown[], options: ReaderOptions): readonly ReadEpisode[] {
  const session = emptySession({ sessionId: options.name });
  for (const one of history) {
    const { role, parts } = contentIn(one);
    addMessage(session, { type: role === "model" ? "gemini" : "user", content: parts });
  }
  return episodesOf(session, options);
}

function readEvent({ streams, options: { ledger } }: Reading, type: string, event: JsonRecord): void {
  if (type === "init") streams.push({ init: event, turns: [], result: {} });
  if (streams.length === 0) streams.push({ init: {}, turns: [], result: {} });
  const stream = streams.at(-1);
  if (stream === undefined) return;
  const { turns } = stream;
  const text = asText(event["content"]) ?? "";
  if (type === "message" && event["role"] === "assistant") addToReply(turns, { text });
  else if (type === "message") turns.push({ kind: "user", text });
  else if (type === "tool_use") {
    const name = asText(event["tool_name"]) ?? "";
    const args = event["parameters"];
    addToReply(turns, {
      calls: [
        {
          id: asText(event["tool_id"]),
          name,
          args,
          action: codingAction(GEMINI_TOOLS, name, args, undefined),
        },
      ],
    });
  } else if (type === "tool_result") turns.push(resultOfEvent(event));
  else if (type === "result") stream.result = event;
  if (type === "error") ledger.dropped("events error", "the program told the person, not the agent");
  else ledger.mapped(`events ${type}`, "steps, settings or cost");
}

function addToReply(turns: Turn[], { text = "", calls = [] }: Partial<AgentTurn>): void {
  const last = turns.at(-1);
  if (last?.kind !== "agent") turns.push({ kind: "agent", text, reasoning: "", calls });
  else turns[turns.length - 1] = { ...last, text: last.text + text, calls: [...last.calls, ...calls] };
}

function resultOfEvent(event: JsonRecord): Turn {
  const failed = event["status"] === "error";
  const error = asText(asRecord(event["error"])["message"]);
  const text = asText(event["output"]) ?? "";
  return {
    kind: "result",
    callId: asText(event["tool_id"]),
    text:
      error === undefined || text.includes(error)
        ? text
        : [text, error].filter((part) => part !== "").join("\n"),
    result: { ok: !failed },
  };
}

function episodeOfStream(
  { init, turns, result }: Stream,
  { name, ledger }: ReaderOptions,
): readonly ReadEpisode[] {
  if (!turns.some((turn) => turn.kind === "agent")) return [];
  const error = asText(asRecord(result["error"])["message"]);
  return [
    episodeOf({
      id: asText(init["session_id"]) ?? name,
      source: "gemini",
      turns: error === undefined ? turns : stopped(turns),
      coding: { cwd: undefined },
      settings: compact({ model: asText(init["model"]), agent: "gemini-cli" }),
      cost: costOf(result, ledger),
      prompts: "transcript",
      extra: compact({ error }),
    }),
  ];
}

function stopped(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  return last?.kind === "agent" ? [...turns.slice(0, -1), { ...last, ends: false }] : turns;
}

function costOf(
  result: JsonRecord,
  ledger: Ledger,
): { inputTokens: number; outputTokens: number } | undefined {
  const stats = asRecord(result["stats"]);
  const input = tokensOf(stats, ["input_tokens"], ledger);
  const output = tokensOf(stats, ["output_tokens"], ledger);
  return input === undefined || output === undefined
    ? undefined
    : { inputTokens: input, outputTokens: output };
}
