import type { Action } from "../model/action.ts";
import { parseJson } from "../model/read-json.ts";

export type CallInput = Readonly<Record<string, unknown>>;

/** The input of a tool call, from the JSON that its action has for an argument; `{}` where that is no JSON object. */
export function inputOf({ arg }: Pick<Action, "arg">): Record<string, unknown> {
  if (!arg.trimStart().startsWith("{")) return {};
  const value = parseJson(arg);
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of an input; undefined where it has none there. */
export function textOf(input: CallInput, key: string): string | undefined {
  const value = input[key];
  return typeof value === "string" ? value : undefined;
}
