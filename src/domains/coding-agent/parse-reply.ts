import type { Action } from "../../model/action.ts";
import { parseJson } from "../../model/read-json.ts";
import { CODING_FINAL } from "../../model/coding-tools.ts";
import { isRecord } from "./call-input.ts";
import { argOfInput } from "../../trace/canonical-input.ts";
import { CODING_ACTIONS } from "../../model/coding-tools.ts";

/** Characters of a reply that are looked at: a whole file may stand in it. */
const LOOKED_AT = 400_000;
const RAW_CHARS = 4_000;
/** Opening braces at which a call is looked for. */
const TRIES = 50;
const THOUGHT_LABEL = /^\**thought\**\s{0,4}:\s*\**/i;
/** Bounded, as a reply may be a megabyte of its signs. */
const CALL_LABEL = /\*{0,3}(?:call|action)\*{0,3}\s{0,4}:\s{0,4}\*{0,3}$/i;
const TYPES = new Map(CODING_ACTIONS.map((type) => [type.toLowerCase(), type]));

/** Up to the brace that closes the one at `start`; quoted braces do not count. */
function objectAt(text: string, start: number): string | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const c = text[at];
    if (isQuoted) {
      if (c === "\\") at++;
      else if (c === '"') isQuoted = false;
    } else if (c === '"') isQuoted = true;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return text.slice(start, at + 1);
  }
  return undefined;
}

function callIn(json: string): Action | undefined {
  const value = parseJson(json);
  if (!isRecord(value)) return undefined;
  const { tool, input, text } = value;
  if (typeof tool !== "string" || tool === "") return undefined;
  const type = TYPES.get(tool.toLowerCase()) ?? tool;
  if (type !== CODING_FINAL) return { type, arg: argOfInput(type, isRecord(input) ? input : {}) };
  const said = isRecord(input) ? input["text"] : (input ?? text);
  return { type, arg: typeof said === "string" ? said : "" };
}

/**
 * Thought and tool call of a model's reply: the first JSON object with a `tool`, wherever it stands, also in a code fence. Text without
 * one is `invalid`: `arg` and `raw` hold it. Never fails.
 */
export function parseReply(whole: string): { readonly thought: string; readonly action: Action } {
  const reply = whole.slice(0, LOOKED_AT).trim();
  let at = reply.indexOf("{");
  for (let tries = 0; at !== -1 && tries < TRIES; tries++) {
    const json = objectAt(reply, at);
    const action = json === undefined ? undefined : callIn(json);
    if (action !== undefined) return { thought: thoughtOf(reply.slice(0, at)), action };
    at = reply.indexOf("{", at + 1);
  }
  const raw = reply.slice(0, RAW_CHARS);
  return { thought: thoughtOf(raw), action: { type: "invalid", arg: raw, raw } };
}

function thoughtOf(text: string): string {
  return text
    .trim()
    .replace(/```\w{0,20}$/, "")
    .trim()
    .replace(CALL_LABEL, "")
    .trim()
    .replace(THOUGHT_LABEL, "")
    .trim();
}
