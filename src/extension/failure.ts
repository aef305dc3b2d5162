import * as vscode from "vscode";
import { FileError } from "../platform/file-error.ts";
import { RequestError } from "../protocol/connection.ts";
import { COMMANDS } from "./contributions.ts";
import { ALLOW_LINK, allowAndRepeat, isAllowable } from "./linked-path.ts";
import { type Button, offer, type WayOut } from "./notification.ts";

export const OPEN_LOG: WayOut = { label: "Open log", command: COMMANDS.openLog.id };

/** A failure in a person's words: the message says what and why, `next` what to do about it. */
export class Failure extends Error {
  readonly next: string;
  readonly ways: readonly WayOut[];
  constructor(message: string, next: string, ...ways: readonly WayOut[]) {
    super(message);
    this.name = "Failure";
    this.next = next;
    this.ways = ways;
  }
}

/**
 * A condition that a command needs, and that nobody has met yet: nothing failed. The message names it, `next` says how to meet it, the
 * ways out do so.
 */
export class Unmet extends Failure {
  override readonly name = "Unmet";
}

export function isCancelled(error: unknown): boolean {
  if (error instanceof vscode.CancellationError) return true;
  return error instanceof Error && error.name === "AbortError";
}

function nextOf(error: unknown): string {
  if (error instanceof Failure || error instanceof FileError) return error.next;
  if (error instanceof RequestError && error.next !== undefined) return error.next;
  return "The log has the details.";
}

const listeners = new Set<(message: string) => void>();

/** Calls `listener` with the message of each failure as it is shown, until it is disposed of; an unmet condition is none. */
export function onDidShowFailure(listener: (message: string) => void): { dispose(): void } {
  listeners.add(listener);
  return { dispose: () => void listeners.delete(listener) };
}

const LONGEST_MESSAGE = 1_000;

/** A notification draws `[words](command:…)` as a link, and names in a message may be a stranger's: here it is text. */
export function asText(message: string): string {
  const plain = message.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, " ").replaceAll("](", "] (");
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : plain;
}

/** Buttons that settle an error, beside the one for the log. */
function waysOut(error: unknown, repeat: (() => Promise<unknown>) | undefined): readonly (WayOut | Button)[] {
  if (error instanceof Failure && error.ways.length > 0) return error.ways;
  if (!isAllowable(error)) return [];
  return [{ label: ALLOW_LINK, press: () => allowAndRepeat(error, repeat) }];
}

/**
 * Tells a person that `what` failed, why, and what to do next, with a button for the log. Not modal; does not wait for
 * the answer. A cancelled operation is no failure and says nothing; an unmet condition is an information, without the log. `repeat`
 * does the work again after a yes that it needs.
 */
export function showFailure(
  log: Pick<vscode.LogOutputChannel, "error">,
  what: string,
  error: unknown,
  repeat?: () => Promise<unknown>,
): void {
  if (isCancelled(error)) return;
  const why = error instanceof Error ? error.message : String(error);
  const next = asText(nextOf(error));
  const ways = waysOut(error, repeat);
  const { showErrorMessage, showInformationMessage } = vscode.window;
  let answered: Promise<void>;
  if (error instanceof Unmet) {
    answered = offer(showInformationMessage, `${asText(why)} ${next}`, ways);
  } else {
    log.error(what, error instanceof Error ? (error.stack ?? why) : why);
    const message = `${asText(`${what}: ${why}`)} ${next}`;
    for (const listener of listeners) listener(message);
    answered = offer(showErrorMessage, message, [...ways, OPEN_LOG]);
  }
  answered.catch((failed: unknown) => showFailure(log, what, failed));
}

/** Wraps a command so that its failure is shown; the value passes through for callers in code. */
export function guarded<A extends unknown[], R>(
  log: vscode.LogOutputChannel,
  what: string,
  run: (...args: A) => Promise<R>,
): (...args: A) => Promise<R | undefined> {
  const shown = async (...args: A): Promise<R | undefined> => {
    try {
      return await run(...args);
    } catch (error) {
      showFailure(log, what, error, () => shown(...args));
      return undefined;
    }
  };
  return shown;
}
