import { without } from "./records.ts";
import type { ToolInput } from "../canonical-input.ts";

/** A command of SWE-agent as a call with named arguments, as its function-calling configurations have it. */
export interface SweCall {
  readonly name: string;
  readonly args: ToolInput;
}

/** The words of a line; quotes hold one together. */
function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? "");
}

function named(keys: readonly string[], rest: string): ToolInput {
  const words = wordsOf(rest);
  const pairs = keys.flatMap((key, index): [string, unknown][] => {
    const word = words[index];
    if (word === undefined) return [];
    return [[key, key === "line_number" && /^\d{1,9}$/.test(word) ? Number(word) : word]];
  });
  return Object.fromEntries(pairs);
}

/** SWE-agent's own commands and the names of their arguments; every other line is for the shell. */
const COMMANDS = new Map<string, readonly string[]>([
  ["open", ["path", "line_number"]],
  ["goto", ["line_number"]],
  ["create", ["filename"]],
  ["find_file", ["file_name", "dir"]],
  ["search_dir", ["search_term", "dir"]],
  ["search_file", ["search_term", "file"]],
  ["scroll_up", []],
  ["scroll_down", []],
]);

/** `edit` with or without lines, and a text in the lines below it, perhaps as a here-document. */
const EDIT = /^edit(?:\s+(\d{1,9}):(\d{1,9}))?(?:[^\S\n]*<<-?[^\S\n]*(["']?)(\w+)\3)?[^\S\n]*\n([\s\S]*)$/;
/** `edit` and `insert` with quoted texts. */
const QUOTED = /^(edit|insert)\s+(?=["'])([\s\S]*)$/;
const SUBMIT = /^submit(?:\s+((["'])[\s\S]*\2|[^\n]*))?$/;

function editOfLines(command: string): SweCall | undefined {
  const match = EDIT.exec(command);
  if (match === null) return undefined;
  const [, from, to, , word = "end_of_edit", body = ""] = match;
  const lines = from === undefined ? {} : { start_line: Number(from), end_line: Number(to) };
  const text = body.replace(new RegExp(`(?:^|\\n)(?:${word}|end_of_edit)\\s*$`), "");
  return { name: "edit", args: { ...lines, replacement_text: text } };
}

function editOfTexts(command: string): SweCall | undefined {
  const [, name, rest = ""] = QUOTED.exec(command) ?? [];
  const words = wordsOf(rest);
  const [text, second] = words;
  if (name === undefined || text === undefined) return undefined;
  if (name === "insert")
    return { name, args: { text, ...(/^\d{1,9}$/.test(second ?? "") ? { line: Number(second) } : {}) } };
  if (second === undefined) return { name, args: { replacement_text: text } };
  return {
    name,
    args: { search: text, replace: second, ...(words.length > 2 ? { replace_all: true } : {}) },
  };
}

/** `submit`, and in tasks that ask for a flag its text, which may be quoted. */
function submission(command: string): SweCall | undefined {
  const match = SUBMIT.exec(command);
  if (match === null) return undefined;
  const [, given = "", quote] = match;
  const isWhole = quote !== undefined && !given.slice(1, -1).includes(quote);
  return { name: "submit", args: { answer: isWhole ? given.slice(1, -1) : given } };
}

/** The call that a command line makes. The text of an edit goes up to `end_of_edit` or the end of the here-document. */
export function sweCall(command: string): SweCall {
  const text = command.trim();
  const own = editOfLines(command.trimStart()) ?? editOfTexts(text) ?? submission(text);
  if (own !== undefined) return own;
  const name = /^[a-z_]+(?=\s|$)/.exec(text)?.[0] ?? "";
  const keys = COMMANDS.get(name);
  if (keys === undefined || text.includes("\n")) return { name: "bash", args: { command: text } };
  return { name, args: named(keys, text.slice(name.length)) };
}

/** What the agent sees of the file that is open in SWE-agent's editor. */
export interface Window {
  /** The call in words of the other tables: an edit of the open file, with the text that it replaces where that is known. */
  resolve(call: SweCall): { readonly type?: "Edit" | "Write"; readonly args: ToolInput };
  observe(observation: string): void;
}

const SHOWN_FILE = /^\[File: (.+) \((\d+) lines total\)\]\s*$/m;
const OPEN_FILE = /^\(Open file: (.+)\)\s*$/m;

/** An edit that did not go through; the lines in its answer are not those of the file. */
export const REFUSED_EDIT =
  /^\s*(?:Your (?:proposed )?edit (?:has introduced|was not applied)|Your search and replace strings are the same|Search text must not be empty|No file open(?:ed)?\b)/;
/** An answer that was not accepted: the task continues. */
export const REFUSED_SUBMISSION = /^\s*(?:Wrong|Incorrect|Invalid) (?:flag|answer|submission)\b/i;

/** The window at the start of a task: nothing is open. */
export function emptyWindow(): Window {
  let path: string | undefined;
  let total = 0;
  let lines = new Map<number, string>();
  let beforeEdit = lines;

  function observe(observation: string): void {
    if (REFUSED_EDIT.test(observation)) {
      lines = beforeEdit;
      return;
    }
    const text = observation.replaceAll("\r\n", "\n");
    const shown = SHOWN_FILE.exec(text);
    if (shown === null) {
      const open = OPEN_FILE.exec(text)?.[1];
      if (open !== undefined && open !== "n/a" && open !== path) forget(open);
      return;
    }
    const [, file] = shown;
    if (file !== path) forget(file);
    total = Number(shown[2]);
    for (const [, number, line] of text.slice(shown.index).matchAll(/^(\d{1,9}):(.*)$/gm))
      lines.set(Number(number), line ?? "");
  }

  function forget(next: string | undefined): void {
    path = next;
    total = 0;
    lines = new Map();
  }

  function resolve({ name, args }: SweCall): ReturnType<Window["resolve"]> {
    // A program may change the file; what the window showed before it counts no more.
    if (name === "bash") lines = new Map();
    if (name === "create") return { type: "Write", args: created(args) };
    if ((name !== "edit" && name !== "insert") || path === undefined) return { args };
    const edit = name === "insert" ? insertOf(args, path) : editOf(args, path);
    beforeEdit = lines;
    lines = new Map();
    return edit;
  }

  function editOf(args: ToolInput, file: string): ReturnType<Window["resolve"]> {
    const { search, replace, start_line: from, end_line: to } = args;
    if (typeof search === "string" && typeof replace === "string" && search !== "") {
      const all = args["replace-all"] === true || args["replace_all"] === true;
      return {
        type: "Edit",
        args: { path: file, oldText: search, newText: replace, ...(all ? { all } : {}) },
      };
    }
    const text = args["replacement_text"] ?? args["text"] ?? (search === undefined ? replace : undefined);
    if (typeof text !== "string") return { args: { ...args, path: file } };
    if (typeof from !== "number" || typeof to !== "number")
      return { type: "Edit", args: { path: file, newText: text } };
    if (from === 1 && to >= total && total > 0)
      return { type: "Write", args: { path: file, content: `${text}\n` } };
    const old = shownLines(from, to);
    const rest = { start_line: from, end_line: to };
    // An empty text to be replaced would mean a new file.
    const replaced = old === undefined || old === "" ? {} : { oldText: old };
    return { type: "Edit", args: { path: file, ...replaced, newText: text, ...rest } };
  }

  /** A text below a line, or at the end of the file. */
  function insertOf(args: ToolInput, file: string): ReturnType<Window["resolve"]> {
    const { text, line } = args;
    if (typeof text !== "string") return { args: { ...args, path: file } };
    return { type: "Edit", args: { path: file, newText: text, ...(line === undefined ? {} : { line }) } };
  }

  function shownLines(from: number, to: number): string | undefined {
    if (to < from || to - from > lines.size) return undefined;
    const shown = Array.from({ length: to - from + 1 }, (_, index) => lines.get(from + index));
    return shown.every((line) => line !== undefined) ? shown.join("\n") : undefined;
  }

  return { resolve, observe };
}

/** `create` makes a file of one empty line. */
function created(args: ToolInput): ToolInput {
  return { path: args["filename"], content: "\n", ...without(args, ["filename"]) };
}
