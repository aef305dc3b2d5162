import { ModelError, type ModelFailure } from "./chat-model.ts";
import { saysLoading } from "./loading.ts";
import { oneLine } from "./redact.ts";

/** Why one try brought no reply, and whether another may. */
export interface FailedTry {
  readonly error: ModelError;
  readonly again: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly waitMs?: number;
  /** The server is loading its model: it is waited for, beyond the usual tries. */
  readonly isLoading?: boolean;
}

/** What is said to people: which model, and how they give a key for it. */
export interface About {
  readonly id: string;
  readonly howToGiveKey: string;
  /** Hides secrets; applied to all that a server says. */
  readonly redact: (text: string) => string;
}

/** An answer that is not 2xx. */
export interface Refusal {
  readonly status: number;
  /** What the server says about it. */
  readonly detail: string;
  readonly code?: string;
  /** The field of the request that it is about. */
  readonly param?: string;
  readonly waitMs?: number;
}

/** Passing troubles of a server; other statuses from 500 on, such as 501, stay. */
const PASSING = new Set([408, 500, 502, 503, 504, 529]);

/** What an answer that is not 2xx means. */
export function refusedTry(refusal: Refusal, about: About): FailedTry {
  const { status, waitMs } = refusal;
  const [kind, what, next] = meaning(refusal, about);
  const detail = oneLine(about.redact(refusal.detail));
  const error = new ModelError(
    kind,
    `${about.id} ${what} (${status})${detail === "" ? "." : `: ${detail}`}`,
    next,
  );
  const again = status === 429 ? refusal.code !== "insufficient_quota" : PASSING.has(status);
  const isLoading = status === 503 && saysLoading(refusal.detail);
  return { error, again, isLoading, ...(waitMs === undefined ? {} : { waitMs }) };
}

function meaning({ status, code }: Refusal, about: About): readonly [ModelFailure, string, string] {
  if (status === 401 || status === 403) return ["unauthorised", "did not accept the key", about.howToGiveKey];
  if (status === 429 && code === "insufficient_quota") {
    return [
      "rate_limited",
      "says that the account is used up",
      "See the plan and the billing of this account.",
    ];
  }
  if (status === 429)
    return ["rate_limited", "is answering too many requests", "Ask fewer at a time, or try later."];
  if (status >= 500 || status === 408)
    return ["server_error", "failed", "Try later, or see the log of the server."];
  if (status < 400) {
    return [
      "refused_request",
      "wants to send us elsewhere",
      "Redirects are not followed: name the final address.",
    ];
  }
  if (status === 404) {
    return [
      "refused_request",
      "was not found",
      "Check the address (most end in /v1) and the name of the model.",
    ];
  }
  return ["refused_request", "refused the request", "See what it says, and change the request or the model."];
}

/** The prompt is longer than the model reads: the same prompt will not fit at another try. */
export function overflowTry(about: About, what: string): FailedTry {
  const next =
    "Start the model with a longer context, choose one that reads more, or allow fewer steps (`max_steps`) or shorter replies.";
  return { error: new ModelError("context_overflow", `${about.id} ${what}.`, next), again: false };
}

/** Codes of troubles that another try does not cure. */
const LASTING =
  /^(ENOTFOUND|ERR_INVALID_|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO|HPE_)/;

/** No answer, or one that broke off. `code` is the system's, such as ECONNRESET. */
export function lostTry(about: About, code: string | undefined): FailedTry {
  const lasting = code !== undefined && LASTING.test(code);
  const reason = code === undefined ? "" : ` (${code})`;
  const next =
    code === "ECONNREFUSED"
      ? "Start the server, or check host and port; vLLM listens only once its model is loaded."
      : lasting
        ? "Check the address and its certificate."
        : "Check the network and the log of the server.";
  return {
    error: new ModelError("connection", `The connection to ${about.id} failed${reason}.`, next),
    again: !lasting,
  };
}

/** The server broke off in the middle of a stream and said why. */
export function brokenTry(about: About, detail: string): FailedTry {
  const said = oneLine(about.redact(detail));
  return {
    error: new ModelError(
      "server_error",
      `${about.id} broke off: ${said}`,
      "Try later, or see the log of the server.",
    ),
    again: true,
  };
}

/** The answer is no chat completion. Not tried again: such an address rarely changes. */
export function malformedTry(about: About, detail: string): FailedTry {
  const said = oneLine(about.redact(detail), 120);
  return {
    error: new ModelError(
      "malformed_reply",
      `${about.id} answered with something that is no chat completion${said === "" ? "." : `: ${said}`}`,
      "Check that the address is that of an OpenAI-compatible endpoint; most end in /v1.",
    ),
    again: false,
  };
}
