import { splitReasoning } from "../../llm/reasoning.ts";
import type { Action } from "../../model/action.ts";
import type { Proposal } from "../../model/episode.ts";
import { WEB_SEARCH_ACTIONS } from "./action-space.ts";

export type ParsedReply = Pick<Proposal, "thought" | "action" | "lenient">;

/** Characters of a reply that are read; a thought and an action have a few hundred. */
const READ_CHARS = 40_000;
/** Actions that are looked at; a reply that repeats itself has thousands. */
const MOST_ACTIONS = 50;

/** The stop sequence of ReAct prompts: a model that continues has invented the rest. */
const STOP = /\n[^\S\n]{0,8}\*{0,2}Observation(?:[^\S\n]{0,4}\d{1,3})?\*{0,2}[^\S\n]{0,8}(?:[:：]|$)/im;
/** A thought has no form to keep, so its label goes in whatever shape it comes. */
const THOUGHT_LABEL = /^\*{0,3}thought(?:[^\S\n]{0,8}\d{1,3})?\*{0,3}[^\S\n]{0,8}:\*{0,3}/i;
const TYPES = WEB_SEARCH_ACTIONS.join("|");
const BLANKS = String.raw`[^\S\n]{0,8}`;
/** `Action:` in whatever shape, or a short label of another language. Bounded, as a reply may be a megabyte of blanks. */
const LABELS = String.raw`\*{0,3}(?:Action(?:[^\S\n]{0,4}\d{1,3})?\*{0,3}${BLANKS}[:：]?|[\p{L}\p{M}]{2,15}(?:[^\S\n]\d{1,3})?\*{0,3}${BLANKS}[:：])\*{0,3}${BLANKS}[\x60*]{0,3}`;
/** Before an action in its line: marks of Markdown, and a label. */
const BEFORE = String.raw`${BLANKS}(?:(?:[\-*•>\x60#]{1,4}|\d{1,2}[.)])[^\S\n]{0,4})?(?:${LABELS})?`;
const AT_LINE = new RegExp(`^(${BEFORE})(${TYPES})\\*{0,3}(\\(| {0,2}\\[)`, "gimu");
const WITHIN = new RegExp(`()\\b(${TYPES})\\*{0,3}(\\[)`, "gi");
const LABEL = /Action/i;
/** A thought's label begins no action. */
const THOUGHT = /^[^\S\n]{0,8}\*{0,3}thought/i;
/** The form that the prompt asks for: its label is the first of the reply. */
const FIRST_LABEL = /^[^\S\n]{0,8}Action:/im;
const STRICT = new RegExp(`^[^\\S\\n]{0,8}Action:[^\\S\\n]{0,8}(?:${TYPES})\\[`, "i");
/** The argument's name in a call, `SEARCH(query="…")`. */
const ARGUMENT_NAME = /^(?:query|q|answer|document|doc|id|text) {0,2}= {0,2}/i;
const QUOTED = /^"([^"]*)"$|^'([^']*)'$/;
/** The prompt's own descriptions of arguments, copied. */
const PLACEHOLDERS = new Set(
  ["…", "...", "query", "a few words", "document", "a document", "doc_N", "answer", "the answer"].map(
    (text) => text.toLowerCase(),
  ),
);

/** A code fence that opens before the action. */
const OPEN_FENCE = /\x60{3}\w{0,10}$/;

/** True where an argument is no value but its description. */
export const isPlaceholder = (arg: string): boolean => PLACEHOLDERS.has(arg.trim().toLowerCase());

interface Found {
  readonly action: Action;
  /** The beginning of its line, or of the action within one. */
  readonly at: number;
  readonly hasLabel: boolean;
  /** Behind its bracket. */
  readonly end: number;
}

/** The place at which the bracket that opens before `start` closes in the same line; -1 where it does not. */
function closing(text: string, start: number, [open, close]: readonly [string, string]): number {
  let depth = 1;
  for (let at = start; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at;
  }
  return -1;
}

function foundAt(said: string, match: RegExpExecArray): Found | undefined {
  const [whole, before = "", type = "", bracket = ""] = match;
  const isCall = bracket === "(";
  const start = match.index + whole.length;
  const end = closing(said, start, isCall ? ["(", ")"] : ["[", "]"]);
  const text = said.slice(start, end).trim();
  const arg = isCall ? text.replace(ARGUMENT_NAME, "").replace(QUOTED, "$1$2") : text;
  if (end < 0 || THOUGHT.test(before) || isPlaceholder(arg)) return undefined;
  return {
    action: { type: type.toUpperCase(), arg },
    at: match.index,
    hasLabel: LABEL.test(before),
    end: end + 1,
  };
}

function actionsAt(said: string, pattern: RegExp): readonly Found[] {
  return Array.from(said.matchAll(pattern))
    .slice(0, MOST_ACTIONS)
    .flatMap((match) => foundAt(said, match) ?? []);
}

/** The action within lines, where there is one alone. */
function onlyWithin(said: string): Found | undefined {
  const [first, ...others] = actionsAt(said, WITHIN);
  const isOne = others.every(
    ({ action: { type, arg } }) => type === first?.action.type && arg === first.action.arg,
  );
  return isOne ? first : undefined;
}

function actionIn(said: string): Found | undefined {
  const atLines = actionsAt(said, AT_LINE);
  return atLines.find(({ hasLabel }) => hasLabel) ?? atLines[0] ?? onlyWithin(said);
}

function thoughtOf(text: string): string {
  return text.trim().replace(OPEN_FENCE, "").trim().replace(THOUGHT_LABEL, "").trim();
}

function isStrict(said: string, { at, end }: Found): boolean {
  const isFirst = FIRST_LABEL.exec(said)?.index === at;
  return isFirst && STRICT.test(said.slice(at, end)) && said.slice(end).trim() === "";
}

/**
 * Thought and action of a model's reply. The prompt asks for a thought and then a last line `Action: TYPE[argument]`; a reply in another
 * form is read where it can mean one action only, and is then `lenient`:
 *
 * - The type is in capital or small letters, and its bracket follows and closes in the same line.
 * - An action at the beginning of a line counts, with or without the label `Action:`, in bold, in a list or in a code fence, also as a
 *   call, `FINAL("1911")` or `FINAL(answer="1911")`. Of several the first counts, those with the label before the others. Text may follow.
 * - An action within a line counts where the reply has no other one.
 * - A model that continues with a line `Observation:` plays its environment. The reply ends there, as with a stop sequence.
 *
 * Any other reply is the action `invalid`, whose `arg` and `raw` are the reply, also where it copies a form of the prompt as it stands,
 * such as `SEARCH[a few words]`. To repair it is the work of the skill format_extraction_error, and its event tells of it.
 */
export function parseReply(whole: string): ParsedReply {
  const reply = whole.slice(0, READ_CHARS).trim();
  const [said = ""] = splitReasoning(reply).text.split(STOP, 1);
  const found = actionIn(said);
  const hasForm = found !== undefined && isStrict(said, found);
  if (found === undefined || (!hasForm && found.action.arg === ""))
    return { thought: thoughtOf(reply), action: { type: "invalid", arg: reply, raw: reply } };
  const { action, at } = found;
  const proposal = { thought: thoughtOf(said.slice(0, at)), action };
  return hasForm ? proposal : { ...proposal, lenient: true };
}
