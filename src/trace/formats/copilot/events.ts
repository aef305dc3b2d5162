import type { FormatProblem } from "../format-reader.ts";
import { asName, asRecord, asText, type JsonRecord } from "../records.ts";
import type { Event, Handler } from "./event.ts";
import { readClearing, readCompaction, readCompactionStart, readRewind, readTruncation } from "./history.ts";
import { whyDropped } from "./known-events.ts";
import { readAbort, readCallStart, readMessage, readResult, readThought } from "./replies.ts";
import { type Session, talkerOf } from "./session.ts";
import {
  readHandoff,
  readHook,
  readInstructions,
  readNotice,
  readPersonsCall,
  readSkill,
  readSkillText,
  readUser,
} from "./told.ts";
import { readShutdown, readUsage } from "./usage.ts";

/** Reads one event of a session. Answers with what a person should know of it. */
export function readEvent(
  session: Session,
  row: JsonRecord,
  data: JsonRecord,
  line: number,
): FormatProblem | undefined {
  const type = asName(row["type"]);
  const at = session.events++;
  const id = asText(row["id"]);
  if (id !== undefined) session.places.set(id, at);
  const handler = HANDLERS.get(type);
  if (handler !== undefined)
    return (
      handler(session, { type, row, data, line, at, talker: talkerOf(session, keyOf(session, row, data)) }) ??
      undefined
    );
  const why = whyDropped(type);
  if (why === undefined) session.ledger.unknown(`events ${type.slice(0, 60)}`);
  else session.ledger.dropped(`events ${type}`, why);
  return undefined;
}

/** An event that HASP knows. */
export const isKnownEvent = (type: string): boolean => HANDLERS.has(type) || whyDropped(type) !== undefined;

/** Whose event it is: newer versions name the agent, older ones the call that began it. */
function keyOf({ begunBy }: Session, row: JsonRecord, data: JsonRecord): string {
  const agent = asText(row["agentId"]);
  if (agent !== undefined) return agent;
  const call = asText(data["parentToolCallId"]);
  return call === undefined ? (asText(data["agentId"]) ?? "") : (begunBy.get(call) ?? call);
}

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["session.start", readStart],
  ["session.resume", readStart],
  ["session.context_changed", readFolder],
  ["session.model_change", readModel],
  ["session.error", readError],
  ["session.handoff", readHandoff],
  ["session.compaction_start", readCompactionStart],
  ["session.compaction_complete", readCompaction],
  ["session.truncation", readTruncation],
  ["session.context_cleared", readClearing],
  ["session.snapshot_rewind", readRewind],
  ["session.usage_record", (session, event) => readUsage(session, event, asRecord(event.data["usage"]))],
  ["session.shutdown", readShutdown],
  ["session.mode_notice_delivered", readNotice],
  ["user.message", readUser],
  ["assistant.message", readMessage],
  ["assistant.reasoning", readThought],
  ["assistant.usage", (session, event) => readUsage(session, event, event.data)],
  ["abort", readAbort],
  ["session.abort", readAbort],
  ["tool.user_requested", readPersonsCall],
  ["tool.execution_start", readCallStart],
  ["external_tool.requested", readCallStart],
  ["tool.execution_complete", readResult],
  ["skill.invoked", readSkill],
  ["skill.invoked_ref", readSkill],
  ["skill.context_delivered", readSkillText],
  ["skill.context_delivered_ref", readSkillText],
  ["subagent.started", readAgentStart],
  ["subagent.failed", readAgentFailure],
  ["system.message", readInstructions],
  ["system.notification", readNotice],
  ["hook.end", readHook],
]);

function readStart(session: Session, { type, data }: Event): void {
  const context = asRecord(data["context"]);
  const id = asText(data["sessionId"]);
  session.isNamed ||= id !== undefined;
  session.id = id ?? session.id;
  session.cwd ??= asText(context["cwd"]) ?? asText(data["cwd"]);
  session.branch ??= asText(context["branch"]);
  session.model ??= asText(data["selectedModel"]) ?? asText(data["model"]);
  session.version ??= asText(data["vscodeVersion"]) ?? asText(data["copilotVersion"]);
  if (asText(data["vscodeVersion"]) !== undefined) session.agent = "vscode";
  session.ledger.mapped(`events ${type}`, "id, settings and facts.cwd");
}

function readFolder(session: Session, { type, data }: Event): void {
  session.cwd ??= asText(data["cwd"]);
  session.ledger.mapped(`events ${type}`, "facts.cwd, where no other names it");
}

function readModel(session: Session, { type, data, talker }: Event): void {
  const model = asText(data["newModel"]);
  session.ledger.mapped(`events ${type}`, "settings.model, where no reply names its own");
  if (talker.key === "") session.model ??= model;
  else talker.about.model ??= model;
}

function readError({ ledger }: Session, { type, data, talker }: Event): void {
  ledger.mapped(`events ${type}`, "extra of the episode");
  talker.about.error = asText(data["message"])?.slice(0, 2000) ?? talker.about.error;
}

function readAgentStart(session: Session, event: Event): void {
  const { type, row, data } = event;
  const { begunBy, ledger } = session;
  ledger.mapped(`events ${type}`, "origin of the agent's episode");
  const callId = asText(data["toolCallId"]);
  const agent = asText(row["agentId"]) ?? callId;
  if (agent === undefined) return;
  if (callId !== undefined) begunBy.set(callId, agent);
  const { about } = talkerOf(session, agent);
  about.callId ??= callId;
  about.parent ??= asText(data["parentId"]);
  about.name ??= asText(data["agentName"]) ?? asText(data["agentType"]);
  about.model ??= asText(data["model"]);
}

function readAgentFailure(session: Session, { type, row, data }: Event): void {
  session.ledger.mapped(`events ${type}`, "extra of the agent's episode");
  const callId = asText(data["toolCallId"]) ?? "";
  const agent = asText(row["agentId"]) ?? session.begunBy.get(callId) ?? callId;
  if (agent !== "") talkerOf(session, agent).about.error ??= asText(data["error"])?.slice(0, 2000);
}
