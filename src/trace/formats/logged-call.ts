import { parseJson } from "../../model/read-json.ts";
import { asRecord, asText, isRecord, type JsonRecord, without } from "./records.ts";
import { eventsInText, replyOfEvents } from "./stream-reply.ts";

/** A request to a model and its response, as proxies, tracers and batches log them. */
export interface LoggedCall {
  /** The row without the two. */
  readonly row: JsonRecord;
  readonly request: JsonRecord;
  readonly response: JsonRecord | undefined;
}

const REQUESTS = ["request", "body", "params", "inputs", "proxy_server_request", "request_body", "input"];
const RESPONSES = ["response", "result", "outputs", "response_body", "output", "original_response"];
/** Below a request or a response, where its body stands beside headers and a status. */
const BODIES = ["body", "json", "body_raw", "message"];

/** The request and the response of a row, in whatever keys and under whatever envelope. Texts are read as JSON or as a stream's events. */
export function loggedCall(row: JsonRecord): LoggedCall {
  const [asked, request] = first(row, REQUESTS, bodyOf);
  const [answered, response] = first(row, RESPONSES, (value) => bodyOf(value) ?? wordsOf(value));
  // The body of a logged request stands in the row itself where nothing else is one.
  const keys = [asked, answered].filter((key) => key !== undefined);
  return { row: without(row, keys), request: request ?? {}, response };
}

function first(
  row: JsonRecord,
  keys: readonly string[],
  read: (value: unknown) => JsonRecord | undefined,
): readonly [string | undefined, JsonRecord | undefined] {
  for (const key of keys) {
    const value = row[key] === undefined || row[key] === null ? undefined : read(row[key]);
    if (value !== undefined) return [key, value];
  }
  return [undefined, undefined];
}

function bodyOf(value: unknown): JsonRecord | undefined {
  if (typeof value === "string") return ofText(value);
  if (Array.isArray(value)) return replyOfEvents(value.filter(isRecord));
  if (!isRecord(value)) return undefined;
  if (isBody(value)) return value;
  const [, inner] = first(value, BODIES, bodyOf);
  return inner ?? value;
}

function ofText(text: string): JsonRecord | undefined {
  const value = parseJson(text);
  if (value === undefined) return replyOfEvents(eventsInText(text));
  return typeof value === "string" ? undefined : bodyOf(value);
}

/** An answer that was logged as its words alone. */
function wordsOf(value: unknown): JsonRecord | undefined {
  const content = asText(value);
  return content === undefined || content.includes("data:") ? undefined : { role: "assistant", content };
}

/** It is a body itself, and no envelope of one. */
function isBody(value: JsonRecord): boolean {
  return ["messages", "choices", "content", "input", "output", "contents", "generations"].some(
    (key) => key in value,
  );
}

/** The error that stands in place of a response. */
export function errorIn({ row, response }: LoggedCall): string | undefined {
  const given = response?.["error"] ?? row["error"] ?? row["exception"];
  if (typeof given === "string") return asText(given);
  const error = asRecord(given);
  return asText(error["message"]) ?? asText(asRecord(error["error"])["message"]) ?? asText(error["type"]);
}
