import { HASP_KEYS, PHASE_KEYS, STANDARD_KEYS } from "./skill-keys.ts";
import { enclosedLength, textSlip, type Slip, type WrittenText } from "./text-slips.ts";
import {
  endOfDeeper,
  entryOf,
  isBlankLine,
  isEmptyLine,
  itemOf,
  linesOfYaml,
  type EntryLine,
  type YamlLine,
} from "./yaml-lines.ts";

const KNOWN: ReadonlySet<string> = new Set([...STANDARD_KEYS, ...HASP_KEYS, ...PHASE_KEYS, "hasp"]);
/** Of a text full of control characters more would not help anybody. */
const MOST_CONTROLS = 20;

const mark = (start: number, length: number): Pick<Slip, "start" | "end"> => ({ start, end: start + length });

/** What YAML does not allow, and what ends a line for some hosts alone. */
// oxlint-disable-next-line no-control-regex -- this pattern has to find control characters
const CONTROL = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

function controlSlips(yaml: string): Slip[] {
  return [...yaml.matchAll(CONTROL)].slice(0, MOST_CONTROLS).map(({ index, 0: one }) => ({
    ...mark(index, 1),
    message: `U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")} has no place in frontmatter: hosts refuse it, or end the line there.`,
    next: "Delete the character.",
    kind: "refused",
    fix: { title: "Delete the character", edits: [{ start: index, end: index + 1, newText: "" }] },
  }));
}

function tabSlip({ start, text }: YamlLine): Slip {
  const indent = /^[ \t]*/.exec(text)?.[0] ?? "";
  const first = indent.indexOf("\t");
  return {
    ...mark(start + first, indent.length - first),
    message: "A tab indents the line; YAML allows blanks alone.",
    next: "Indent it with blanks.",
    kind: "fails",
    fix: {
      title: "Indent with blanks",
      edits: [{ start, end: start + indent.length, newText: indent.replaceAll("\t", "  ") }],
    },
  };
}

const NO_BLANK = /^( *["']?([\w.-]+)["']?):([^ \t].*)$/s;

function keyWithoutBlank({ start, text }: YamlLine): Slip | undefined {
  const [, before = "", key = "", rest = ""] = NO_BLANK.exec(text) ?? [];
  if (key === "" || rest.startsWith("//")) return undefined;
  const colon = start + before.length;
  const isOtherBlank = /^\s/.test(rest);
  return {
    ...mark(colon, 1),
    message: `\`${key}:\` has no blank after its colon, so YAML does not take it for a key.`,
    next: "Write a blank after the colon.",
    kind: KNOWN.has(key) ? "misread" : "fails",
    fix: {
      title: "Write a blank after the colon",
      edits: [{ start: colon + 1, end: colon + (isOtherBlank ? 2 : 1), newText: " " }],
    },
  };
}

/** A line that is neither a key nor a part of a value. */
function straySlip(line: YamlLine): Slip {
  const { start, text, indent } = line;
  const isFence = /^(?:-{2,}|\.{3,}|[—–-]+)[ \t]*$/.test(text);
  const slip = {
    ...mark(start + indent, Math.max(1, text.trimEnd().length - indent)),
    kind: "fails" as const,
  };
  if (isFence)
    return {
      ...slip,
      message: `\`${text.trim()}\` does not end the frontmatter.`,
      next: "Write exactly `---`.",
      fix: { title: "Write `---`", edits: [{ start, end: start + text.length, newText: "---" }] },
    };
  return {
    ...slip,
    message: "The line belongs to no key: a text that goes on must be indented.",
    next: "Indent it, or write it on the line above.",
    fix: {
      title: "Indent the line",
      edits: [{ start, end: start + indent, newText: " ".repeat(indent + 2) }],
    },
  };
}

/** A key in a column between those of its neighbours. `columns`: those of the levels that are open, the deepest last. */
function columnSlip(
  line: YamlLine,
  { key, column }: EntryLine,
  columns: number[],
  opensLevel: boolean,
): Slip | undefined {
  const deepest = columns.at(-1);
  if (deepest === undefined || (opensLevel && column > deepest)) {
    columns.push(column);
    return undefined;
  }
  let wanted = deepest;
  while ((columns.at(-1) ?? 0) > column) wanted = columns.pop() ?? wanted;
  if (columns.at(-1) === column) return undefined;
  columns.push(wanted);
  const indent = { start: line.start, end: line.start + column, newText: " ".repeat(wanted) };
  return {
    ...mark(line.start + column, key.length),
    message: `\`${key}\` begins in column ${column + 1}, its neighbours in column ${wanted + 1}.`,
    next: "Begin the keys of one level in the same column.",
    kind: "fails",
    ...(line.indent === column && {
      fix: { title: "Indent it like its neighbours", edits: [indent], byHand: true },
    }),
  };
}

/** The line at which a value in quotes or brackets ends at the latest: the next key of its level or of one above. */
function nextOfLevel(lines: readonly YamlLine[], i: number, { column, key }: EntryLine): number {
  return firstFrom(lines, i + 1, (line) => {
    if (isBlankLine(line)) return false;
    return ((key === "" ? line.indent : entryOf(line)?.column) ?? column + 1) <= column;
  });
}

/** Index of the first line from `from` on that is such; their number where none is. */
function firstFrom(lines: readonly YamlLine[], from: number, is: (line: YamlLine) => boolean): number {
  for (let i = from; i < lines.length; i++) {
    const line = lines[i];
    if (line !== undefined && is(line)) return i;
  }
  return lines.length;
}

/** The text that begins on line `i`, and the index of the line after it. */
function textAt(
  yaml: string,
  lines: readonly YamlLine[],
  i: number,
  entry: EntryLine,
): { readonly text: WrittenText; readonly end: number } {
  const isEnclosed = /^["'[{]/.test(entry.value);
  const region = isEnclosed ? yaml.slice(entry.at, lines[nextOfLevel(lines, i, entry)]?.start) : "";
  const length = isEnclosed ? enclosedLength(region) : undefined;
  const isEmpty = /^[|>]/.test(entry.value) ? isBlankLine : isEmptyLine;
  const end =
    length === undefined
      ? endOfDeeper(lines, i + 1, entry.column, isEmpty)
      : firstFrom(lines, i + 1, ({ start }) => start >= entry.at + length);
  const next = firstFrom(lines, end, (line) => !isBlankLine(line));
  return { text: { entry, further: lines.slice(i + 1, end), next: lines[next], region }, end };
}

/** A text on the lines below its key. */
function textBelow(line: YamlLine, opened: EntryLine | undefined): EntryLine | undefined {
  if (opened === undefined || line.indent <= opened.column) return undefined;
  return { ...opened, at: line.start + line.indent, value: line.text.trim() };
}

/**
 * The mistakes that people make in frontmatter, each where it was made: a parser names the place where it gives up. In YAML that can be
 * read there are none of the kind `fails`.
 */
export function slipsIn(yaml: string): readonly Slip[] {
  const lines = linesOfYaml(yaml);
  const found = controlSlips(yaml);
  const names = Map.groupBy(lines, (line) => entryOf(line)?.key);
  const isKey = (name: string): boolean => KNOWN.has(name) && names.get(name)?.length === 1;
  const columns: number[] = [];
  let opened: EntryLine | undefined;
  const keep = (slip: Slip | undefined): void => {
    if (slip !== undefined && found.at(-1)?.start !== slip.start) found.push(slip);
  };
  for (let i = 0; i < lines.length;) {
    const line = lines[i++];
    if (line === undefined || isEmptyLine(line)) continue;
    const entry = entryOf(line);
    const keyless = entry === undefined ? keyWithoutBlank(line) : undefined;
    const value =
      entry ?? (keyless?.kind === "misread" ? undefined : (itemOf(line) ?? textBelow(line, opened)));
    if (/^ *\t/.test(line.text)) keep(tabSlip(line));
    else if (value === undefined) keep(keyless ?? straySlip(line));
    else {
      if (entry !== undefined) keep(columnSlip(line, entry, columns, opened !== undefined));
      opened = entry?.value === "" ? entry : undefined;
      if (value.value === "") continue;
      const { text, end } = textAt(yaml, lines, i - 1, value);
      keep(textSlip(text, isKey));
      i = end;
    }
  }
  return found;
}
