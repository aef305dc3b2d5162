import type { Action } from "../../model/action.ts";
import { WEB_SEARCH_ACTIONS } from "./action-space.ts";

export interface ParsedReply {
  readonly thought: string;
  readonly action: Action;
}

/** Characters of a reply that are read; a thought and an action have a few hundred. */
const READ_CHARS = 40_000;

/** The line of the action: `Action: SEARCH[`, with blanks around the label. Bounded, as a reply may be a megabyte of blanks. */
const OPENING = new RegExp(
  `^[^\\S\\n]{0,8}Action:[^\\S\\n]{0,8}(?:(${WEB_SEARCH_ACTIONS.join("|")})\\[)?`,
  "im",
);
/** The stop sequence of ReAct prompts: a model that continues has invented the rest. */
const STOP = "\nObservation:";
/** A thought has no form to keep, so its label goes in whatever shape it comes. */
const THOUGHT_LABEL = /^\*{0,3}thought(?:[^\S\n]{0,8}\d{1,3})?\*{0,3}[^\S\n]{0,8}:\*{0,3}/i;

/** The text up to the bracket that closes the one before it; undefined where none does in this line, or text follows. */
function argumentIn(line: string): string | undefined {
  let depth = 1;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "[") depth++;
    else if (line[at] === "]" && --depth === 0)
      return line.slice(at + 1).trim() === "" ? line.slice(0, at).trim() : undefined;
  }
  return undefined;
}

function actionAt(said: string, opening: RegExpExecArray): Action | undefined {
  const type = opening[1]?.toUpperCase();
  const line = said.slice(opening.index + opening[0].length).trim();
  const arg = type === undefined || line.includes("\n") ? undefined : argumentIn(line);
  return type === undefined || arg === undefined ? undefined : { type, arg };
}

function thoughtOf(text: string): string {
  return text.trim().replace(THOUGHT_LABEL, "").trim();
}

/**
 * Thought and action of a model's reply, in the one form that the prompt asks for: a thought, and then a line
 * `Action: TYPE[argument]`.
 *
 * - The first line that begins with `Action:` counts. Capital and small letters are the same, and blanks before and after the label and
 *   around the argument do not count. The bracket follows the type at once.
 * - The argument stands in one line, its brackets are balanced, and nothing but blanks follows it. Its quotation marks are part of it.
 * - A model that continues with a line `Observation:` plays its environment. The reply ends there, as with a stop sequence.
 *
 * Any other reply is the action `invalid`, whose `arg` and `raw` are the reply. Nothing is repaired here: that is the work of the
 * skill format_extraction_error, and its event tells of it.
 */
export function parseReply(whole: string): ParsedReply {
  const reply = whole.slice(0, READ_CHARS).trim();
  const [said = ""] = reply.split(STOP, 1);
  const opening = OPENING.exec(said);
  const action = opening === null ? undefined : actionAt(said, opening);
  if (opening === null || action === undefined)
    return { thought: thoughtOf(reply), action: { type: "invalid", arg: reply, raw: reply } };
  return { thought: thoughtOf(said.slice(0, opening.index)), action };
}
