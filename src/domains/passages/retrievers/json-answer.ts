import { oneLine } from "../../../llm/redact.ts";
import { parseJson } from "../corpus.ts";
import { exchange, said, type Answer, type Call, type Wire } from "./exchange.ts";
import { RetrieverError } from "./retriever.ts";

/** Servers written in an afternoon send JSON as plain text or without a type; nobody means JSON and says HTML. */
const JSON_TYPES =
  /^(?:application\/(?:[\w.-]+\+)?json|text\/json|text\/plain|application\/octet-stream)\s*(?:;|$)/i;

/** Text of the answer in UTF-8, without secrets that a server may echo. */
function textOf(wire: Wire, { bytes }: Answer): string {
  return wire.redactor.hideKnown(new TextDecoder().decode(bytes));
}

/** The value of a JSON answer; undefined where it is none. */
export function jsonOf(wire: Wire, answer: Answer): unknown {
  const type = answer.headers.get("content-type");
  if (type !== null && !JSON_TYPES.test(type)) return undefined;
  return parseJson(textOf(wire, answer));
}

/** What stands there is no retriever of this kind. `what` completes "sent …". */
export function notTheService(who: string, what: string, expected: string): RetrieverError {
  return new RetrieverError(
    "unreachable",
    "unreadable answer",
    `${who} sent ${what}. Expected is ${expected}.`,
  );
}

function redirected(call: Call, answer: Answer): RetrieverError {
  const to = answer.headers.get("location") ?? "";
  const target = URL.canParse(to, call.url) ? new URL(to, call.url) : undefined;
  const where = target === undefined ? "elsewhere" : `to ${oneLine(target.origin + target.pathname, 120)}`;
  return new RetrieverError(
    "unreachable",
    "redirected",
    `${call.who} wants to send us ${where}. Redirects are not followed: give the final address as --retriever-url.`,
  );
}

function refused(wire: Wire, call: Call, answer: Answer): RetrieverError {
  const { status } = answer;
  const words = said(wire.redactor, answer);
  if (status === 401 || status === 403)
    return new RetrieverError("refused", "access refused", `${call.who} refuses access (${status})${words}`);
  const brief = `status ${status}`;
  if (status === 404 || status === 405)
    return new RetrieverError(
      "unreachable",
      brief,
      `${call.who} knows no such address (${status})${words} Check --retriever-url.`,
    );
  return new RetrieverError("failed", brief, `${call.who} refused the request (${status})${words}`);
}

/** What was sent instead of JSON, in a few words. */
function instead({ headers, bytes }: Answer): string {
  if (bytes.length === 0) return "an empty answer";
  const type = oneLine(headers.get("content-type") ?? "", 60);
  if (type !== "" && !JSON_TYPES.test(type)) return `${type} where JSON was expected`;
  return "something that is no JSON";
}

/**
 * Asks and reads the answer as JSON. Every other status than 2xx, every redirect, every other type and what is no JSON is a
 * RetrieverError. Secrets that the server echoes are hidden in the value. `expected` says what a good answer is.
 */
export async function askJson(
  wire: Wire,
  call: Call & { readonly expected: string },
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await exchange(wire, call, signal);
  if (answer.status >= 300 && answer.status < 400) throw redirected(call, answer);
  if (answer.status >= 400) throw refused(wire, call, answer);
  const value = jsonOf(wire, answer);
  if (value === undefined) throw notTheService(call.who, instead(answer), call.expected);
  return value;
}
