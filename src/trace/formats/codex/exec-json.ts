import { usageOf } from "../chat-messages.ts";
import { asName, asRecord, asText, compact, isRecord, type JsonRecord, recordsOf } from "../records.ts";
import { wordIn } from "../tools/shell-words.ts";
import { addUsage, endTurn } from "./events.ts";
import { patchOf, type Ran, ranOf } from "./ran.ts";
import { addCall, addWords, type Call, closeResponse, newCall, responseOf, type Rollout } from "./rollout.ts";

const EVENT = /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed))$/;

/** An event of `codex exec --json`. */
export function isExecEvent(value: unknown): boolean {
  if (!isRecord(value) || !EVENT.test(asName(value["type"]))) return false;
  const type = asName(value["type"]);
  if (type === "thread.started") return typeof value["thread_id"] === "string";
  return type.startsWith("turn.") || typeof asRecord(value["item"])["type"] === "string";
}

/** Events that are no part of what was said and done. */
const KNOWN = new Set(["item.plan.delta", "request_user_input"]);

/** Reads one event of `codex exec --json`. */
export function readExecEvent(rollout: Rollout, event: JsonRecord): void {
  const { ledger } = rollout;
  const type = asName(event["type"]);
  if (type === "thread.started") {
    ledger.mapped("events thread.started", "id");
    rollout.about.id ??= asText(event["thread_id"]);
    // The numbers of items begin anew where the thread is resumed.
    rollout.calls.clear();
  } else if (type.startsWith("item.") && isRecord(event["item"])) readExecItem(rollout, type, event["item"]);
  else if (type === "turn.completed") readUsage(rollout, event);
  else if (type === "turn.failed" || type === "error") readFailure(rollout, event);
  else if (type === "turn.started") ledger.dropped("events turn.started", "the items tell of the turn");
  else if (KNOWN.has(type)) ledger.dropped(`events ${type}`, "the items say the same");
  else ledger.unknown(`events ${type}`);
}

/** The totals of the thread so far: what they grew by is the turn's. */
function readUsage(rollout: Rollout, event: JsonRecord): void {
  const { ledger, soFar } = rollout;
  const all = usageOf(event["usage"], ledger);
  ledger.mapped("events turn.completed", "cost");
  endTurn(rollout, true);
  if (all === undefined) return;
  const { inputTokens, outputTokens, cachedInputTokens } = all;
  const hasGrown = inputTokens >= soFar.inputTokens && outputTokens >= soFar.outputTokens;
  rollout.soFar = all;
  if (!hasGrown) return addUsage(rollout, all);
  return addUsage(rollout, {
    ...all,
    inputTokens: inputTokens - soFar.inputTokens,
    outputTokens: outputTokens - soFar.outputTokens,
    ...(cachedInputTokens !== undefined && {
      cachedInputTokens: Math.max(0, cachedInputTokens - (soFar.cachedInputTokens ?? 0)),
    }),
  });
}

function readFailure(rollout: Rollout, event: JsonRecord): void {
  const text = asText(asRecord(event["error"])["message"]) ?? asText(event["message"]) ?? "";
  rollout.ledger.mapped(`events ${asName(event["type"])}`, "extra of the episode");
  closeResponse(rollout);
  if (rollout.latest !== undefined) rollout.latest.ends = false;
  rollout.about.error ??= text;
}

/** Kinds of items of `codex exec --json`, as the rollout names them. */
const RAN: Readonly<Record<string, string>> = {
  command_execution: "CommandExecution",
  mcp_tool_call: "McpToolCall",
  collab_tool_call: "CollabAgentToolCall",
  web_search: "WebSearch",
};

function readExecItem(rollout: Rollout, type: string, item: JsonRecord): void {
  const { ledger } = rollout;
  const kind = asName(item["type"]);
  const isOver = type === "item.completed";
  const ran = ranIn(kind, item, rollout.about.cwd);
  if (ran !== undefined) takeRan(rollout, ran, kind, isOver);
  else if (kind === "todo_list") readTodos(rollout, item);
  else if (!isOver) ledger.dropped(`events ${type} of ${kind}`, "the end of the item tells it");
  else if (kind === "agent_message" || kind === "plan") {
    ledger.mapped(`items ${kind}`, "thoughts or FINAL");
    closeResponse(rollout);
    responseOf(rollout, undefined).texts.push(asText(item["text"]) ?? "");
  } else if (kind === "reasoning") {
    ledger.mapped("items reasoning", "thoughts");
    closeResponse(rollout);
    responseOf(rollout, undefined).reasoning.push(asText(item["text"]) ?? "");
  } else if (kind === "error") {
    ledger.mapped("items error", "prelude or observations");
    addWords(rollout, asText(item["message"]) ?? "", false);
  } else ledger.unknown(`items ${kind}`);
}

function ranIn(kind: string, item: JsonRecord, cwd: string | undefined): Ran | undefined {
  if (kind === "command_execution")
    return ranOf({ ...item, type: "CommandExecution", command: wordsOf(item["command"]) }, cwd);
  if (kind === "file_change") {
    const told = ranOf({ ...item, type: "FileChange", changes: {} }, cwd);
    return told && { ...told, args: patchOf(item["changes"], cwd) };
  }
  const name = Object.hasOwn(RAN, kind) ? RAN[kind] : undefined;
  return name === undefined ? undefined : ranOf({ ...item, type: name }, cwd);
}

const SHELL = /^((?:\S*\/)?(?:ba|z|da|k)?sh) (-l?c) /;

/** A command line that hands one word to a shell, as words. */
function wordsOf(command: unknown): unknown {
  const [head, shell = "", flag = ""] = (typeof command === "string" && SHELL.exec(command)) || [];
  const script = head === undefined ? undefined : wordIn(String(command).slice(head.length));
  return script === undefined ? command : [shell, flag, script];
}

/** Calls that began before another one ended were made together. */
function takeRan(rollout: Rollout, ran: Ran, kind: string, isOver: boolean): void {
  const known = ran.id === undefined ? undefined : rollout.calls.get(ran.id);
  const call = known ?? addTogether(rollout, ran);
  call.args = ran.args;
  if (known === undefined) rollout.ledger.mapped(`items ${kind}`, "actions and results");
  if (!isOver) return;
  call.printed = ran.printed;
  call.result = ran.result;
  call.agents ??= ran.agents;
  call.isOver = true;
}

function addTogether(rollout: Rollout, ran: Ran): Call {
  const { latest } = rollout;
  const isWaiting = latest !== undefined && latest.calls.some(({ isOver }) => isOver !== true);
  if (!isWaiting) closeResponse(rollout);
  const response = isWaiting ? latest : responseOf(rollout, undefined);
  return addCall(rollout, response, newCall({ id: ran.id, name: ran.name, args: ran.args }));
}

/** Each state of the list is a call of `update_plan`; the end repeats the last one. */
function readTodos(rollout: Rollout, item: JsonRecord): void {
  const plan = recordsOf(item["items"]).map(
    ({ text, completed }) => compact({ step: text, completed }) ?? {},
  );
  const state = JSON.stringify(plan);
  const last = rollout.latest?.calls.at(-1);
  rollout.ledger.mapped("items todo_list", "actions");
  if (state === rollout.totals || last?.args === plan) return;
  rollout.totals = state;
  const call = newCall({ id: `${asName(item["id"])}-${state.length}`, name: "update_plan", args: { plan } });
  closeResponse(rollout);
  addCall(rollout, responseOf(rollout, undefined), { ...call, isOver: true });
  closeResponse(rollout);
}
