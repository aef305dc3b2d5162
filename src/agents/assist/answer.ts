import { printable } from "../../model/printable.ts";
import type { AssistAnswer } from "./world.ts";

/** A model reads all of an answer, so it may not fill its context. In UTF-16 code units. */
const MOST_TEXT = 16_000;
/** One text among the data: an argument, an observation, a message. */
const MOST_STRING = 2_000;
const MOST_ITEMS = 200;
const DEEPEST = 12;

function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}… (${text.length - most} more characters)`;
}

/** What a stranger wrote, on one line and no longer than `most`. */
export function oneLine(text: string, most = 300): string {
  return clipped(printable(text.replaceAll(/\s+/g, " ").trim()), most);
}

/** The same value with its texts printable and clipped, and its lists and depth bounded; says what was cut. */
function bounded(value: unknown, depth: number): unknown {
  if (typeof value === "string") return clipped(printable(value), MOST_STRING);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "…";
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => bounded(item, depth + 1));
    return value.length > MOST_ITEMS ? [...items, `… ${value.length - MOST_ITEMS} more`] : items;
  }
  const entries = Object.entries(value).slice(0, MOST_ITEMS);
  return Object.fromEntries(
    entries.map(([key, item]) => [printable(key).slice(0, MOST_STRING), bounded(item, depth + 1)]),
  );
}

/** An answer that is safe to show and to put into a prompt: printable, and of a size that a model reads. */
export function answer(lines: readonly string[], data: Readonly<Record<string, unknown>>): AssistAnswer {
  return {
    text: clipped(printable(lines.join("\n")), MOST_TEXT),
    data: bounded(data, 0) as Readonly<Record<string, unknown>>,
  };
}
