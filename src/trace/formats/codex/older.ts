import { type FormatProblem, warning } from "../format-reader.ts";
import { asList, asName, asRecord, asText, isRecord, type JsonRecord } from "../records.ts";
import { usageOf } from "../chat-messages.ts";
import { addUsage, readEvent } from "./events.ts";
import { readItem } from "./items.ts";
import { addPersonsWords, addWords, closeResponse, responseOf, type Rollout } from "./rollout.ts";
import { describeSession } from "./session-meta.ts";

/** Keys of the first line of a rollout before version 0.32. */
const META_KEYS = new Set(["id", "timestamp", "instructions", "git", "cwd", "originator", "cli_version"]);

const isMeta = (value: JsonRecord): boolean =>
  typeof value["id"] === "string" &&
  typeof value["timestamp"] === "string" &&
  ("instructions" in value || "git" in value) &&
  Object.keys(value).every((key) => META_KEYS.has(key));

/** The one document of the first Codex, which was written in TypeScript. */
const isDocument = ({ session, items }: JsonRecord): boolean =>
  isRecord(session) && typeof session["id"] === "string" && Array.isArray(items);

/** `codex exec --json` before version 0.45: an event and the number of what it answers. */
const isNumberedEvent = ({ id, msg }: JsonRecord): boolean =>
  typeof id === "string" && isRecord(msg) && typeof msg["type"] === "string";

const isSettings = (value: JsonRecord): boolean =>
  typeof value["workdir"] === "string" && typeof value["model"] === "string" && "provider" in value;

/** The prompt of `codex exec`, beside such events. */
export const isPromptAlone = (value: JsonRecord): boolean =>
  typeof value["prompt"] === "string" && Object.keys(value).length === 1;

/** A prompt of `history.jsonl`, which holds those of all sessions. */
const isHistory = (value: JsonRecord): boolean =>
  typeof (value["session_id"] ?? value["conversation_id"]) === "string" &&
  typeof value["ts"] === "number" &&
  typeof value["text"] === "string" &&
  Object.keys(value).length === 3;

/** A session of `session_index.jsonl`. */
const isIndex = (value: JsonRecord): boolean =>
  typeof value["id"] === "string" && "thread_name" in value && "updated_at" in value;

/** A line, or the document, of an older form; or of a file of Codex that holds no session. */
export function isOlderLine(value: JsonRecord): boolean {
  if (value["record_type"] === "state") return true;
  const forms = [isMeta, isDocument, isNumberedEvent, isSettings, isHistory, isIndex];
  return forms.some((isForm) => isForm(value));
}

/** Reads it. Answers with what a person should know of it. */
export function readOlderLine(rollout: Rollout, value: JsonRecord, line: number): FormatProblem | undefined {
  const { ledger } = rollout;
  if (value["record_type"] === "state") ledger.dropped("lines of record_type state", "they repeat no words");
  else if (isMeta(value)) describeOlder(rollout, value);
  else if (isDocument(value)) readDocument(rollout, value, line);
  else if (isNumberedEvent(value)) readNumbered(rollout, asRecord(value["msg"]));
  else if (isSettings(value)) describeSession(rollout, value);
  else if (isPromptAlone(value)) addPersonsWords(rollout, asText(value["prompt"]) ?? "", true);
  else return noSession(rollout, isHistory(value), line);
  return undefined;
}

function describeOlder(rollout: Rollout, meta: JsonRecord): void {
  rollout.ledger.mapped("the first line of the session", "id, settings and facts");
  rollout.about.id ??= asText(meta["id"]);
  describeSession(rollout, meta);
  const instructions = asText(meta["instructions"]);
  if (instructions !== undefined) addWords(rollout, instructions, false);
}

function readDocument(rollout: Rollout, document: JsonRecord, line: number): void {
  describeOlder(rollout, asRecord(document["session"]));
  for (const item of asList(document["items"])) {
    if (isRecord(item)) readItem(rollout, { item, timestamp: undefined, line });
    else rollout.ledger.unknown("entries of items that are no objects");
  }
}

/** The events are all that such a file has: words stand in them alone. */
function readNumbered(rollout: Rollout, event: JsonRecord): void {
  const { ledger, about } = rollout;
  const type = asName(event["type"]);
  if (type === "agent_message" || type === "agent_reasoning") {
    ledger.mapped(`events ${type}`, "thoughts or FINAL");
    closeResponse(rollout);
    const response = responseOf(rollout, undefined);
    if (type === "agent_message") response.texts.push(asText(event["message"]) ?? "");
    else response.reasoning.push(asText(event["text"]) ?? "");
  } else if (type === "session_configured") {
    ledger.mapped("events session_configured", "id and settings");
    about.id ??= asText(event["session_id"]);
    describeSession(rollout, event);
  } else if (type === "token_count" && !("info" in event)) {
    ledger.mapped("events token_count", "usage of steps");
    addUsage(rollout, usageOf(event, ledger));
  } else readEvent(rollout, event, undefined);
}

/** Files that Codex keeps beside its sessions. */
function noSession({ ledger }: Rollout, isHistory: boolean, line: number): FormatProblem | undefined {
  const [file, has] = isHistory
    ? ["history.jsonl", "the prompts of all sessions, without what the agent did"]
    : ["session_index.jsonl", "the names of sessions"];
  ledger.dropped(`lines of ${file}`, `they hold ${has}`);
  if (line > 0) return undefined;
  const message = `this is ${file} of Codex: it holds ${has}.`;
  return warning(
    line,
    message,
    "Import the rollout files in ~/.codex/sessions and ~/.codex/archived_sessions.",
  );
}
