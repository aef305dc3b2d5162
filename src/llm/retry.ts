import type { Timing } from "./timing.ts";

export interface RetryLimits {
  /** Tries after the first. */
  readonly retries: number;
  /** Milliseconds before the second try; doubles with each. */
  readonly backoffMs: number;
  /** Milliseconds that a wait lasts at most, also where the server asks for more. */
  readonly longestWaitMs: number;
}

/**
 * Milliseconds before the next try. The server's own wish, else doubling with half of it left to chance, so that calls
 * which failed together do not come back together.
 * @param failed tries so far, at least 1.
 */
export function waitBefore(
  failed: number,
  asked: number | undefined,
  limits: RetryLimits,
  timing: Timing,
): number {
  const backoff = limits.backoffMs * 2 ** (failed - 1) * (0.5 + timing.random() / 2);
  return Math.min(limits.longestWaitMs, asked ?? backoff);
}

/** `Retry-After` (seconds or a date) or `retry-after-ms`, in milliseconds from now; undefined where neither can be read. */
export function askedWait(headers: Headers, now: number): number | undefined {
  const exact = numberOf(headers.get("retry-after-ms"));
  if (exact !== undefined) return exact;
  const text = headers.get("retry-after");
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
