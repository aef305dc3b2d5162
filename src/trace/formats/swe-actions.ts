import type { Action } from "../../model/action.ts";
import { CODING_FINAL } from "../../model/coding-tools.ts";
import { parseJson } from "../../model/read-json.ts";
import { codingAction } from "./coding-turns.ts";
import type { ToolCall, Turn } from "./turn.ts";
import { asRecord, asText, type JsonRecord, recordsOf } from "./records.ts";
import {
  emptyWindow,
  REFUSED_EDIT,
  REFUSED_SUBMISSION,
  type SweCall,
  sweCall,
  type Window,
} from "./swe-commands.ts";
import { argOfInput, type ToolInput } from "../canonical-input.ts";
import { SWE_AGENT_TOOLS } from "./tools/swe-agent.ts";
import { pathInFolder } from "../tool-path.ts";

/** The folder in which the agent began, as the state after a step tells it, or a line that its shell shows. */
export function folderOf(states: readonly unknown[], observations: readonly string[]): string | undefined {
  for (const state of states) {
    const folder = asText(stateOf(state)["working_dir"]);
    if (folder !== undefined) return folder;
  }
  for (const text of observations) {
    const folder = /^\(Current directory: (.+)\)\s*$/m.exec(text)?.[1];
    if (folder !== undefined) return folder.trim();
  }
  return undefined;
}

/** The state after a step: an object, or the same as text. */
function stateOf(state: unknown): JsonRecord {
  return asRecord(typeof state === "string" ? parseJson(state) : state);
}

/** The call of a step: its message's tool call, else what its command says. */
export function callOfStep(message: JsonRecord | undefined, command: string): ToolCall {
  const [call] = recordsOf(message?.["tool_calls"]);
  const named = asRecord(call?.["function"]);
  const name = asText(named["name"]);
  if (name !== undefined) return { id: asText(call?.["id"]), name, args: named["arguments"] };
  if (command.trim() === "") return { name: "", args: undefined };
  return sweCall(command);
}

/** The turns with their calls as actions, and with what is known of the results. Window and folder are followed from turn to turn. */
export function actedTurns(turns: readonly Turn[], cwd: string | undefined): readonly Turn[] {
  const window = emptyWindow();
  return turns.map((turn): Turn => {
    if (turn.kind === "agent")
      return {
        ...turn,
        calls: turn.calls.map((call) => ({ ...call, action: actionOf(call, turn.text, window, cwd) })),
      };
    if (turn.kind !== "result") return turn;
    window.observe(turn.text);
    return isRefusal(turn.text) ? { ...turn, result: { ok: false } } : turn;
  });
}

const isRefusal = (text: string): boolean => REFUSED_EDIT.test(text) || REFUSED_SUBMISSION.test(text);

/** A reply without a command is kept whole, as a live step keeps it. */
function actionOf(call: ToolCall, reply: string, window: Window, cwd: string | undefined): Action {
  if (call.name === "") return { type: "invalid", arg: reply, raw: reply };
  if (call.name === "submit") return { type: CODING_FINAL, arg: answerIn(argsOf(call.args)) };
  const given: SweCall = { name: call.name, args: argsOf(call.args) };
  const { type, args } = window.resolve(given);
  if (type === undefined) return codingAction(SWE_AGENT_TOOLS, call.name, args, cwd);
  return { type, arg: argOfInput(type, inFolder(args, cwd)) };
}

/** The text of a submission, under whatever name; most tasks have none, for the changed files are the answer. */
function answerIn(args: ToolInput): string {
  const given = Object.values(args).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof given === "string" ? given.trim() : "";
}

function argsOf(args: unknown): ToolInput {
  return typeof args === "string" ? stateOf(args) : asRecord(args);
}

function inFolder(args: ToolInput, cwd: string | undefined): ToolInput {
  const { path } = args;
  return typeof path === "string" ? { ...args, path: pathInFolder(path, cwd) } : args;
}
