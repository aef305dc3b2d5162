import type { JsonEntry } from "./json-entries.ts";

/** A record of a CSV file: its fields, and its place in the text. */
interface CsvRecord {
  readonly fields: readonly string[];
  /** Offsets of its text, without the line break. */
  readonly from: number;
  readonly to: number;
  /** The file ends within a quoted field. */
  readonly isOpen: boolean;
}

const BOM = "\uFEFF";

/** The field that begins at `from`: its text, and the offset behind it. */
function fieldAt(text: string, from: number): { field: string; end: number; isOpen: boolean } {
  if (text[from] !== '"') {
    const rest = /[,\r\n]/g;
    rest.lastIndex = from;
    const end = rest.exec(text)?.index ?? text.length;
    return { field: text.slice(from, end), end, isOpen: false };
  }
  const parts: string[] = [];
  for (let at = from + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { field: parts.join("") + text.slice(at), end: text.length, isOpen: true };
    parts.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') return { field: parts.join(""), end: quote + 1, isOpen: false };
    parts.push('"');
    at = quote + 2;
  }
}

/** The end of the line break at an offset; the offset itself where there is none. */
function behindBreak(text: string, at: number): number {
  if (text[at] === "\r") return text[at + 1] === "\n" ? at + 2 : at + 1;
  return text[at] === "\n" ? at + 1 : at;
}

function recordAt(text: string, from: number): CsvRecord {
  const fields: string[] = [];
  for (let at = from; ;) {
    const { field, end, isOpen } = fieldAt(text, at);
    fields.push(field);
    if (isOpen || text[end] !== ",") {
      // Text behind a closing quote belongs to no field: the record goes on to its line break, and has one field too many.
      if (isOpen || end === text.length || behindBreak(text, end) > end)
        return { fields, from, to: end, isOpen };
      at = end;
    } else at = end + 1;
  }
}

/** Why a record is no row under this header. */
function problemOf({ fields, isOpen }: CsvRecord, columns: number): string | undefined {
  if (isOpen) return "a quoted field has no closing quote";
  return fields.length === columns
    ? undefined
    : `it has ${fields.length} fields, and the header has ${columns}`;
}

/**
 * The rows of a CSV text (RFC 4180) with a header: each an object from column to text. A byte order mark, CRLF and blank lines do not
 * matter. A row with another number of fields than the header has no value, and its problem says so. Never throws.
 */
export function* csvEntries(text: string): Generator<JsonEntry> {
  let header: readonly string[] | undefined;
  let line = 0;
  for (let from = text.startsWith(BOM) ? 1 : 0; from < text.length;) {
    const record = recordAt(text, from);
    const source = text.slice(record.from, record.to);
    from = behindBreak(text, record.to);
    const place = { line, name: undefined, source };
    line += source.split("\n").length;
    if (source.trim() === "") continue;
    if (header === undefined) {
      header = record.fields.map((name) => name.trim());
      continue;
    }
    const problem = problemOf(record, header.length);
    const value =
      problem === undefined
        ? Object.fromEntries(header.map((name, i) => [name, record.fields[i]]))
        : undefined;
    yield { ...place, value, ...(problem !== undefined && { problem }) };
  }
}
