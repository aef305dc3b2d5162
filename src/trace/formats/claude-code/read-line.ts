import { usageOf } from "../chat-messages.ts";
import { exitCodeIn } from "../exit-code.ts";
import type { Ledger } from "../ledger.ts";
import {
  asCount,
  asList,
  asName,
  asRecord,
  asText,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "../records.ts";
import { ATTACHMENTS, isHookAttachment, SYSTEM_SUBTYPES } from "./known-kinds.ts";
import { blocksOf, noteBlocks, spokenIn } from "./message-blocks.ts";
import { isOfAgent } from "./queued-words.ts";
import type { AgentLine, BesideResult, HostEvent, LinePlace, UserLine } from "./transcript-line.ts";

/** Names of models under which the program itself speaks in the agent's place: that a request failed, that nothing was asked. */
const NO_MODEL = "<synthetic>";

/** Events of hooks before the agent is asked; the others are about what it did last. */
const BEFORE = /^(?:SessionStart|Setup|InstructionsLoaded|UserPrompt|PreCompact)/;

const isAfter = (event: unknown): boolean => !BEFORE.test(asText(event) ?? "");

/** A message line; undefined where its content is neither a text nor a list. */
export function messageLine(
  place: LinePlace,
  row: JsonRecord,
  message: JsonRecord,
  ledger: Ledger,
  isCut: boolean,
): AgentLine | UserLine | undefined {
  const blocks = blocksOf(message["content"]);
  if (blocks === undefined) return undefined;
  const isAgent = (asName(row["type"]) || message["role"]) === "assistant";
  if (isAgent && !isOfProgram(row, message, blocks)) {
    noteBlocks(blocks, "agent", ledger);
    return agentLine(place, row, message, blocks, ledger, isCut);
  }
  noteBlocks(blocks, "user", ledger);
  const isTask = !isAgent && (isTaskRow(row) || isOfAgent(spokenIn(blocks).text));
  return {
    ...place,
    kind: "user",
    blocks,
    isProgram: isAgent || isTask || isProgram(row),
    isTask,
    isSummary: row["isCompactSummary"] === true,
    beside: besideResult(row, blocks),
  };
}

function isOfProgram(row: JsonRecord, message: JsonRecord, blocks: readonly JsonRecord[]): boolean {
  const isError = row["isApiErrorMessage"] === true || message["model"] === NO_MODEL;
  return isError && !blocks.some(({ type }) => type === "tool_use");
}

/** Values of `turnOrigin` of turns that begin with a task or a notice of the program, and not with words of a person. */
const TASK_ORIGINS = new Set<unknown>(["scheduled", "peer", "host_synthetic"]);
const NOTICE_ORIGINS = new Set<unknown>(["task_notification", "auto_continuation", "system"]);

/** Flags of lines in the user's place whose words no person typed there. */
const PROGRAM_FLAGS = [
  "isMeta",
  "isSynthetic",
  "isCompactSummary",
  "isVisibleInTranscriptOnly",
  "isVirtual",
  "handedOff",
  "queueTranscriptOnly",
];

/** Whether the words of a line in the user's place are the program's. */
function isProgram(row: JsonRecord): boolean {
  const origin = asRecord(row["origin"])["kind"];
  if (PROGRAM_FLAGS.some((flag) => row[flag] === true)) return true;
  return NOTICE_ORIGINS.has(row["turnOrigin"]) || (typeof origin === "string" && origin !== "human");
}

const isTaskRow = (row: JsonRecord): boolean =>
  row["handedOff"] === true || TASK_ORIGINS.has(row["turnOrigin"]);

function agentLine(
  place: LinePlace,
  row: JsonRecord,
  message: JsonRecord,
  blocks: readonly JsonRecord[],
  ledger: Ledger,
  isCut: boolean,
): AgentLine {
  const usage = asRecord(message["usage"]);
  const read = asCount(usage["cache_read_input_tokens"]) ?? 0;
  const written = asCount(usage["cache_creation_input_tokens"]) ?? 0;
  return {
    ...place,
    kind: "agent",
    messageId: asText(message["id"]),
    request: asText(row["requestId"]) ?? asText(row["request_id"]),
    requestRef: asText(row["requestRef"]),
    blocks,
    // An event of `stream-json` is written when its message begins, and tells what it used so far.
    usage: "session_id" in row && message["stop_reason"] === null ? undefined : usageOf(usage, ledger),
    cached: read + written > 0 ? { read, written } : undefined,
    stopReason: asText(message["stop_reason"]),
    isCut,
  };
}

function besideResult(row: JsonRecord, blocks: readonly JsonRecord[]): BesideResult {
  const result = blocks.find(({ type }) => type === "tool_result");
  if (result === undefined) return {};
  const beside = row["toolUseResult"] ?? row["tool_use_result"];
  const about = asRecord(beside);
  const exitCode = result["is_error"] === true && typeof beside === "string" ? exitCodeIn(beside) : undefined;
  const agent =
    asText(about["agentId"]) ?? (row["isSidechain"] === true ? undefined : asText(row["agentId"]));
  return {
    ...(about["interrupted"] === true ? { interrupted: true } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(agent === undefined ? {} : { agent }),
  };
}

/** What a line of the type `system` says. */
export function systemEvent(row: JsonRecord, ledger: Ledger): HostEvent | undefined {
  const subtype = asName(row["subtype"]);
  if (subtype === "compact_boundary") {
    ledger.mapped("compactions", "extra of the step after them; its prompt begins with the summary");
    const about = asRecord(row["compactMetadata"] ?? row["compact_metadata"]);
    const before = asText(row["logicalParentUuid"]) ?? asText(row["logical_parent_uuid"]);
    return { kind: "compaction", about: plainFacts(about), before };
  }
  if (subtype === "stop_hook_summary") return stopHookEvent(row, ledger);
  if (subtype === "hook_response") {
    ledger.kept("hooks' answers", "extra of steps");
    const answer = without(row, ["type", "subtype", "uuid", "session_id", "hook_id"]);
    return { kind: "hook", callId: undefined, answer, isAfter: isAfter(row["hook_event"]) };
  }
  if (subtype === "local_command") {
    ledger.mapped("output of commands to the program", "prelude or observations");
    return { kind: "printed", text: asText(row["content"]) ?? "" };
  }
  if (subtype === "" || SYSTEM_SUBTYPES.has(subtype))
    ledger.dropped(`lines of type system${subtype === "" ? "" : `, ${subtype}`}`, "they are no messages");
  else ledger.unknown(`lines of type system, ${subtype.slice(0, 60)}`);
  return subtype === "init" ? { kind: "turn" } : undefined;
}

/** What hooks answered when the agent was about to stop, where they said anything. */
function stopHookEvent(row: JsonRecord, ledger: Ledger): HostEvent | undefined {
  const said = ["hookErrors", "hookAdditionalContext", "preventedContinuation", "stopReason"].flatMap(
    (key) => {
      const value = row[key];
      const isSaid = value === true || asText(value) !== undefined || asList(value).length > 0;
      return isSaid ? [[key, value] as const] : [];
    },
  );
  if (said.length === 0) {
    ledger.dropped("lines of type system, stop_hook_summary", "the hooks said nothing");
    return undefined;
  }
  ledger.kept("hooks' answers", "extra of steps");
  const answer = { type: "stop_hook_summary", hookEvent: "Stop", ...Object.fromEntries(said) };
  return { kind: "hook", callId: undefined, answer, isAfter: true };
}

const plainFacts = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => typeof value === "string" || typeof value === "number"),
  );

/** What an attachment says, as far as it is needed. */
export function attachmentEvent(row: JsonRecord, ledger: Ledger): HostEvent | undefined {
  const attachment = asRecord(row["attachment"]);
  const kind = asName(attachment["type"]);
  if (kind === "queued_command") return queuedEvent(attachment);
  if (isHookAttachment(kind)) {
    ledger.kept("hooks' answers", "extra of steps");
    return {
      kind: "hook",
      callId: asText(attachment["toolUseID"]),
      answer: without(attachment, ["toolUseID"]),
      isAfter: isAfter(attachment["hookEvent"]),
    };
  }
  if (ATTACHMENTS.has(kind))
    ledger.dropped("attachments", "the program shows them to the agent; exact prompts hold them");
  else ledger.unknown(`attachments of type ${kind === "" ? "(none)" : kind.slice(0, 60)}`);
  return undefined;
}

function queuedEvent(attachment: JsonRecord): HostEvent {
  const { prompt } = attachment;
  const origin = asRecord(attachment["origin"])["kind"];
  const mode = attachment["commandMode"];
  const isProgram =
    attachment["isMeta"] === true ||
    (typeof origin === "string" && origin !== "human") ||
    (typeof mode === "string" && mode !== "prompt");
  const text =
    typeof prompt === "string"
      ? prompt
      : recordsOf(prompt)
          .map((part) => asText(part["text"]) ?? `[${asName(part["type"]) || "part"}]`)
          .join("\n");
  return { kind: "queued", text, isProgram: isProgram || isOfAgent(text) };
}

/** The sub-agent that a line of progress speaks of. */
export function progressEvent(row: JsonRecord): HostEvent | undefined {
  const data = row["data"];
  const callId = asText(row["parentToolUseID"]);
  const agent = isRecord(data) ? asText(data["agentId"]) : undefined;
  return callId === undefined || agent === undefined ? undefined : { kind: "started", callId, agent };
}
