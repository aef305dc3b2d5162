import { condensed } from "../../domains/coding-agent/shell-source.ts";
import { CODING_TOOLS } from "../../model/coding-tools.ts";

/** Characters of a call's input up to which it is judged and recorded whole. */
export const MAX_INPUT = 200_000;
/** Characters of a longer input's command: as much as a shell is read (domains/coding-agent/shell.ts). */
const MAX_COMMAND = 100_000;
/** Characters of a tool's answer that are recorded: its beginning and its end. */
const HEAD = 12_000;
const TAIL = 8_000;
/** Characters of what a person or an agent says. */
const MAX_SAID = 20_000;
/** Characters of each text in an input that is over MAX_INPUT. */
const MAX_TEXT = 2_000;
const MAX_ITEMS = 50;

const encoder = new TextEncoder();

function cut(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  const left = text.length - head - tail;
  const end = tail === 0 ? "" : text.slice(-tail);
  return `${text.slice(0, head)}\n… ${left} characters left out …\n${end}`;
}

export const clipAnswer = (text: string): string => cut(text, HEAD, TAIL);
export const clipSaid = (text: string): string => cut(text, MAX_SAID, 0);

/**
 * An input over MAX_INPUT as it is judged and recorded: what is long in it is cut, so that its file or its program still stands there.
 * A command of Bash loses its comments first; one that is cut all the same counts as unread (domains/coding-agent/shell.ts).
 */
export function clipInput(input: unknown, type: string): string {
  const short = JSON.stringify(input, (key, value: unknown) => {
    if (key === "command" && typeof value === "string")
      return cut(type === CODING_TOOLS.Bash ? condensed(value).text : value, MAX_COMMAND, 0);
    if (typeof value === "string") return cut(value, MAX_TEXT, 0);
    return Array.isArray(value) && value.length > MAX_ITEMS ? value.slice(0, MAX_ITEMS) : value;
  });
  return short.length <= MAX_INPUT ? short : JSON.stringify({ clipped: short.slice(0, MAX_TEXT) });
}

/** At most so many bytes in UTF-8, and never half a character. */
export function clipBytes(text: string, bytes: number): string {
  const buffer = new Uint8Array(bytes);
  const { read } = encoder.encodeInto(text, buffer);
  return read >= text.length ? text : text.slice(0, read);
}
