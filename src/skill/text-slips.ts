import { quoted } from "./yaml-edits.ts";
import { entryOf, isBlankLine, isEmptyLine, type EntryLine, type YamlLine } from "./yaml-lines.ts";

/** Text between two offsets, and what is written in its place. */
interface SlipEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** A mistake of one line that YAML trips over, there or further down. Offsets are those in the text that was scanned. */
export interface Slip {
  readonly start: number;
  readonly end: number;
  /** A sentence. */
  readonly message: string;
  readonly next: string;
  /** `fails`: YAML refuses the text. `misread`: it reads something else. `cut`: it leaves out the end of a text. `refused`: hosts refuse it. */
  readonly kind: "fails" | "misread" | "cut" | "refused";
  readonly fix?: { readonly title: string; readonly edits: readonly SlipEdit[]; readonly byHand?: true };
}

/** The text behind one key. */
export interface WrittenText {
  readonly entry: EntryLine;
  /** The lines on which it goes on. */
  readonly further: readonly YamlLine[];
  /** The first line after it that is not blank. */
  readonly next: YamlLine | undefined;
  /** The YAML from its value to the next key of its level. */
  readonly region: string;
}

const QUOTE = "Put the whole text in quotes.";
/** Texts for people and models, which hold `#` more often than a comment. */
const PROSE: ReadonlySet<string> = new Set([
  "description",
  "compatibility",
  "system_summary",
  "title",
  "text",
]);

/** What YAML takes the first character of a text for. */
const LEADS: Readonly<Record<string, string>> = {
  "@": "reserves it",
  "`": "reserves it",
  "*": "takes it for an alias",
  "&": "takes it for an anchor",
  "!": "takes it for a tag",
  "%": "takes it for a directive",
  ",": "takes it for a part of a list",
  "]": "takes it for the end of a list",
  "}": "takes it for the end of a mapping",
  "|": "takes it for a block that begins on the next line",
  ">": "takes it for a block that begins on the next line",
  "[": "takes it for a list",
  "{": "takes it for a mapping",
  "-": "takes it for an item of a list",
  "?": "takes it for a key",
};

const mark = (start: number, length: number): Pick<Slip, "start" | "end"> => ({ start, end: start + length });

/** The lines of a text as one. */
const joined = ({ entry, further }: WrittenText): string =>
  [entry.value, ...further.map(({ text }) => text.trim())].filter((part) => part !== "").join(" ");

function endOf({ entry, further }: WrittenText): number {
  const last = further.at(-1);
  return last === undefined ? entry.at + entry.value.length : last.start + last.text.trimEnd().length;
}

const written = (text: WrittenText, newText: string): readonly SlipEdit[] => [
  { start: text.entry.at, end: endOf(text), newText },
];

const inQuotes = (text: WrittenText): NonNullable<Slip["fix"]> => ({
  title: "Put the text in quotes",
  edits: written(text, quoted(joined(text))),
});

function refusedLead(text: WrittenText, at: number, kind: Slip["kind"] = "fails"): Slip {
  const lead = text.entry.value[0] ?? "";
  const message = `A text cannot begin with "${lead}": YAML ${LEADS[lead]}.`;
  return { ...mark(at, 1), message, next: QUOTE, kind, fix: inQuotes(text) };
}

function leadSlip(text: WrittenText): Slip | undefined {
  const { at, value } = text.entry;
  if (!/^(?:[@`*&%,\]}]|!(?!!\w))/.test(value) && !/^[-?](?:[ \t]|$)/.test(value)) return undefined;
  return refusedLead(text, at, /^[&!]/.test(value) ? "misread" : "fails");
}

/** `: ` within a text, or `:` at the end of one of its lines. */
function colonSlip(line: string, start: number, text: WrittenText): Slip | undefined {
  const found = /:(?=[ \t]|$)/.exec(line);
  if (found === null) return undefined;
  return {
    ...mark(start + found.index, 1),
    message: "`: ` within a text without quotes: YAML takes what stands before it for a key.",
    next: QUOTE,
    kind: "fails",
    fix: inQuotes(text),
  };
}

/** `#` after a blank, or at the start of a line. */
function hashSlip(line: string, start: number, isLast: boolean, text: WrittenText): Slip | undefined {
  const found = /(?:^|[ \t])#/.exec(line);
  if (found === null || (isLast && !PROSE.has(text.entry.key))) return undefined;
  const at = found.index + found[0].length - 1;
  return {
    ...mark(start + at, line.length - at),
    message: isLast
      ? "YAML takes this for a comment and leaves it out of the text."
      : "YAML takes this for a comment, after which a text cannot go on.",
    next: "Put the whole text in quotes, or delete the comment.",
    kind: isLast ? "cut" : "fails",
    fix: { ...inQuotes(text), ...(isLast && { byHand: true }) },
  };
}

/** A key that is indented as if it belonged to the text above it. `isKey`: whether it can be one. */
function innerKey(
  line: YamlLine,
  { entry }: WrittenText,
  isKey: (name: string) => boolean,
): Slip | undefined {
  const inner = entryOf(line);
  if (inner === undefined || inner.column !== line.indent || !isKey(inner.key)) return undefined;
  const indent = { start: line.start, end: line.start + line.indent, newText: " ".repeat(entry.column) };
  return {
    ...mark(line.start + inner.column, inner.key.length),
    message: `\`${inner.key}\` is indented deeper than \`${entry.key}\`, so YAML takes it for a part of that text.`,
    next: "Begin both in the same column.",
    kind: "fails",
    fix: { title: `Indent it like \`${entry.key}\``, edits: [indent] },
  };
}

function plainSlip(text: WrittenText, isKey: (name: string) => boolean): Slip | undefined {
  const { entry, further } = text;
  const lines = [undefined, ...further];
  for (const [i, line] of lines.entries()) {
    const part = line === undefined ? entry.value : line.text.trim();
    const at = line === undefined ? entry.at : line.start + line.text.search(/[^ \t]|$/);
    const hash = hashSlip(part, at, i === lines.length - 1, text);
    const beforeHash = hash === undefined ? part : part.slice(0, hash.start - at);
    const inner = line === undefined ? undefined : innerKey(line, text, isKey);
    const slip = inner ?? colonSlip(beforeHash.trimEnd(), at, text) ?? hash;
    if (slip !== undefined) return slip;
  }
  return undefined;
}

/** Length up to the quote that closes the one that a text begins with. */
function quotedLength(text: string): number | undefined {
  const closed = text.startsWith('"') ? /^"(?:[^"\\]|\\[^])*"/ : /^'(?:[^']|'')*'/;
  return closed.exec(text)?.[0].length;
}

/** Length up to the bracket that closes the one that a text begins with. */
function bracketedLength(text: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const one = text[i] ?? "";
    if ((one === '"' || one === "'") && /[\s,:[{]/.test(text[i - 1] ?? "")) {
      const length = quotedLength(text.slice(i));
      if (length === undefined) return undefined;
      i += length - 1;
    } else if (one === "[" || one === "{") depth++;
    else if ((one === "]" || one === "}") && --depth === 0) return i + 1;
  }
  return undefined;
}

/** Length of a value in quotes or brackets; undefined where it does not end. */
export function enclosedLength(region: string): number | undefined {
  return /^["']/.test(region) ? quotedLength(region) : bracketedLength(region);
}

/** A value in quotes or brackets that does not end, or goes on after its end. */
function enclosedSlip(text: WrittenText): Slip | undefined {
  const { entry, region } = text;
  const isQuote = /^["']/.test(region);
  const length = enclosedLength(region);
  if (length === undefined) {
    if (!isQuote) return refusedLead(text, entry.at);
    return {
      ...mark(entry.at, 1),
      message: "The quote is never closed.",
      next: "Close it at the end of the text.",
      kind: "fails",
      fix: { title: "Close the quote", edits: written(text, quoted(joined(text).slice(1))) },
    };
  }
  const rest = /^[^\r\n]*/.exec(region.slice(length))?.[0] ?? "";
  if (/^[ \t]*$|^[ \t]+#/.test(rest)) return undefined;
  const at = entry.at + length + rest.search(/[^ \t]/);
  if (!isQuote) return refusedLead(text, at);
  const message = "The text goes on after the closing quote.";
  return { ...mark(at, 1), message, next: QUOTE, kind: "fails", fix: inQuotes(text) };
}

const BLOCK_HEADER = /^[|>](?:[+-]?\d?|\d[+-])(?:[ \t]+#.*)?$/;

function blockSlip(text: WrittenText): Slip | undefined {
  const { entry, further, next } = text;
  if (!BLOCK_HEADER.test(entry.value)) return refusedLead(text, entry.at);
  const filled = further.filter((line) => !isBlankLine(line));
  const [first] = filled;
  const isBare =
    first === undefined && next !== undefined && !isEmptyLine(next) && entryOf(next) === undefined;
  const column = first?.indent ?? entry.column + 2;
  const dedented = /\d/.test(entry.value) ? undefined : filled.find(({ indent }) => indent < column);
  const shallow = isBare ? next : dedented;
  if (shallow === undefined) return undefined;
  const { start, indent, text: line } = shallow;
  return {
    ...mark(start + indent, Math.max(1, line.trimEnd().length - indent)),
    message: isBare
      ? `The lines of the block under \`${entry.key}\` must be indented.`
      : "The line is indented less than the first line of its block.",
    next: `Indent it by ${column} blanks.`,
    kind: "fails",
    fix: { title: "Indent the line", edits: [{ start, end: start + indent, newText: " ".repeat(column) }] },
  };
}

/** The mistake in a text, where it has one. `isKey`: whether a word can be a key of its own. */
export function textSlip(text: WrittenText, isKey: (name: string) => boolean): Slip | undefined {
  const { value } = text.entry;
  if (/^[|>]/.test(value)) return blockSlip(text);
  if (/^["'[{]/.test(value)) return enclosedSlip(text);
  return leadSlip(text) ?? plainSlip(text, isKey);
}
