import type { Probe } from "../model/explanation.ts";
import type { ProbeSpan } from "./decision.ts";

/** One call of an instrumented function. */
export interface Frame {
  readonly fn: number;
  /** The latest value of each span; in a loop the last pass counts. */
  readonly values: Map<number, string>;
  /** Calls of functions of the same file, by the call's span. */
  readonly calls: Map<number, Frame>;
  /** The span of the return that ended it; undefined when it fell off its end or threw. */
  returned: number | undefined;
}

interface OpenFrame extends Frame {
  /** Finished calls that no span has claimed yet: a call's own probe comes right after it. */
  finished: Frame[];
}

/**
 * Turns the flat list of probes into calls. Returns the last complete call of function 0 (shouldActivate), or an unfinished
 * one when there is no other. Robust against a list that was cut off: then some values are missing.
 */
export function readFrames(spans: readonly ProbeSpan[], probes: readonly Probe[]): Frame | undefined {
  const stack: OpenFrame[] = [];
  let answer: Frame | undefined;
  let unfinished: Frame | undefined;
  const open = (fn: number): OpenFrame => {
    const frame: OpenFrame = { fn, values: new Map(), calls: new Map(), returned: undefined, finished: [] };
    if (fn === 0) unfinished = frame;
    stack.push(frame);
    return frame;
  };
  const close = (): void => {
    const frame = stack.pop();
    if (frame?.fn === 0) answer = frame;
    if (frame !== undefined) stack.at(-1)?.finished.push(frame);
  };
  for (const { id, value } of probes) {
    const span = spans[id];
    if (span === undefined) continue;
    if (span.role === "enter") open(span.fn);
    else {
      const frame = current(stack, span.fn) ?? open(span.fn);
      note(frame, span, value);
      if (span.role !== "value") close();
    }
  }
  return answer ?? unfinished;
}

/** The innermost open call of `fn`; calls above it threw, and are over. */
function current(stack: OpenFrame[], fn: number): OpenFrame | undefined {
  const at = stack.findLastIndex((frame) => frame.fn === fn);
  if (at === -1) return undefined;
  stack.length = at + 1;
  return stack[at];
}

function note(frame: OpenFrame, span: ProbeSpan, value: string): void {
  frame.values.set(span.id, value);
  const call = frame.finished.at(-1);
  if (call !== undefined) frame.calls.set(span.id, call);
  frame.finished = [];
  if (span.role === "return") frame.returned = span.id;
}
