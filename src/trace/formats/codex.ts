import type { ToolResult } from "../../model/coding-context.ts";
import { contentOf, usageOf } from "./chat-messages.ts";
import { codingAction, resultOf } from "./coding-turns.ts";
import { codexOutput } from "./codex-output.ts";
import { episodeOf } from "./conversation.ts";
import type { AgentTurn, ToolCall, Turn } from "./turn.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import { exitCodeOf } from "./counts.ts";
import type { Ledger } from "./ledger.ts";
import { asName, asRecord, asText, compact, isRecord, type JsonRecord } from "./records.ts";
import { CODEX_TOOLS } from "./tools/codex.ts";

const LINES = new Set(["session_meta", "turn_context", "response_item", "event_msg", "compacted"]);

/** A line of a rollout file of Codex. */
export function isCodex(value: unknown): boolean {
  return isRecord(value) && LINES.has(asName(value["type"])) && isRecord(value["payload"]);
}

/** What Codex itself puts in the user's place before the first words of a person. */
const PROGRAM_WORDS =
  /^\s*(?:<(?:environment_context|user_instructions|permissions)\b|# AGENTS\.md instructions)/;

interface Rollout {
  readonly turns: Turn[];
  /** Words that the file tells as events, since they stand in it a second time as messages. */
  readonly typed: Set<string>;
  /** Places in `turns` of words that stand there as messages. */
  readonly messages: number[];
  /** How calls ended, as the events tell it, by call. */
  readonly ended: Map<string, ToolResult>;
  id: string | undefined;
  cwd: string | undefined;
  model: string | undefined;
  version: string | undefined;
  branch: string | undefined;
}

/** Rollout files of Codex: one file is an episode. Messages and results stand in them twice, as items and as events. */
export function codexReader({ name, ledger }: ReaderOptions): FormatReader {
  const nothing = { id: undefined, cwd: undefined, model: undefined, version: undefined, branch: undefined };
  const rollout: Rollout = { turns: [], typed: new Set(), messages: [], ended: new Map(), ...nothing };

  function read(value: unknown, line: number): FormatResult {
    if (!isRecord(value) || !isRecord(value["payload"]))
      return refuse(line, "this line has no object `payload`.", "Check the rollout file.");
    const { payload } = value;
    const type = asName(value["type"]);
    if (type === "session_meta" || type === "turn_context") describeSession(rollout, payload);
    else if (type === "response_item") readItem(rollout, value, payload, ledger);
    else if (type === "event_msg") readEvent(rollout, payload, ledger);
    else ledger.dropped(`lines of type ${type}`, "they are no items or events");
    return NOTHING;
  }

  function end(): FormatResult {
    const turns = withoutRepeats(rollout);
    if (!turns.some((turn) => turn.kind === "agent")) return NOTHING;
    const episode = episodeOf({
      id: rollout.id ?? name,
      source: "codex",
      turns,
      coding: { cwd: rollout.cwd },
      settings: compact({ model: rollout.model, agent: "codex", agentVersion: rollout.version }),
      extra: compact({ branch: rollout.branch }),
    });
    return { episodes: [episode], problems: [] };
  }
  return { read, end };
}

function describeSession(rollout: Rollout, payload: JsonRecord): void {
  rollout.id ??= asText(payload["id"]);
  rollout.cwd ??= asText(payload["cwd"]);
  rollout.model ??= asText(payload["model"]);
  rollout.version ??= asText(payload["cli_version"]);
  rollout.branch ??= asText(asRecord(payload["git"])["branch"]);
}

/** The agent's part that has no answer yet, with more of it; a call ends what it may say. */
function addToTurn(rollout: Rollout, row: JsonRecord, part: Partial<AgentTurn>): void {
  const last = rollout.turns.at(-1);
  const calls = part.calls ?? [];
  if (last?.kind === "agent" && calls.length > 0) {
    rollout.turns[rollout.turns.length - 1] = { ...last, calls: [...last.calls, ...calls] };
    return;
  }
  const extra = compact({ timestamp: asText(row["timestamp"]) });
  rollout.turns.push({ kind: "agent", text: "", reasoning: "", calls, extra, ...part });
}

function readItem(rollout: Rollout, row: JsonRecord, item: JsonRecord, ledger: Ledger): void {
  const type = asName(item["type"]);
  const call = callOf(item, rollout.cwd);
  if (call !== undefined) {
    ledger.mapped(`items ${type}`, "actions");
    addToTurn(rollout, row, { calls: [call] });
  } else if (type === "message") readMessage(rollout, row, item, ledger);
  else if (type === "reasoning") {
    const { text } = contentOf(item["summary"]);
    ledger.mapped("items reasoning", "thoughts");
    if (text !== "") addToTurn(rollout, row, { reasoning: text });
  } else if (type === "function_call_output" || type === "custom_tool_call_output") {
    const { text, result } = codexOutput(item["output"]);
    ledger.mapped(`items ${type}`, "observations and results");
    rollout.turns.push({ kind: "result", callId: asText(item["call_id"]), text, result });
  } else ledger.dropped(`items ${type}`, "they are no messages, calls or results");
}

function readMessage(rollout: Rollout, row: JsonRecord, item: JsonRecord, ledger: Ledger): void {
  const { text } = contentOf(item["content"]);
  if (item["role"] === "assistant") {
    ledger.mapped("messages of the assistant", "thoughts or FINAL");
    addToTurn(rollout, row, { text });
    return;
  }
  const person = item["role"] === "user" && !PROGRAM_WORDS.test(text);
  ledger.mapped(`messages of ${asName(item["role"])}`, person ? "question or prompts" : "prelude");
  if (person) rollout.messages.push(rollout.turns.length);
  if (text !== "" || person) rollout.turns.push({ kind: person ? "user" : "system", text });
}

function callOf(item: JsonRecord, cwd: string | undefined): ToolCall | undefined {
  const id = asText(item["call_id"]) ?? asText(item["id"]);
  const make = (name: string, args: unknown): ToolCall => ({
    id,
    name,
    args,
    action: codingAction(CODEX_TOOLS, name, args, cwd),
  });
  const action = asRecord(item["action"]);
  if (item["type"] === "function_call") return make(asText(item["name"]) ?? "", item["arguments"]);
  if (item["type"] === "custom_tool_call") return make(asText(item["name"]) ?? "", item["input"]);
  if (item["type"] === "local_shell_call") {
    const { type: _, ...input } = action;
    return make("local_shell", input);
  }
  if (item["type"] === "web_search_call")
    return make("web_search", compact({ query: action["query"] }) ?? {});
  return undefined;
}

function readEvent(rollout: Rollout, event: JsonRecord, ledger: Ledger): void {
  const type = asName(event["type"]);
  if (type === "user_message") {
    const text = asText(event["message"]) ?? "";
    ledger.mapped("events user_message", "question or prompts");
    rollout.typed.add(text.trim());
    if (text !== "") rollout.turns.push({ kind: "user", text });
  } else if (type === "exec_command_end" || type === "patch_apply_end") {
    ledger.mapped(`events ${type}`, "results");
    const exitCode = exitCodeOf(event["exit_code"]);
    const ok = typeof event["success"] === "boolean" ? event["success"] : undefined;
    const result = resultOf(exitCode, ok);
    if (result !== undefined) rollout.ended.set(asName(event["call_id"]), result);
  } else if (type === "token_count") addUsage(rollout, asRecord(event["info"])["last_token_usage"], ledger);
  else if (type === "turn_aborted") {
    const last = rollout.turns.at(-1);
    if (last?.kind === "agent" && last.calls.length === 0)
      rollout.turns[rollout.turns.length - 1] = { ...last, ends: false };
  } else ledger.dropped(`events ${type}`, "an item says the same, or it is no part of the session");
}

function addUsage(rollout: Rollout, usage: unknown, ledger: Ledger): void {
  const at = rollout.turns.findLastIndex((turn) => turn.kind === "agent");
  const turn = rollout.turns[at];
  if (turn?.kind === "agent" && turn.usage === undefined)
    rollout.turns[at] = { ...turn, usage: usageOf(usage, ledger) };
}

/** The turns without the words that the events repeat, and with what the events know of the results. */
function withoutRepeats({ turns, typed, messages, ended }: Rollout): readonly Turn[] {
  const repeated = new Set(
    messages.filter((at) => {
      const turn = turns[at];
      return turn?.kind === "user" && typed.has(turn.text.trim());
    }),
  );
  return turns
    .filter((_, at) => !repeated.has(at))
    .map((turn): Turn => {
      if (turn.kind !== "result" || turn.result?.exitCode !== undefined) return turn;
      const told = ended.get(turn.callId ?? "");
      return told === undefined ? turn : { ...turn, result: told };
    });
}
