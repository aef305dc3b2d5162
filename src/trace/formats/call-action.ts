import type { Action } from "../../model/action.ts";
import { readJson } from "../../model/read-json.ts";
import { isRecord } from "./records.ts";

/**
 * The action of a tool call: the tool's own name, and its argument. Where it has one argument and that is a text, `arg` is
 * this text and `raw` the arguments as they were; else `arg` is the arguments as compact JSON, so that two calls that differ
 * in any argument are two actions.
 */
export function actionOfCall({ name, args }: { readonly name: string; readonly args: unknown }): Action {
  const type = name === "" ? "other" : name;
  const given = typeof args === "string" ? parsed(args) : args;
  const withRaw = (arg: string, raw: string): Action =>
    arg === raw && type !== "other" ? { type, arg } : { type, arg, raw };
  if (given === undefined || given === null) return withRaw("", typeof args === "string" ? args : "");
  if (!isRecord(given))
    return withRaw(typeof given === "string" ? given : JSON.stringify(given), textOf(args));
  const [only, ...more] = Object.values(given);
  if (more.length === 0 && typeof only === "string") return withRaw(only, textOf(given));
  const json = Object.keys(given).length === 0 ? "" : JSON.stringify(given);
  return withRaw(json, json === "" ? "" : json);
}

function textOf(args: unknown): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

/** What the text says as JSON; the text itself where it is none. */
function parsed(text: string): unknown {
  if (text.trim() === "") return undefined;
  const { value, problem } = readJson(text);
  return problem === undefined ? value : text;
}

/** The arguments of an action that `actionOfCall` made, as an object. */
export function argsOfAction(action: Action): Record<string, unknown> {
  for (const text of [action.raw, action.arg]) {
    const value = text === undefined ? undefined : parsed(text);
    if (isRecord(value)) return { ...value };
  }
  return action.arg === "" ? {} : { input: action.arg };
}
