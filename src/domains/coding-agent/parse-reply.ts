import type { Action } from "../../model/action.ts";
import { CANONICAL_KEYS, CODING_ACTIONS, CODING_FINAL, isCodingTool } from "../../model/coding-tools.ts";
import type { Proposal } from "../../model/episode.ts";
import { parseJson } from "../../model/read-json.ts";
import { argOfInput } from "../../trace/canonical-input.ts";
import { isRecord, type CallInput } from "../call-input.ts";
import { objectAt, parseLooseJson, type Budget } from "./loose-json.ts";

/** A line that begins with it is the tool's; a model that writes one plays its environment. */
export const TOOL_ANSWER = "Tool answer:";

/** Characters of a reply that are looked at: a whole file may stand in it. */
const LOOKED_AT = 400_000;
const RAW_CHARS = 4_000;
/** Opening braces at which a call is looked for, and characters that are looked at for all of them. */
const TRIES = 50;
const LOOKS = 4_000_000;
/** The beginning of a call: nothing but a name of a key can follow its brace. */
const OPENING = /\{\s{0,40}["']/g;
/** Characters before an object in which the name of its tool is looked for. */
const NAMED_BEFORE = 100;
const THOUGHT_LABEL = /^\**thought\**\s{0,4}:\s*\**/i;
/** Bounded, as a reply may be a megabyte of its signs. */
const CALL_LABEL = /(?:\*{0,3}(?:call|action)\*{0,3}\s{0,4}:\s{0,4}\*{0,3}|<tool_call>)$/i;
/** A line with the name of a tool and, in this line or the next, a label of its input: `Action: Read`, `Action Input:`. */
const NAME_BEFORE =
  /(?:^|\n)\s{0,8}(?:\*{0,3}(?:call|action|tool)\*{0,3}\s{0,4}:\s{0,4})?[*`]{0,3}(\w{3,20})[*`]{0,3}\s{0,4}(?:(?:action[ _])?(?:input|arguments|args)\s{0,4})?[:(]?\s{0,4}(?:```\w{0,20}\s{0,4})?$/i;
/** The beginning of an object or a list that the call may be a part of. */
const WRAPPER = /(?:^|\n)[^\S\n]{0,8}[[{]/;
const THINKING = "<think>";
const THOUGHT_END = "</think>";
/** A form's mark for a value that is still to be written. */
const PLACEHOLDER = /^(?:…|\.{3}|<[\w ]{1,30}>)$/;
/** Keys whose value may well be a tag, such as `<div>`, or a pattern of three characters. */
const ANY_TEXT: ReadonlySet<string> = new Set(["oldText", "newText", "pattern"]);
/** Keys under which models put the input of a call. */
const INPUT_KEYS = ["input", "arguments", "args", "parameters", "params"];

type Parsed = Pick<Proposal, "thought" | "action" | "lenient">;

/** A call with its place in the reply. */
interface Call {
  readonly action: Action;
  readonly start: number;
  readonly end: number;
  /** It is JSON with the keys and the names of the prompt. */
  readonly isExact: boolean;
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[_\- ]/g, "");
const TYPES = new Map(CODING_ACTIONS.map((type) => [folded(type), type]));

/** The input under one of the usual keys, as an object or as JSON in a string. */
function inputIn(call: CallInput): unknown {
  const key = INPUT_KEYS.find((one) => Object.hasOwn(call, one));
  const given = key === undefined ? undefined : call[key];
  const read = typeof given === "string" ? parseJson(given) : undefined;
  return isRecord(read) ? read : given;
}

/** The input beside the name of its tool. */
function flatInput(
  type: string,
  { tool: _tool, name: _name, thought: _thought, ...rest }: CallInput,
): unknown {
  return isInputOf(type, rest) ? rest : undefined;
}

/** It has the key without which the tool can do nothing. */
function isInputOf(type: string, input: unknown): input is CallInput {
  return isCodingTool(type) && isRecord(input) && Object.hasOwn(input, CANONICAL_KEYS[type][0] ?? "");
}

const isPlaceholder = (value: unknown): boolean =>
  typeof value === "string" && PLACEHOLDER.test(value.trim());

const hasPlaceholder = (input: CallInput): boolean =>
  Object.entries(input).some(([key, value]) => !ANY_TEXT.has(key) && isPlaceholder(value));

function finalOf(call: CallInput): Action | undefined {
  const input = inputIn(call);
  const said = isRecord(input) ? (input["text"] ?? input["answer"]) : (input ?? call["text"] ?? "");
  return typeof said === "string" && !isPlaceholder(said) ? { type: CODING_FINAL, arg: said } : undefined;
}

/** The call that an object is; `name` in place of `tool` only for known tools with an input, as other objects have names too. */
function actionOf(value: CallInput): Action | undefined {
  const { tool, name } = value;
  const called = tool ?? name;
  if (typeof called !== "string" || called === "") return undefined;
  const known = TYPES.get(folded(called));
  if (tool === undefined && known === undefined && !called.startsWith("mcp__")) return undefined;
  const type = known ?? called;
  const given = inputIn(value) ?? undefined;
  if (tool === undefined && given === undefined) return undefined;
  if (type === CODING_FINAL) return finalOf(value);
  const input = given ?? flatInput(type, value) ?? {};
  if (!isRecord(input) || hasPlaceholder(input)) return undefined;
  return { type, arg: argOfInput(type, input) };
}

/** The call of an object that is the input alone, with the name of the tool before it. */
function namedCall(before: string, input: CallInput): Pick<Call, "action" | "start"> | undefined {
  const near = before.slice(-NAMED_BEFORE);
  const named = NAME_BEFORE.exec(near);
  const type = TYPES.get(folded(named?.[1] ?? ""));
  if (named === null || type === undefined) return undefined;
  const isInput = type === CODING_FINAL ? typeof input["text"] === "string" : isInputOf(type, input);
  const action = isInput ? actionOf({ tool: type, input }) : undefined;
  return action && { action, start: before.length - near.length + named.index };
}

function isOwnForm(value: CallInput, { type }: Action): boolean {
  const { tool, input, ...more } = value;
  const isInput = isRecord(input) && (type !== CODING_FINAL || typeof input["text"] === "string");
  return tool === type && isInput && Object.keys(more).length === 0;
}

function callFrom(
  reply: string,
  start: number,
  text: string,
  value: CallInput,
  isJson: boolean,
): Call | undefined {
  const end = start + text.length;
  const whole = actionOf(value);
  if (whole !== undefined) return { action: whole, start, end, isExact: isJson && isOwnForm(value, whole) };
  const named = namedCall(reply.slice(0, start), value);
  return named && { ...named, end, isExact: false };
}

function callAt(reply: string, start: number, budget: Budget): Call | undefined {
  const json = objectAt(reply, start, '"', budget);
  const strict = json === undefined ? undefined : parseJson(json);
  if (json !== undefined && isRecord(strict)) return callFrom(reply, start, json, strict, true);
  const text = objectAt(reply, start, `"'`, budget);
  const loose = text === undefined ? undefined : parseLooseJson(text);
  return text !== undefined && isRecord(loose) ? callFrom(reply, start, text, loose, false) : undefined;
}

function firstCall(reply: string, from: number): Call | undefined {
  const budget = { left: LOOKS };
  let tries = 0;
  OPENING.lastIndex = from;
  for (let found = OPENING.exec(reply); found !== null && tries < TRIES; found = OPENING.exec(reply)) {
    tries += 1;
    OPENING.lastIndex = found.index + 1;
    const call = callAt(reply, found.index, budget);
    if (call !== undefined) return call;
  }
  return undefined;
}

/** The place behind a model's thoughts, where the reply proper begins. Undefined where they never end. */
function thoughtEnd(reply: string, first: Call | undefined): number | undefined {
  const end = reply.indexOf(THOUGHT_END);
  if (end === -1) return reply.startsWith(THINKING) ? undefined : 0;
  // A file that a call writes may hold the mark.
  const isWithin = first !== undefined && first.start < end && end < first.end && !reply.startsWith(THINKING);
  return isWithin ? 0 : end + THOUGHT_END.length;
}

function callIn(reply: string): { readonly from: number; readonly call: Call | undefined } {
  const first = firstCall(reply, 0);
  const from = thoughtEnd(reply, first);
  if (from === undefined) return { from: 0, call: undefined };
  const call = first !== undefined && first.start >= from ? first : firstCall(reply, from);
  // Behind an answer that the model has made up, nothing is its own.
  const invented = reply.indexOf(`\n${TOOL_ANSWER}`, from);
  return { from, call: invented !== -1 && call !== undefined && call.start > invented ? undefined : call };
}

/**
 * Thought and tool call of a model's reply: the first JSON object that is a call, anywhere in it, also in a code fence. `lenient` where
 * it is written in another way than the prompt's: another spelling of the tool, `name` and `arguments`, the name before the input, single
 * quotation marks, text behind it. A reply without a call is `invalid`: `arg` and `raw` hold it. Never fails.
 */
export function parseReply(whole: string): Parsed {
  const reply = whole.slice(0, LOOKED_AT).trim();
  const { from, call } = callIn(reply);
  if (call === undefined) {
    const raw = reply.slice(0, RAW_CHARS);
    return {
      thought: thoughtOf(reply.slice(from, from + RAW_CHARS)),
      action: { type: "invalid", arg: raw, raw },
    };
  }
  const { action, start, end, isExact } = call;
  const before = reply.slice(from, start);
  const isOwn = isExact && end === reply.length && from === 0 && /^(?:Thought: [^]*\n)?$/.test(before);
  return { thought: thoughtOf(before), action, ...(!isOwn && { lenient: true as const }) };
}

/** Without the beginning of an object that the call is a part of. */
function withoutWrapper(text: string): string {
  return /[:,[{]$/.test(text.slice(-1)) && WRAPPER.test(text) ? text.slice(0, text.search(WRAPPER)) : text;
}

function thoughtOf(text: string): string {
  return withoutWrapper(text.trim())
    .replace(/```\w{0,20}$/, "")
    .trim()
    .replace(CALL_LABEL, "")
    .trim()
    .replace(THOUGHT_LABEL, "")
    .trim();
}
