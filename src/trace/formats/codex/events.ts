import type { Usage } from "../../../model/usage.ts";
import { usageOf } from "../chat-messages.ts";
import { asList, asName, asRecord, asText, isRecord, type JsonRecord } from "../records.ts";
import { isScript } from "./items.ts";
import { isActivityAlone, type Ran, ranOf, tellsRan } from "./ran.ts";
import { rollBack } from "./roll-back.ts";
import {
  addCall,
  addPersonsWords,
  type Call,
  closeResponse,
  newCall,
  responseOf,
  type Rollout,
  segmentOf,
  startSegment,
} from "./rollout.ts";

/** Events that an item says as well, or that are no part of what was said and done. All of codex-rs/protocol, versions 0.2 to 0.171. */
const KNOWN = new Set(
  (
    "agent_message agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break agent_message_delta " +
    "agent_reasoning_delta agent_reasoning_raw_content_delta agent_message_content_delta reasoning_content_delta " +
    "reasoning_raw_content_delta plan_delta item_started raw_response_item raw_response_completed session_configured " +
    "context_compacted thread_settings_applied thread_goal_updated thread_goal_cleared thread_queue_changed thread_name_updated " +
    "error warning stream_error background_event deprecation_notice guardian_assessment guardian_warning model_reroute " +
    "model_verification turn_moderation_metadata safety_buffering auth_recovery_started auth_recovery_completed " +
    "environment_connected environment_disconnected mcp_startup_update mcp_startup_complete mcp_list_tools_response " +
    "exec_command_output_delta terminal_interaction exec_approval_request request_permissions request_user_input " +
    "elicitation_request elicitation_abandoned apply_patch_approval_request patch_apply_updated turn_diff plan_update " +
    "hook_started hook_completed entered_review_mode exited_review_mode shutdown_complete undo_started undo_completed " +
    "get_history_entry_response list_custom_prompts_response list_skills_response skills_update_available " +
    "list_remote_skills_response remote_skill_downloaded conversation_path collab_waiting_begin collab_waiting_end " +
    "collab_close_begin collab_close_end collab_resume_begin collab_resume_end collab_agent_spawn_begin " +
    "collab_agent_interaction_begin collab_agent_interaction_end image_generation_begin web_search_begin " +
    "dynamic_tool_call_request realtime_conversation_started realtime_conversation_realtime realtime_conversation_closed " +
    "realtime_conversation_sdp realtime_conversation_list_voices_response"
  ).split(" "),
);

/** Kinds of completed items that an item of the conversation says as well, or that are no part of what was said and done. */
const KNOWN_ITEMS = new Set(
  "UserMessage AgentMessage Reasoning HookPrompt FunctionCallOutput ContextCompaction EnteredReviewMode ExitedReviewMode".split(
    " ",
  ),
);

const SAID = "an item says the same, or it is no part of the session";

/** Reads one event. */
export function readEvent(rollout: Rollout, event: JsonRecord, timestamp: string | undefined): void {
  const { ledger } = rollout;
  const type = asName(event["type"]);
  const item = itemOf(type, event);
  if (item !== undefined) {
    const isOver = !type.endsWith("_begin");
    readRan(rollout, item, { timestamp, startedAt: event["started_at_ms"], isOver });
  } else if (type === "user_message") readTyped(rollout, asText(event["message"]) ?? "");
  else if (type === "item_completed") readCompleted(rollout, asRecord(event["item"]));
  else if (type === "token_count") readCount(rollout, asRecord(event["info"]));
  else if (type === "task_started" || type === "turn_started") startTurn(rollout);
  else if (type === "task_complete" || type === "turn_complete") {
    ledger.mapped("events task_complete", "who ended");
    endTurn(rollout, true);
  } else if (type === "turn_aborted") stopTurn(rollout);
  else if (type === "thread_rolled_back") rollBack(rollout, event["num_turns"]);
  else if (KNOWN.has(type)) ledger.dropped(`events ${type}`, SAID);
  else ledger.unknown(`events ${type}`);
}

function startTurn(rollout: Rollout): void {
  rollout.ledger.mapped("events task_started", "turns, which may be taken back");
  if (segmentOf(rollout).entries.length > 0) startSegment(rollout);
  rollout.isInTurn = true;
}

function stopTurn(rollout: Rollout): void {
  rollout.ledger.mapped("events turn_aborted", "a turn that is no FINAL");
  endTurn(rollout, false);
}

/** Ends a turn: the agent did, or somebody stopped it. */
export function endTurn(rollout: Rollout, isDone: boolean): void {
  closeResponse(rollout);
  rollout.isInTurn = false;
  const last = segmentOf(rollout).entries.findLast((entry) => entry.kind === "response");
  if (last?.kind === "response" && last.calls.length === 0) last.ends = isDone;
}

/** Words that an event tells: a message with the same words was, or will be, a person's. */
function readTyped(rollout: Rollout, text: string): void {
  rollout.ledger.mapped("events user_message", "question or prompts");
  rollout.hasTyped = true;
  const typed = text.trim();
  const waiting = rollout.untold.get(typed)?.shift();
  if (waiting !== undefined) {
    waiting.isPersons = true;
    return;
  }
  rollout.told.set(typed, (rollout.told.get(typed) ?? 0) + 1);
  if (typed !== "") addPersonsWords(rollout, text, true);
}

function readCompleted(rollout: Rollout, item: JsonRecord): void {
  const kind = asName(item["type"]);
  if (kind === "UserMessage") {
    const parts = asList(item["content"]).map((part) => asText(asRecord(part)["text"]) ?? "");
    readTyped(rollout, parts.join(""));
  } else if (kind === "Plan") readPlan(rollout, asText(item["text"]) ?? "");
  else if (KNOWN_ITEMS.has(kind)) rollout.ledger.dropped(`completed items ${kind}`, SAID);
  else rollout.ledger.unknown(`completed items ${kind}`);
}

/** A plan stands in the message that proposes it, but in some versions. */
function readPlan(rollout: Rollout, text: string): void {
  rollout.ledger.mapped("completed items Plan", "thoughts or FINAL");
  const { latest } = rollout;
  if (latest?.texts.some((said) => said.includes(text)) !== true) latest?.texts.push(text);
}

/** The item that an event completes, or tells in an older form; undefined where it tells nothing that ran. */
function itemOf(type: string, event: JsonRecord): JsonRecord | undefined {
  const id = event["call_id"];
  switch (type) {
    case "item_completed": {
      const item = asRecord(event["item"]);
      return tellsRan(asName(item["type"])) ? item : undefined;
    }
    case "exec_command_begin":
    case "exec_command_end":
      return { ...event, type: "CommandExecution", id };
    case "patch_apply_begin":
    case "patch_apply_end":
      return { ...event, type: "FileChange", id };
    case "mcp_tool_call_begin":
    case "mcp_tool_call_end":
      return { ...event, ...asRecord(event["invocation"]), ...endOfServer(event), type: "McpToolCall", id };
    case "dynamic_tool_call_response":
      return { ...event, type: "DynamicToolCall", id };
    case "web_search_end":
      return { ...event, type: "WebSearch", id };
    case "image_generation_end":
      return { ...event, type: "ImageGeneration", id };
    case "view_image_tool_call":
      return { ...event, type: "ImageView", id };
    case "collab_agent_spawn_end":
      return spawned(event, id);
    case "sub_agent_activity":
      return { ...event, type: "SubAgentActivity", id: event["event_id"] ?? id };
    default:
      return undefined;
  }
}

function spawned(event: JsonRecord, id: unknown): JsonRecord {
  const threads = [event["new_thread_id"]].filter((thread) => typeof thread === "string");
  return {
    type: "CollabAgentToolCall",
    id,
    tool: "spawn_agent",
    prompt: event["prompt"],
    receiver_thread_ids: threads,
  };
}

/** The end of a server's call, which an event writes as `Ok` or `Err`. */
function endOfServer({ result }: JsonRecord): JsonRecord {
  if (!isRecord(result)) return {};
  if ("Err" in result) return { result: {}, error: { message: result["Err"] } };
  return "Ok" in result ? { result: result["Ok"], status: "completed" } : {};
}

interface When {
  readonly timestamp: string | undefined;
  readonly startedAt: unknown;
  readonly isOver: boolean;
}

/** How a call ended; a call that nobody has told so far is one of a script, or stands by itself. */
function readRan(rollout: Rollout, item: JsonRecord, { timestamp, startedAt, isOver }: When): void {
  const ran = ranOf(item, rollout.about.cwd);
  if (ran === undefined) return;
  const kind = asName(item["type"]);
  if (isActivityAlone(item)) {
    if (ran.name !== "completed") return rollout.ledger.unknown(`items ${kind} of kind ${ran.name}`);
    return rollout.ledger.dropped(
      `completed items ${kind} of kind completed`,
      "a message of the agent tells it",
    );
  }
  if (ran.isPersons === true)
    return rollout.ledger.dropped(`completed items ${kind} of the person`, "a message tells what they ran");
  const known = ran.id === undefined ? undefined : rollout.calls.get(ran.id);
  rollout.ledger.mapped(`completed items ${kind}`, known === undefined ? "actions and results" : "results");
  const call =
    known ?? addRan(rollout, ran, typeof startedAt === "number" ? startedAt : undefined, timestamp);
  if (ran.printed !== undefined && ran.printed !== "") call.printed = ran.printed;
  call.result ??= ran.result;
  call.agents ??= ran.agents;
  if (known === undefined) call.isOver = isOver;
}

function addRan(
  rollout: Rollout,
  ran: Ran,
  startedAt: number | undefined,
  timestamp: string | undefined,
): Call {
  const call = newCall({ id: ran.id, name: ran.name, args: ran.args, at: startedAt });
  rollout.hasNested = true;
  const script = scriptOf(rollout, startedAt);
  if (script === undefined) {
    closeResponse(rollout);
    addCall(rollout, responseOf(rollout, timestamp), call);
    closeResponse(rollout);
    return call;
  }
  script.nested.push(call);
  if (ran.id !== undefined) rollout.calls.set(ran.id, call);
  return call;
}

/** Scripts that are looked at, from the last one. */
const MOST_SCRIPTS = 50;

/**
 * The script that ran something: the first that was not answered yet; else the last that runs on; else the last. One that was called
 * after the thing began is none of them.
 */
function scriptOf({ scripts, cells }: Rollout, startedAt: number | undefined): Call | undefined {
  const isBefore = ({ at }: Call): boolean => at === undefined || startedAt === undefined || at <= startedAt;
  const recent = scripts.slice(-MOST_SCRIPTS).filter((script) => isScript(script) && isBefore(script));
  const running = new Set(cells.values());
  return (
    recent.find(({ outputs }) => outputs.length === 0) ??
    recent.findLast((script) => running.has(script)) ??
    recent.at(-1)
  );
}

/** The usage of the latest reply, as far as nothing has told it. */
export function addUsage(rollout: Rollout, usage: Usage | undefined): void {
  if (usage === undefined) return;
  const { latest } = rollout;
  if (latest !== undefined) latest.usage ??= usage;
  segmentOf(rollout).usages.push(usage);
  closeResponse(rollout);
}

/** Usage as files told it before each reply had a record: each time with the totals, which tell whether it is new. */
function readCount(rollout: Rollout, info: JsonRecord): void {
  const { ledger } = rollout;
  const last = info["last_token_usage"];
  if (!isRecord(last)) return ledger.dropped("events token_count", "they tell no usage");
  const totals = JSON.stringify(info["total_token_usage"] ?? null);
  const isNew = info["total_token_usage"] === undefined || totals !== rollout.totals;
  rollout.totals = totals;
  if (rollout.counted.size > 0 || !isNew)
    return ledger.dropped("events token_count", "the usage of the reply is counted already");
  ledger.mapped("events token_count", "usage of steps");
  addUsage(rollout, usageOf(last, ledger));
}
