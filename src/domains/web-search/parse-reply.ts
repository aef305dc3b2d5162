import type { Action } from "../../model/action.ts";
import { WEB_SEARCH_ACTIONS } from "./action-space.ts";

export interface ParsedReply {
  readonly thought: string;
  readonly action: Action;
}

/** Characters of an unreadable reply that stay as its raw text. */
const RAW_CHARS = 4_000;
/** Characters of a reply that are looked at; a thought and an action have a few hundred. */
const LOOKED_AT = 40_000;

/** What ReAct prompts of others, which models have seen in training, call the three actions. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...WEB_SEARCH_ACTIONS.map((type) => [type.toLowerCase(), type] as const),
  ["lookup", "READ"],
  ["finish", "FINAL"],
  ["answer", "FINAL"],
]);
const NAME = [...NAMES.keys()].join("|");
/** Blanks and marks around labels. Bounded, like every repetition here: a reply may be a megabyte of asterisks. */
const GAP = String.raw`[^\S\n]{0,8}`;
const BOLD = String.raw`\*{0,3}`;
const MARKS = "[-*>#`\"']{0,6}";
const LABEL = String.raw`${BOLD}action(?:${GAP}\d{1,3})?${GAP}${BOLD}${GAP}:?${BOLD}`;
/** `Action: SEARCH[`, `**Action 2:** Search(`; the label may be missing where the line begins with the action. */
const OPENING = new RegExp(
  `^${GAP}${MARKS}${GAP}(?:${LABEL}${GAP})?${MARKS}(${NAME})${MARKS}${GAP}([[(])`,
  "im",
);
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "(": ")" };
/** Where a model goes on to play the environment. */
const INVENTED = new RegExp(`^${GAP}${BOLD}observation(?:${GAP}\\d{1,3})?${BOLD}${GAP}:`, "im");
const THOUGHT_LABEL = new RegExp(`^${BOLD}thought(?:${GAP}\\d{1,3})?${BOLD}${GAP}:${BOLD}`, "i");
/** A label that stands alone at the end, once the action is cut off. */
const DANGLING = new RegExp(`(?:^|\\n)${GAP}${MARKS}${GAP}${LABEL}${GAP}${MARKS}$`, "i");
const QUOTES = /^(["'“‘`])(.*)(["'”’`])$/s;

/** Up to the bracket that closes the first; without one, to the end of the line. */
function argumentOf(text: string, open: string): string {
  const close = CLOSING[open];
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return text.slice(0, at);
  }
  const line = text.split("\n", 1)[0] ?? "";
  const end = close === undefined ? -1 : line.lastIndexOf(close);
  return end === -1 ? line : line.slice(0, end);
}

function unquoted(arg: string): string {
  const inner = QUOTES.exec(arg)?.[2];
  // `"A" and "B"` begins and ends with a quotation mark, and they are not a pair.
  return inner === undefined || /["“”]/.test(inner) ? arg : inner.trim();
}

function thoughtOf(text: string): string {
  return text.trim().replace(DANGLING, "").replace(THOUGHT_LABEL, "").trim();
}

/**
 * Thought and action of a model's reply. Takes other names of the actions, other brackets, labels in bold, a code fence and a missing
 * closing bracket; the first action counts, and what a model invents after it does not. Text without an action is `invalid`:
 * `arg` and `raw` hold it, so that a Program Function may make something of it.
 */
export function parseReply(whole: string): ParsedReply {
  const reply = whole.slice(0, LOOKED_AT);
  const invented = INVENTED.exec(reply);
  const said = (invented === null || invented.index === 0 ? reply : reply.slice(0, invented.index)).trim();
  const opening = OPENING.exec(said);
  const type = NAMES.get(opening?.[1]?.toLowerCase() ?? "");
  if (opening === null || type === undefined) {
    const raw = said.slice(0, RAW_CHARS);
    return { thought: thoughtOf(raw), action: { type: "invalid", arg: raw, raw } };
  }
  const arg = argumentOf(said.slice(opening.index + opening[0].length), opening[2] ?? "[");
  return { thought: thoughtOf(said.slice(0, opening.index)), action: { type, arg: unquoted(arg.trim()) } };
}
