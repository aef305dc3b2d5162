import { parseJson } from "../../../model/read-json.ts";
import {
  asName,
  asRecord,
  asText,
  isRecord,
  recordsOf,
  type JsonRecord,
} from "../../../trace/formats/records.ts";
import type { HookEventKind } from "../event.ts";
import { isOurLine } from "../install/our-hooks.ts";
import { kindOf } from "../raw-event.ts";
import { glance, timeOf, type HostLogReader, type LoggedCall, type LoggedHook } from "./host-log.ts";

// Claude Code's transcript, `projects/<folder>/<session>.jsonl`, and those of its subagents (read in 2.1.332, and seen there).

/** A line without any of these says nothing of calls and hooks. Most bytes are in such lines: exact copies of requests. */
const SAYS = ['"tool_use"', '"tool_result"', '"hook_'];

/** The first version that was seen to write a line for each hook. */
const LISTS_HOOKS = [2, 1, 332];

function listsHooks(version: string | undefined): boolean {
  const parts = (version ?? "").split(".").map(Number);
  const [differs] = LISTS_HOOKS.map((least, i) => (parts[i] ?? 0) - least).filter((by) => by !== 0);
  return version !== undefined && (differs ?? 0) >= 0;
}

/** Nobody reads an answer to these, and HASP gives none. */
const UNANSWERED: ReadonlySet<HookEventKind> = new Set(["session-end", "other"]);

/** Anything else than an object the host takes for words. */
function unread({ stdout, hookEvent }: JsonRecord): string | undefined {
  if (UNANSWERED.has(kindOf(asName(hookEvent)))) return undefined;
  const value = parseJson(asName(stdout));
  if (!isRecord(value)) return "its output is not a JSON object";
  const told = asText(value["systemMessage"]);
  return told?.startsWith("HASP could not judge") === true ? told : undefined;
}

/** Why the host had no answer; null of a line that says nothing about that. */
function failureOf(line: JsonRecord): string | undefined | null {
  const { type, stderr, exitCode, timedOut, timeoutMs } = line;
  if (type === "hook_success") return unread(line);
  if (type === "hook_cancelled") return timedOut === true ? `no answer in ${asCountOf(timeoutMs)} ms` : null;
  if (type !== "hook_non_blocking_error" && type !== "hook_error_during_execution") return null;
  const lines = asName(stderr)
    .replace(/^Failed with non-blocking status code: /, "")
    .split("\n");
  // Of a program that ends with a stack, the line that names the error.
  return `exit code ${asCountOf(exitCode)}: ${lines.find((one) => /error/i.test(one)) ?? lines[0]}`;
}

const asCountOf = (value: unknown): string => (typeof value === "number" ? String(value) : "unknown");

/** The host decides on a call after its hooks; a call that is no call of a tool ends before them, as an error. */
function hasRun(row: JsonRecord, result: JsonRecord): boolean {
  const { decision } = asRecord(row["permissionDecision"]);
  if (row["toolDenialKind"] !== undefined || decision === "reject") return false;
  return decision === "accept" || result["is_error"] !== true;
}

/** The error by which the host tells the model that a hook failed, and that its setting `onFailure` stops the call. */
const STOPPED = /^(\w+):\S* hook error: \[([^\]]*)\]: ([^\n]*blocking because onFailure[^]*)/;

/** A session that came from another machine brings calls that ran there. */
const isForeign = ({ rowSource }: JsonRecord): boolean => rowSource !== undefined && rowSource !== "local";

export function claudeLog(session: string): HostLogReader {
  const calls = new Map<string, LoggedCall>();
  const hooks: LoggedHook[] = [];
  let first: JsonRecord | undefined;

  const lists = (): boolean => listsHooks(asText(first?.["version"]));
  /** Made in another folder: its record is that of another workspace, if it is one. */
  function isElsewhere({ cwd }: JsonRecord): boolean {
    const start = asName(first?.["cwd"]);
    return asName(cwd) !== start && !["/", "\\"].some((gap) => asName(cwd).startsWith(start + gap));
  }

  function addCall(block: JsonRecord, row: JsonRecord, file: string, line: number): void {
    const id = asName(block["id"]);
    if (id === "" || calls.has(id) || (!lists() && isElsewhere(row))) return;
    const text = glance(asRecord(block["input"]));
    calls.set(id, {
      id,
      tool: asName(block["name"]),
      text,
      at: timeOf(row["timestamp"]),
      file,
      line,
      ran: false,
    });
  }
  function addResult(block: JsonRecord, row: JsonRecord, file: string, line: number): void {
    const callId = asName(block["tool_use_id"]);
    const call = calls.get(callId);
    if (call !== undefined && hasRun(row, block)) calls.set(callId, { ...call, ran: true });
    const [, event = "", command = "", failure] =
      row["toolDenialKind"] === undefined ? [] : (STOPPED.exec(asName(block["content"])) ?? []);
    if (isOurLine(command, "claude-code"))
      hooks.push({ event, callId, at: timeOf(row["timestamp"]), file, line, failure });
  }
  function addHook(attachment: JsonRecord, row: JsonRecord, file: string, line: number): void {
    const failure = failureOf(attachment);
    if (failure === null || !isOurLine(asName(attachment["command"]), "claude-code")) return;
    const { hookEvent, toolUseID } = attachment;
    const at = timeOf(row["timestamp"]);
    hooks.push({ event: asName(hookEvent), callId: asName(toolUseID), at, file, line, failure });
  }
  return {
    add(file, line, text) {
      const isStart = first === undefined && text.includes('"cwd"');
      if (!isStart && !SAYS.some((word) => text.includes(word))) return;
      const row = asRecord(parseJson(text));
      if (first === undefined && asText(row["cwd"]) !== undefined) first = row;
      if (isForeign(row)) return;
      if (row["type"] === "attachment") return addHook(asRecord(row["attachment"]), row, file, line);
      for (const block of recordsOf(asRecord(row["message"])["content"])) {
        if (row["type"] === "assistant" && block["type"] === "tool_use") addCall(block, row, file, line);
        if (row["type"] === "user" && block["type"] === "tool_result") addResult(block, row, file, line);
      }
    },
    log: () => ({
      host: "claude-code",
      session,
      // Copied with the lines of its hooks, if there are such lines.
      mayHoldCopies: !lists(),
      cwd: asText(first?.["cwd"]),
      startedAt: first === undefined ? undefined : timeOf(first["timestamp"]),
      calls: [...calls.values()],
      hooks,
      listsHooks: lists(),
    }),
  };
}
