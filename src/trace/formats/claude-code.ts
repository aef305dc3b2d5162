import { type AgentTurn, episodeOf, type ToolCall, type Turn } from "./conversation.ts";
import { contentOf, usageOf } from "./chat-messages.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import { asText, compact, isRecord, type JsonRecord, recordsOf, asName } from "./records.ts";

const TYPES = new Set(["user", "assistant", "summary", "system"]);

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
  /** Of the message whose blocks the last turn holds: one message may stand on several lines. */
  lastId: string | undefined;
}

/** Session transcripts of Claude Code: each session is an episode. Sub-agents and other kinds of lines are left out. */
export function claudeCodeReader({ name, ledger }: ReaderOptions): FormatReader {
  const sessions = new Map<string, Session>();
  const sessionOf = (id: string): Session => {
    const session = sessions.get(id) ?? {
      turns: [],
      summaries: [],
      model: undefined,
      cwd: undefined,
      version: undefined,
      lastId: undefined,
    };
    sessions.set(id, session);
    return session;
  };
  let latest = name;
  function read(value: unknown, line: number): FormatResult {
    if (!isRecord(value)) return refuse(line, "this line is no object.", "Check the transcript.");
    const type = asName(value["type"]);
    if (value["isSidechain"] === true)
      ledger.dropped("messages of sub-agents", "they are no part of the session");
    else if (type === "summary") sessionOf(latest).summaries.push(asText(value["summary"]) ?? "");
    else if ((type === "user" || type === "assistant") && isRecord(value["message"])) {
      latest = asText(value["sessionId"]) ?? latest;
      add(sessionOf(latest), value, value["message"]);
    } else ledger.dropped(`lines of type ${type}`, "they are no messages");
    return NOTHING;
  }

  function add(session: Session, row: JsonRecord, message: JsonRecord): void {
    session.cwd ??= asText(row["cwd"]);
    session.version ??= asText(row["version"]);
    const blocks = recordsOf(message["content"]);
    const spoken = contentOf(
      typeof message["content"] === "string"
        ? message["content"]
        : blocks.filter((block) => block["type"] !== "tool_use" && block["type"] !== "tool_result"),
    );
    if (row["type"] === "assistant") addAgent(session, row, message, spoken);
    else {
      for (const block of blocks.filter(({ type }) => type === "tool_result")) {
        ledger.mapped("tool_result blocks", "observations");
        const rest = block["is_error"] === true ? { extra: { isError: true } } : {};
        const { text } = contentOf(block["content"]);
        session.turns.push({ kind: "result", callId: asText(block["tool_use_id"]), text, ...rest });
      }
      if (spoken.text !== "") session.turns.push({ kind: "user", text: spoken.text });
      ledger.mapped("user messages", "question or observations", spoken.text === "" ? 0 : 1);
    }
  }

  function addAgent(
    session: Session,
    row: JsonRecord,
    message: JsonRecord,
    spoken: { text: string; reasoning: string },
  ): void {
    session.model ??= asText(message["model"]);
    const calls = recordsOf(message["content"])
      .filter(({ type }) => type === "tool_use")
      .map((block): ToolCall => ({
        id: asText(block["id"]),
        name: asText(block["name"]) ?? "",
        args: block["input"],
      }));
    ledger.mapped("assistant messages", "thoughts and actions");
    const id = asText(message["id"]);
    const before = session.turns.at(-1);
    const joined = id !== undefined && id === session.lastId && before?.kind === "agent" ? before : undefined;
    session.lastId = id;
    const join = (...texts: readonly (string | undefined)[]): string =>
      texts.filter((text) => text !== undefined && text !== "").join("\n");
    const turn: AgentTurn = {
      kind: "agent",
      text: join(joined?.text, spoken.text),
      reasoning: join(joined?.reasoning, spoken.reasoning),
      calls: [...(joined?.calls ?? []), ...calls],
      usage: usageOf(message["usage"]),
      extra: compact({ timestamp: asText(row["timestamp"]), uuid: asText(row["uuid"]) }),
    };
    if (joined !== undefined) session.turns[session.turns.length - 1] = turn;
    else session.turns.push(turn);
  }

  function end(): FormatResult {
    const episodes = [...sessions]
      .filter(([, { turns }]) => turns.some((turn) => turn.kind === "agent"))
      .map(([id, session]) =>
        episodeOf({
          id,
          source: "claude-code",
          turns: session.turns,
          settings: compact({ model: session.model, agent: "claude-code", agentVersion: session.version }),
          extra: compact({
            cwd: session.cwd,
            summaries: session.summaries.length === 0 ? undefined : session.summaries,
          }),
        }),
      );
    return { episodes, problems: [] };
  }
  return { read, end };
}
