import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import type { Fault } from "./wire.ts";

/** The sandbox stopped in the middle of something. Whatever held it must be thrown away. */
export class Broken extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /interrupted/,
    "ran too long and was stopped: an endless loop, a regular expression that backtracks without end, or too much data?",
  ],
  [/out of memory/, "ran out of memory: a PF and its data have 64 MB"],
  [/call stack|stack overflow/, "calls itself too deeply, or nests data too deeply (stack overflow)"],
];

/** A limit that was met, in words for a PF's author. */
export function hostFault(message: string, stack = ""): Fault {
  const words = WORDS.find(([pattern]) => pattern.test(message))?.[1] ?? `broke the sandbox: ${message}`;
  const line = /pf:[^\n]*?:(\d+):\d+/.exec(stack)?.[1];
  return { cause: "host", message: words, ...(line !== undefined && { line: Number(line) }) };
}

function textOf(context: QuickJSContext, error: QuickJSHandle, name: string): string {
  return context
    .getProp(error, name)
    .consume((value) => (context.typeof(value) === "string" ? context.getString(value) : ""));
}

/** Makes Broken of an error that came out of the sandbox; takes over the handle. */
export function breakdown(context: QuickJSContext, error: QuickJSHandle): Broken {
  try {
    return new Broken(hostFault(textOf(context, error, "message"), textOf(context, error, "stack")));
  } catch (thrown) {
    return new Broken(hostFault(String(thrown)));
  }
}
