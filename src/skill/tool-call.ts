import type { Intervention } from "../model/intervention.ts";

/** The proposed call, as far as an intervention on it cares. */
interface CallContext {
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
}

/** A piece of a command line, half-open, and the text that comes in its place. */
interface CommandEdit {
  readonly range: { readonly start: number; readonly end: number };
  readonly text: string;
}

/** Changes inputs of the proposed call; the others stay. Through "hasp", for Program Functions of coding agents. */
export function changeInput(
  ctx: CallContext,
  changes: Readonly<Record<string, unknown>>,
  reason: string,
): Intervention {
  return { type: "MODIFY_ACTION", newActionArg: JSON.stringify({ ...ctx.call.input, ...changes }), reason };
}

/** Changes pieces of the proposed command line; the rest stays as it was written. Pieces must not overlap. */
export function changeCommand(ctx: CallContext, edits: readonly CommandEdit[], reason: string): Intervention {
  const written = ctx.call.input["command"];
  const line = typeof written === "string" ? written : "";
  const command = [...edits]
    .sort((a, b) => b.range.start - a.range.start)
    .reduce((text, { range, text: by }) => text.slice(0, range.start) + by + text.slice(range.end), line);
  return changeInput(ctx, { command }, reason);
}

/** Nothing runs, and the agent reads `text` in place of an answer. */
export function refuse(text: string, reason: string): Intervention {
  return { type: "MODIFY_ACTION", newActionType: "REFUSE", newActionArg: text, reason };
}
