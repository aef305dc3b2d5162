import type { ToolResult } from "../../model/coding-context.ts";
import { contentOf, usageOf } from "./chat-messages.ts";
import { codingAction, joined, resultOf } from "./coding-turns.ts";
import { exitCodeIn } from "./exit-code.ts";
import { episodeOf } from "./conversation.ts";
import type { AgentTurn, ToolCall, Turn } from "./turn.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import { asName, asRecord, asText, compact, isRecord, type JsonRecord, recordsOf } from "./records.ts";
import { CLAUDE_CODE_TOOLS } from "./tools/claude-code.ts";

const TYPES = new Set(["user", "assistant", "summary", "system"]);

/** What the program writes in the user's place when the user stops the agent. */
const INTERRUPTED = /^\[Request interrupted by user/;

/** What it writes there when a hook does not let the agent stop. */
const HELD_BACK = /^Stop hook feedback/;

/** A line of a session transcript of Claude Code. */
export function isClaudeCode(value: unknown): boolean {
  if (!isRecord(value) || !TYPES.has(asName(value["type"]))) return false;
  return "leafUuid" in value || ("uuid" in value && "sessionId" in value);
}

interface Session {
  readonly turns: Turn[];
  readonly summaries: string[];
  model: string | undefined;
  cwd: string | undefined;
  version: string | undefined;
  branch: string | undefined;
  /** Of the message whose blocks the last turn holds: one message may stand on several lines. */
  lastId: string | undefined;
}

function emptySession(): Session {
  const nothing = { model: undefined, cwd: undefined, version: undefined, branch: undefined };
  return { turns: [], summaries: [], ...nothing, lastId: undefined };
}

/** The sessions that are being read, by their id. */
interface Reading {
  readonly sessions: Map<string, Session>;
  /** The sub-agent of each line, for the lines that answer it; lines of old versions name none. */
  readonly chains: Map<string, string>;
  /** Id of the session of the line before. */
  latest: string;
  readonly ledger: ReaderOptions["ledger"];
}

/** Session transcripts of Claude Code: each session is an episode, and so is each sub-agent in it. */
export function claudeCodeReader({ name, ledger }: ReaderOptions): FormatReader {
  const reading: Reading = { sessions: new Map(), chains: new Map(), latest: name, ledger };
  return { read: (value, line) => readLine(reading, value, line), end: () => endOf(reading) };
}

function sessionOf({ sessions }: Reading, id: string): Session {
  const session = sessions.get(id) ?? emptySession();
  sessions.set(id, session);
  return session;
}

/** The session, or the sub-agent of it, that a line belongs to. */
function idOf(reading: Reading, row: JsonRecord): string {
  const { chains } = reading;
  reading.latest = asText(row["sessionId"]) ?? reading.latest;
  if (row["isSidechain"] !== true) return reading.latest;
  const uuid = asText(row["uuid"]) ?? "";
  const chain = asText(row["agentId"]) ?? chains.get(asText(row["parentUuid"]) ?? "") ?? uuid.slice(0, 8);
  chains.set(uuid, chain);
  return `${reading.latest}~${chain}`;
}

function readLine(reading: Reading, value: unknown, line: number): FormatResult {
  if (!isRecord(value)) return refuse(line, "this line is no object.", "Check the transcript.");
  const { ledger } = reading;
  const type = asName(value["type"]);
  if (type === "summary") {
    ledger.kept("summaries", "extra of the episode");
    sessionOf(reading, reading.latest).summaries.push(asText(value["summary"]) ?? "");
  } else if ((type === "user" || type === "assistant") && isRecord(value["message"]))
    add(reading, value, value["message"]);
  else ledger.dropped(`lines of type ${type}`, "they are no messages");
  return NOTHING;
}

function add(reading: Reading, row: JsonRecord, message: JsonRecord): void {
  const { ledger } = reading;
  const session = sessionOf(reading, idOf(reading, row));
  session.cwd ??= asText(row["cwd"]);
  session.version ??= asText(row["version"]);
  session.branch ??= asText(row["gitBranch"]);
  if (row["type"] === "assistant") return addAgent(ledger, session, row, message);
  for (const block of recordsOf(message["content"]).filter(({ type }) => type === "tool_result"))
    addResult(ledger, session, row, block);
  const { text } = spokenIn(message);
  if (text !== "") addWords(ledger, session, row, text);
}

/** The words of a message, without its calls and their results. */
function spokenIn({ content }: JsonRecord): ReturnType<typeof contentOf> {
  if (typeof content === "string") return contentOf(content);
  return contentOf(recordsOf(content).filter(({ type }) => type !== "tool_use" && type !== "tool_result"));
}

type Ledger = ReaderOptions["ledger"];

function addResult(ledger: Ledger, session: Session, row: JsonRecord, block: JsonRecord): void {
  ledger.mapped("tool_result blocks", "observations and results");
  const rest = block["is_error"] === true ? { extra: { isError: true } } : {};
  const { text } = contentOf(block["content"]);
  const result = resultOfBlock(block, row["toolUseResult"], text);
  session.turns.push({ kind: "result", callId: asText(block["tool_use_id"]), text, result, ...rest });
}

/** Adds a message in the user's place: a person's words, or those of the program to the agent. */
function addWords(ledger: Ledger, session: Session, row: JsonRecord, text: string): void {
  const stopped = INTERRUPTED.test(text);
  const held = row["isMeta"] === true && HELD_BACK.test(text);
  const last = session.turns.at(-1);
  if ((stopped || held) && last?.kind === "agent" && last.calls.length === 0)
    session.turns[session.turns.length - 1] = { ...last, ends: held };
  const program = stopped || row["isMeta"] === true || row["isCompactSummary"] === true;
  if (program) ledger.mapped("words of the program in the user's place", "prelude or observations");
  else ledger.mapped("user messages", "question or prompts");
  session.turns.push({ kind: program ? "system" : "user", text });
}

function addAgent(ledger: Ledger, session: Session, row: JsonRecord, message: JsonRecord): void {
  const spoken = spokenIn(message);
  session.model ??= asText(message["model"]);
  ledger.mapped("assistant messages", "thoughts and actions");
  const id = asText(message["id"]);
  const before = session.turns.at(-1);
  const same = id !== undefined && id === session.lastId && before?.kind === "agent" ? before : undefined;
  session.lastId = id;
  const turn: AgentTurn = {
    kind: "agent",
    text: joined(same?.text, spoken.text),
    reasoning: joined(same?.reasoning, spoken.reasoning),
    calls: [...(same?.calls ?? []), ...callsOf(message, session.cwd)],
    usage: usageOf(message["usage"], ledger),
    extra: compact({ timestamp: asText(row["timestamp"]), uuid: asText(row["uuid"]) }),
  };
  if (same === undefined) session.turns.push(turn);
  else session.turns[session.turns.length - 1] = turn;
}

function endOf({ sessions }: Reading): FormatResult {
  const spoken = [...sessions].filter(([, { turns }]) => turns.some((turn) => turn.kind === "agent"));
  return { episodes: spoken.map(([id, session]) => describe(id, session)), problems: [] };
}

function callsOf(message: JsonRecord, cwd: string | undefined): ToolCall[] {
  const blocks = recordsOf(message["content"]).filter(({ type }) => type === "tool_use");
  return blocks.map((block) => {
    const name = asText(block["name"]) ?? "";
    const action = codingAction(CLAUDE_CODE_TOOLS, name, block["input"], cwd);
    return { id: asText(block["id"]), name, args: block["input"], action };
  });
}

/** A result without `is_error` went well. A command's code is told only where it is not 0. */
function resultOfBlock(block: JsonRecord, told: unknown, text: string): ToolResult | undefined {
  const failed = block["is_error"] === true;
  const code = failed ? (exitCodeIn(text) ?? exitCodeIn(asText(told) ?? "")) : undefined;
  if (asRecord(told)["interrupted"] === true) return resultOf(code, false);
  return resultOf(code, !failed);
}

function describe(id: string, session: Session): ReturnType<typeof episodeOf> {
  return episodeOf({
    id,
    source: "claude-code",
    turns: session.turns,
    coding: { cwd: session.cwd },
    settings: compact({ model: session.model, agent: "claude-code", agentVersion: session.version }),
    extra: compact({
      cwd: session.cwd,
      branch: session.branch,
      summaries: session.summaries.length === 0 ? undefined : session.summaries,
    }),
  });
}
