import type { ToolResult } from "../../model/coding-context.ts";
import { contentOf, usageOf } from "./chat-messages.ts";
import { codingAction, joined, resultOf } from "./coding-turns.ts";
import { exitCodeIn } from "./exit-code.ts";
import { type AgentTurn, episodeOf, type ToolCall, type Turn } from "./conversation.ts";
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

/** Session transcripts of Claude Code: each session is an episode, and so is each sub-agent in it. */
export function claudeCodeReader({ name, ledger }: ReaderOptions): FormatReader {
  const sessions = new Map<string, Session>();
  /** Which sub-agent a line belongs to, for the lines that answer it; lines of old versions name none. */
  const chains = new Map<string, string>();
  let latest = name;

  function sessionOf(id: string): Session {
    const session = sessions.get(id) ?? emptySession();
    sessions.set(id, session);
    return session;
  }

  /** The session, or the sub-agent of it, that a line belongs to. */
  function idOf(row: JsonRecord): string {
    latest = asText(row["sessionId"]) ?? latest;
    if (row["isSidechain"] !== true) return latest;
    const uuid = asText(row["uuid"]) ?? "";
    const chain = asText(row["agentId"]) ?? chains.get(asText(row["parentUuid"]) ?? "") ?? uuid.slice(0, 8);
    chains.set(uuid, chain);
    return `${latest}~${chain}`;
  }

  function read(value: unknown, line: number): FormatResult {
    if (!isRecord(value)) return refuse(line, "this line is no object.", "Check the transcript.");
    const type = asName(value["type"]);
    if (type === "summary") {
      ledger.kept("summaries", "extra of the episode");
      sessionOf(latest).summaries.push(asText(value["summary"]) ?? "");
    } else if ((type === "user" || type === "assistant") && isRecord(value["message"]))
      add(sessionOf(idOf(value)), value, value["message"]);
    else ledger.dropped(`lines of type ${type}`, "they are no messages");
    return NOTHING;
  }

  function add(session: Session, row: JsonRecord, message: JsonRecord): void {
    session.cwd ??= asText(row["cwd"]);
    session.version ??= asText(row["version"]);
    session.branch ??= asText(row["gitBranch"]);
    const blocks = recordsOf(message["content"]);
    const spoken = contentOf(
      typeof message["content"] === "string"
        ? message["content"]
        : blocks.filter((block) => block["type"] !== "tool_use" && block["type"] !== "tool_result"),
    );
    if (row["type"] === "assistant") addAgent(session, row, message, spoken);
    else {
      for (const block of blocks.filter(({ type }) => type === "tool_result")) addResult(session, row, block);
      if (spoken.text !== "") addWords(session, row, spoken.text);
    }
  }

  function addResult(session: Session, row: JsonRecord, block: JsonRecord): void {
    ledger.mapped("tool_result blocks", "observations and results");
    const rest = block["is_error"] === true ? { extra: { isError: true } } : {};
    const { text } = contentOf(block["content"]);
    const result = resultOfBlock(block, row["toolUseResult"], text);
    session.turns.push({ kind: "result", callId: asText(block["tool_use_id"]), text, result, ...rest });
  }

  /** What stands in the user's place: a person's words, or what the program itself told the agent. */
  function addWords(session: Session, row: JsonRecord, text: string): void {
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

  function addAgent(
    session: Session,
    row: JsonRecord,
    message: JsonRecord,
    spoken: { text: string; reasoning: string },
  ): void {
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

  function end(): FormatResult {
    const spoken = [...sessions].filter(([, { turns }]) => turns.some((turn) => turn.kind === "agent"));
    return { episodes: spoken.map(([id, session]) => describe(id, session)), problems: [] };
  }
  return { read, end };
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
