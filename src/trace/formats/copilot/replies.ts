import { contentOf } from "../chat-messages.ts";
import { joined } from "../coding-turns.ts";
import { exitCodeOf, tokensOf } from "../counts.ts";
import { type FormatProblem, warning } from "../format-reader.ts";
import { asRecord, asText, isRecord, type JsonRecord, recordsOf } from "../records.ts";
import { addWords, type Event, say } from "./event.ts";
import { type Call, readBy, type Response, type Session, type Talker } from "./session.ts";
import { isImage } from "./told.ts";

/** Thoughts come before their message, or right after it; mostly the message has them, too. */
export function readThought({ ledger }: Session, { type, row, data, talker }: Event): void {
  ledger.mapped(`events ${type}`, "thoughts, where the message has none");
  const text = asText(data["content"]) ?? "";
  const { latest } = talker;
  if (latest?.eventId === undefined || latest.eventId !== row["parentId"])
    talker.thought = joined(talker.thought, text);
  else if (text !== "" && !latest.reasoning.includes(text)) latest.reasoning.push(text);
}

/** A message is a reply, or one more part of the reply before it. */
export function readMessage(session: Session, event: Event): void {
  const { data, talker, type } = event;
  const { ledger } = session;
  const messageId = asText(data["messageId"]);
  if (messageId !== undefined && session.messages.has(messageId)) {
    ledger.dropped(`events ${type} that come again`, "they were read before");
    return;
  }
  if (messageId !== undefined) session.messages.add(messageId);
  ledger.mapped(`events ${type}`, "thoughts and actions");
  const apiCallId = asText(data["apiCallId"]);
  const { latest } = talker;
  const isMore = apiCallId !== undefined && latest?.apiCallId === apiCallId;
  const response = isMore ? latest : newResponse(session, event, true);
  const { text } = contentOf(data["content"]);
  const thought = joined(asText(data["reasoningText"]), asText(data["reasoning"])) || talker.thought;
  talker.thought = "";
  if (text !== "") response.texts.push(text);
  if (thought !== "") response.reasoning.push(thought);
  for (const request of recordsOf(data["toolRequests"])) {
    const id = asText(request["toolCallId"]) ?? asText(request["id"]);
    const name = asText(request["name"]) ?? asText(request["toolName"]) ?? "";
    askFor(session, talker, response, { id, name, args: request["arguments"], outputs: [] });
  }
  const outputTokens = tokensOf(data, ["outputTokens"], ledger);
  const told = apiCallId === undefined ? talker.usage : talker.usages.get(apiCallId);
  if (apiCallId === undefined) talker.usage = undefined;
  response.usage ??= told ?? (outputTokens === undefined ? undefined : { inputTokens: 0, outputTokens });
  talker.latest = response;
}

function newResponse(session: Session, { row, data, at, talker }: Event, isTold: boolean): Response {
  const apiCallId = isTold ? asText(data["apiCallId"]) : undefined;
  const response: Response = {
    kind: "response",
    at,
    read: readBy(talker),
    before: talker.said,
    eventId: asText(row["id"]),
    timestamp: asText(row["timestamp"]),
    model: asText(data["model"]),
    apiCallId,
    isTold,
    texts: [],
    reasoning: [],
    calls: [],
  };
  if (apiCallId !== undefined) session.hasCallIds = true;
  talker.entries.push(response);
  talker.last = response;
  return response;
}

/** The call of a message; its start may have been told before. Ids of some models come again with each reply. */
function askFor(session: Session, talker: Talker, response: Response, call: Call): void {
  const known = call.id === undefined ? undefined : talker.calls.get(call.id);
  if (known?.isUnasked === true && isSame(known, call)) known.isUnasked = false;
  else addCall(session, talker, response, call);
}

const isSame = (a: Call, b: Call): boolean =>
  a.name === b.name && JSON.stringify(a.args) === JSON.stringify(b.args);

function addCall(session: Session, talker: Talker, response: Response, call: Call): void {
  if (call.id !== undefined) {
    talker.calls.set(call.id, call);
    session.calls.set(call.id, call);
  }
  response.calls.push(call);
}

/** A start without a request before it: the message was not recorded. Starts in a row belong to one reply. */
export function readCallStart(session: Session, event: Event): void {
  const { type, data, talker } = event;
  const id = asText(data["toolCallId"]);
  if (id !== undefined && session.persons.has(id)) return;
  session.ledger.mapped(`events ${type}`, "actions");
  const known = id === undefined ? undefined : (talker.calls.get(id) ?? session.calls.get(id));
  if (known?.outputs.length === 0) return;
  const { latest } = talker;
  const isOpen = latest !== undefined && latest.calls.every(({ outputs }) => outputs.length === 0);
  const response = isOpen ? latest : newResponse(session, event, false);
  const name = asText(data["toolName"]) ?? "";
  addCall(session, talker, response, { id, name, args: data["arguments"], outputs: [], isUnasked: true });
  talker.latest = response;
}

export function readResult(session: Session, event: Event): FormatProblem | undefined {
  const { type, data, line } = event;
  const { ledger } = session;
  const text = textOfResult(data);
  const id = asText(data["toolCallId"]);
  const made = id === undefined ? undefined : (event.talker.calls.get(id) ?? session.calls.get(id));
  if (data["isUserRequested"] === true || (id !== undefined && session.persons.has(id))) {
    say(session, event, text);
    return undefined;
  }
  if (made === undefined) {
    ledger.kept(`events ${type} without their call`, "text that the agent read");
    addWords(event.talker, event.at, text, false);
    const message = `the result of the call ${JSON.stringify((id ?? "").slice(0, 60))} stands here, and the call is missing; its text is kept.`;
    return warning(line, message, "Check whether the beginning of the session is missing.");
  }
  ledger.mapped(`events ${type}`, "observations and results");
  if (made.outputs.at(-1) !== text) made.outputs.push(text);
  if (made.isLate === true) event.talker.late.push(made);
  made.isLate = false;
  made.exitCode = exitCodeOf(asRecord(data["shellExecution"])["exitCode"]);
  made.ok = typeof data["success"] === "boolean" ? data["success"] : undefined;
  return undefined;
}

/** The words of a result that the agent read: a text, a list of parts, or an object that holds one of them, and an error. */
function textOfResult(data: JsonRecord): string {
  const { result } = data;
  const told = isRecord(result)
    ? (result["content"] ?? result["textResultForLlm"] ?? result["value"])
    : result;
  const error = asText(asRecord(data["error"])["message"]) ?? asText(data["error"]);
  const images = recordsOf(asRecord(result)["binaryResultsForLlm"])
    .filter(isImage)
    .map(() => "[image]");
  const text = joined(contentOf(told).text, ...images);
  return error === undefined || text.includes(error) ? text : joined(text, error);
}

export function readAbort({ ledger }: Session, { type, talker }: Event): void {
  ledger.mapped(`events ${type}`, "a turn that is no FINAL");
  const { last } = talker;
  if (last !== undefined && last.calls.length === 0) last.ends = false;
}
