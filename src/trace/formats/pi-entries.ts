import type { Usage } from "../../model/usage.ts";
import { withoutBlobs } from "./blobs.ts";
import { contentOf, turnsOfMessages } from "./chat-messages.ts";
import { resultOf, withCodingActions } from "./coding-turns.ts";
import { amountOf, exitCodeOf, sumOfAmounts, tokensOf } from "./counts.ts";
import { endsWithCode, exitCodeIn } from "./exit-code.ts";
import type { Ledger } from "./ledger.ts";
import {
  asList,
  asName,
  asRecord,
  asText,
  compact,
  isRecord,
  type JsonRecord,
  recordsOf,
} from "./records.ts";
import type { TalkNode } from "./talk-tree.ts";
import { PI_TOOLS } from "./tools/pi.ts";
import type { Turn } from "./turn.ts";

/** Entries of a session's file, and events of `--mode json`. */
export const ENTRIES = new Set([
  "message",
  "model_change",
  "thinking_level_change",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "context_edit",
  "label",
  "session_info",
  "usage",
]);
const EVENT = /^(?:agent|turn|message|tool_execution|compaction|auto_retry|queue)_[a-z]+$/;

/** A piece of a session; one that changes what the model reads in a way that its turns do not tell says so. */
export interface Entry extends TalkNode {
  readonly edits?: true;
  /** Of the first system message: the tools that the session began with. */
  readonly tools?: readonly unknown[] | undefined;
}

export interface Session {
  readonly header: JsonRecord;
  readonly entries: Entry[];
  model: string | undefined;
  title: string | undefined;
}

/** Words of the program, which the model reads as a person's. */
export type AsUser = Set<Turn>;

export interface Reading {
  readonly sessions: Session[];
  readonly asUser: AsUser;
  readonly ledger: Ledger;
}

type Made = Pick<Entry, "turns" | "edits" | "tools">;

/** The turns of an entry. Undefined: it is not part of the tree. */
export function turnsOf(
  reading: Reading,
  session: Session,
  type: string,
  entry: JsonRecord,
): Made | undefined {
  const { ledger } = reading;
  const program = (text: string): Turn => {
    const turn: Turn = { kind: "system", text };
    reading.asUser.add(turn);
    return turn;
  };
  if ((type === "message" || type === "message_end") && isRecord(entry["message"]))
    return ofMessage(reading, session, entry, entry["message"]);
  if (type === "compaction") {
    ledger.mapped("entries compaction", "prelude or observations");
    return { turns: [program(summaryWords("compacted", asText(entry["summary"]) ?? ""))], edits: true };
  }
  if (type === "branch_summary") {
    ledger.mapped("entries branch_summary", "prelude or observations");
    return { turns: [program(summaryWords("branch", asText(entry["summary"]) ?? ""))] };
  }
  if (type === "custom_message") {
    ledger.mapped("entries custom_message", "prelude or observations");
    return { turns: [program(contentOf(entry["content"]).text)] };
  }
  if (type === "session_info") session.title = asText(entry["name"]) ?? session.title;
  if (type === "model_change") session.model ??= asText(entry["modelId"]);
  if (EVENT.test(type) || type === "message_start") {
    ledger.dropped(`events ${type}`, "the messages say the same");
    return undefined;
  }
  if (ENTRIES.has(type)) ledger.dropped(`entries ${type}`, "they are no part of the conversation");
  else ledger.unknown(`entries ${type === "" ? "without a type" : type}`);
  return { turns: [], ...(type === "context_edit" ? { edits: true } : {}) };
}

const summaryWords = (kind: "compacted" | "branch", summary: string): string =>
  kind === "compacted"
    ? `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`
    : `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`;

function ofMessage(
  { asUser, ledger }: Reading,
  session: Session,
  entry: JsonRecord,
  message: JsonRecord,
): Made {
  const role = asName(message["role"]);
  const cwd = asText(session.header["cwd"]);
  if (role === "system") return ofSystem(session, message, ledger);
  if (role === "user") return { turns: turnsOfMessages([message], { ledger, ends: false }).turns };
  if (role === "assistant")
    return { turns: withCodingActions(agentOf(session, entry, message, ledger), PI_TOOLS, cwd) };
  if (role === "toolResult") return { turns: [resultTurn(message, ledger)] };
  if (role === "bashExecution" && message["excludeFromContext"] === true) {
    ledger.dropped(
      "commands of the person that the agent did not see",
      "they are no part of the conversation",
    );
    return { turns: [] };
  }
  const text = role === "bashExecution" ? commandWords(message) : contentOf(message["content"]).text;
  if (role === "bashExecution" || role === "custom" || role === "hookMessage") {
    ledger.mapped(`messages of role ${role}`, "prelude or observations");
    const turn: Turn = { kind: "system", text };
    asUser.add(turn);
    return { turns: [turn] };
  }
  ledger.unknown(`messages of role ${role === "" ? "(none)" : role}`);
  return { turns: [] };
}

/** The prompt by its sections, as Pi joins them. A later system message changes it. */
function ofSystem(session: Session, message: JsonRecord, ledger: Ledger): Made {
  const sections = Object.values(asRecord(message["sections"])).flatMap((section) => asText(section) ?? []);
  const text = [contentOf(message["content"]).text, ...sections].filter((part) => part !== "").join("\n\n");
  const first = session.entries.every(({ turns }) => turns.length === 0);
  ledger.mapped("system messages", "prelude or observations");
  if (!first) return { turns: text === "" ? [] : [{ kind: "system", text }], edits: true };
  return { turns: [{ kind: "system", text }], tools: recordsOf(message["toolsAdded"]).map(offered) };
}

/** Without what only Pi's own providers read. */
const offered = ({ name, description, parameters }: JsonRecord): JsonRecord =>
  asRecord(compact({ name, description, parameters }));

function commandWords(message: JsonRecord): string {
  const output = asText(message["output"]);
  const code = exitCodeOf(message["exitCode"]);
  const end =
    message["cancelled"] === true
      ? "\n\n(command cancelled)"
      : code === undefined || code === 0
        ? ""
        : `\n\nCommand exited with code ${code}`;
  return `Ran \`${asName(message["command"])}\`\n${output === undefined ? "(no output)" : `\`\`\`\n${output}\n\`\`\``}${end}`;
}

/** Replies that failed before they said anything are tried again by the program. */
function agentOf(session: Session, entry: JsonRecord, message: JsonRecord, ledger: Ledger): readonly Turn[] {
  const stopReason = asText(message["stopReason"]);
  const failed = stopReason === "error" || stopReason === "aborted";
  if (failed && asList(message["content"]).length === 0) {
    ledger.dropped(
      "replies that failed before they said anything",
      asText(message["errorMessage"])?.slice(0, 100) ?? stopReason,
    );
    return [];
  }
  session.model = asText(message["model"]) ?? session.model;
  const extra = compact({
    entryId: asText(entry["id"]),
    timestamp: asText(entry["timestamp"]),
    model: asText(message["model"]),
    stopReason,
    error: asText(message["errorMessage"]),
  });
  const read = turnsOfMessages([{ role: "assistant", content: message["content"] }], {
    ledger,
    ends: false,
    ofAgent: () => ({ usage: usageOf(message["usage"], ledger), extra }),
  });
  const stopped = failed || stopReason === "length" || entry["cut"] === true;
  return read.turns.map((turn) => (turn.kind === "agent" && stopped ? { ...turn, ends: false } : turn));
}

/** Pi counts what the cache gave and took beside the input. */
function usageOf(given: unknown, ledger: Ledger): Usage | undefined {
  const usage = asRecord(given);
  const [input, cached, written, output] = ["input", "cacheRead", "cacheWrite", "output"].map((key) =>
    tokensOf(usage, [key], ledger),
  );
  if (input === undefined && output === undefined) return undefined;
  const cost = amountOf(asRecord(usage["cost"]), ["total"], ledger);
  return {
    inputTokens: sumOfAmounts([input ?? 0, cached ?? 0, written ?? 0]),
    ...(cached === undefined || cached === 0 ? {} : { cachedInputTokens: cached }),
    outputTokens: output ?? 0,
    ...(cost === undefined || cost === 0 ? {} : { cost }),
  };
}

function resultTurn(message: JsonRecord, ledger: Ledger): Turn {
  const { text, others } = contentOf(message["content"]);
  ledger.mapped("tool results", "observations and results");
  ledger.dropped("tool results: content that is no text", "a mark stands in its place", others.length);
  const failed = message["isError"];
  const tool = asName(message["toolName"]);
  const code =
    failed === true && endsWithCode(tool === "bash" ? "Bash" : tool) ? exitCodeIn(text) : undefined;
  const nested = asRecord(message["nestedCalls"])["calls"];
  if (nested !== undefined)
    ledger.kept("calls that a script of the agent made", "extra of steps", recordsOf(nested).length);
  return {
    kind: "result",
    callId: asText(message["toolCallId"]),
    text,
    result: resultOf(code, typeof failed === "boolean" ? !failed : undefined),
    ...(nested === undefined ? {} : { extra: { nestedCalls: withoutBlobs(nested) } }),
  };
}
