import type { Fault } from "../wire.ts";

const MESSAGE_CHARS = 500;
const STACK_CHARS = 4_000;

/** A mistake that the guest itself found in what a PF did; the message says all there is to say. */
export class PfMistake extends Error {}

/** The mistake of a method that answered with something else than its type says. */
export class WrongAnswer extends PfMistake {}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** 1-based line of the innermost frame inside the PF, read off a QuickJS stack (`at name (pf:<skillId>:12:3)`). */
function lineIn(stack: unknown, skillId: string): number | undefined {
  if (typeof stack !== "string") return undefined;
  const frame = `pf:${skillId}:`;
  const text = stack.slice(0, STACK_CHARS);
  const at = text.indexOf(frame);
  const digits = at < 0 ? null : /^\d+/.exec(text.slice(at + frame.length));
  return digits === null ? undefined : Number(digits[0]);
}

/** What QuickJS says when a limit of the sandbox was met, for the PF's author. */
const LIMITS_MET = new Map([
  ["stack overflow", "calls itself too deeply, or nests data too deeply (stack overflow)"],
  ["out of memory", "ran out of memory: a PF and its data have 64 MB"],
  ["interrupted", "ran too long and was stopped: an endless loop?"],
]);

/** The class of the errors that QuickJS itself throws. PFs have no global of that name. */
const { InternalError: LimitError } = globalThis as { InternalError?: typeof Error };

const isOfSandbox = (thrown: unknown): thrown is Error =>
  LimitError !== undefined && thrown instanceof LimitError;

/** JSON.parse says with a SyntaxError that its text is nested too deeply. */
const canBeLimit = (error: object): boolean => error instanceof SyntaxError || isOfSandbox(error);

function describeError(error: Error, skillId: string): Fault {
  const { name, message } = error;
  const limit = canBeLimit(error) ? LIMITS_MET.get(message) : undefined;
  const line = lineIn(error.stack, skillId);
  return {
    cause: limit === undefined ? "threw" : "host",
    message: cut(limit ?? `${name}: ${message}`, MESSAGE_CHARS),
    ...(line !== undefined && { line }),
  };
}

/** A mistake found while the PF's code was running (a locked collection) has its line; one found afterwards has none. */
function describeMistake(mistake: PfMistake, skillId: string): Fault {
  const line = lineIn(mistake.stack, skillId);
  const cause = mistake instanceof WrongAnswer ? "returned" : "threw";
  return { cause, message: cut(mistake.message, MESSAGE_CHARS), ...(line !== undefined && { line }) };
}

/** Puts anything thrown by a PF into words, however hostile: its getters, traps and toString may throw again. */
export function describe(thrown: unknown, skillId: string): Fault {
  try {
    if (thrown instanceof PfMistake) return describeMistake(thrown, skillId);
    if (thrown instanceof Error) return describeError(thrown, skillId);
    return { cause: "threw", message: cut(`threw ${String(thrown)} instead of an Error`, MESSAGE_CHARS) };
  } catch {
    return { cause: "threw", message: "threw something that cannot be put into words" };
  }
}

/** QuickJS lets code catch this error, but after it nothing else in the sandbox can be relied on. */
export function isOutOfMemory(thrown: unknown): boolean {
  try {
    return isOfSandbox(thrown) && thrown.message === "out of memory";
  } catch {
    return false;
  }
}
