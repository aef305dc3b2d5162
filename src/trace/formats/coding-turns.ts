import { addAll } from "./add-all.ts";
import type { Action } from "../../model/action.ts";
import type { ToolResult } from "../../model/coding-context.ts";
import type { Usage } from "../../model/usage.ts";
import { sumOfUsages } from "./counts.ts";
import type { AgentTurn, Turn } from "./turn.ts";
import { argOfInput } from "../canonical-input.ts";
import { canonicalCall } from "./tools/tool-table.ts";
import type { ToolTable } from "./tools/tool-shape.ts";

/** A host's call as an action: the canonical tool, or the host's own name, and its input as JSON. */
export function codingAction(
  table: ToolTable,
  name: string,
  input: unknown,
  cwd: string | undefined,
): Action {
  const call = canonicalCall(table, name, input, cwd);
  return { type: call.type, arg: argOfInput(call.type, call.input) };
}

/** The turns with the calls of each as canonical actions. */
export function withCodingActions(
  turns: readonly Turn[],
  table: ToolTable,
  cwd: string | undefined,
): readonly Turn[] {
  return turns.map((turn) => {
    if (turn.kind !== "agent") return turn;
    const calls = turn.calls.map((call) => ({
      ...call,
      action: codingAction(table, call.name, call.args, cwd),
    }));
    return { ...turn, calls };
  });
}

/** Texts that are there, one under the other. */
export function joined(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n\n");
}

function sumOf(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { ...b, ...sumOfUsages([a, b]) };
}

/** Nothing but the first reply stands between the prompts of two: the agent read nothing new before it went on. */
function isOneReply({ read: before }: AgentTurn, { read: then }: AgentTurn): boolean {
  return before !== undefined && then?.talk === before.talk && then.upTo === before.upTo + 1;
}

/** The prompt and the reply of two turns as one: a prompt that ends with words of the agent itself asks for no reply. */
function joinedReply(before: AgentTurn, then: AgentTurn): Pick<AgentTurn, "read" | "completion"> {
  const [first, last] = [before.completion, then.completion];
  if (first === undefined || last === undefined || !isOneReply(before, then)) return {};
  const reasoning = joined(first.reasoning, last.reasoning);
  const text = [first.text, last.text].filter((part) => part !== "").join("\n");
  return { read: before.read, completion: { ...last, text, ...(reasoning === "" ? {} : { reasoning }) } };
}

/** Two turns of the agent with nothing between them as one: what it said first is part of its thought. */
function merged(before: AgentTurn, then: AgentTurn): AgentTurn {
  const extra = { ...before.extra, ...then.extra };
  return {
    ...then,
    ...joinedReply(before, then),
    text: joined(before.text, then.text),
    reasoning: joined(before.reasoning, then.reasoning),
    usage: sumOf(before.usage, then.usage),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/**
 * The turns of a coding agent with its stops marked. Words without a call are a stop where a person speaks next or nothing follows,
 * unless the format says that it was stopped; where the agent goes on, they are the thought of what it does next, unless the format says
 * that it ended there and was held back.
 */
export function settledTurns(turns: readonly Turn[]): readonly Turn[] {
  const settled: Turn[] = [];
  let open: AgentTurn | undefined;
  /** What was said since `open` by neither agent nor person. */
  let since: Turn[] = [];
  const close = (): void => {
    if (open !== undefined) settled.push(open.text === "" ? open : { ends: true, ...open });
    addAll(settled, since);
    open = undefined;
    since = [];
  };
  for (const turn of turns) {
    if (turn.kind === "agent") {
      if (open?.ends === true) close();
      const whole: AgentTurn = open === undefined ? turn : merged(open, turn);
      addAll(settled, since);
      since = [];
      open = turn.calls.length === 0 ? whole : undefined;
      if (open === undefined) settled.push(whole);
    } else if (turn.kind === "user") {
      close();
      settled.push(turn);
    } else since.push(turn);
  }
  close();
  return settled;
}

/** A result as far as it is known; an exit code tells whether it went well where the host does not. */
export function resultOf(exitCode: number | undefined, ok: boolean | undefined): ToolResult | undefined {
  const well = ok ?? (exitCode === undefined ? undefined : exitCode === 0);
  if (well === undefined) return undefined;
  return { ...(exitCode === undefined ? {} : { exitCode }), ok: well };
}
