/** A line of YAML. Offsets are those in the whole text. */
export interface YamlLine {
  readonly start: number;
  /** Without its line break. */
  readonly text: string;
  /** Blanks before its first other character. */
  readonly indent: number;
}

/** A line `key: value`, or an item of a list, whose key is empty. */
export interface EntryLine {
  readonly key: string;
  /** Column of the key, or of an item's dash. */
  readonly column: number;
  /** Offset of the value. */
  readonly at: number;
  /** Empty where it stands on the lines below. */
  readonly value: string;
}

export function linesOfYaml(yaml: string): readonly YamlLine[] {
  let start = 0;
  return yaml.split(/(?<=\n|\r(?!\n))/).map((whole) => {
    const text = whole.replace(/[\r\n]+$/, "");
    const line = { start, text, indent: text.length - text.replace(/^ +/, "").length };
    start += whole.length;
    return line;
  });
}

export const isBlankLine = ({ text }: YamlLine): boolean => /^[ \t]*$/.test(text);
/** Holds a comment at most. */
export const isEmptyLine = ({ text }: YamlLine): boolean => /^[ \t]*(?:#.*)?$/.test(text);

/** A key is one word; more of them are valid YAML, and more often a text. */
const ENTRY = /^( *(?:- +)*)(["']?)([^\s:#"'[\]{},&*!|>%@`?-][^\s:"']*)\2[ \t]*:(?:[ \t]+(.*))?$/s;
const ITEM = /^( *)- +(?:- +)*(.*)$/s;

function valued({ start, text }: YamlLine, key: string, column: number, rest: string): EntryLine {
  const value = rest.startsWith("#") ? "" : rest.trimEnd();
  return { key, column, at: start + text.length - rest.length, value };
}

export function entryOf(line: YamlLine): EntryLine | undefined {
  const [, before = "", , key, rest = ""] = ENTRY.exec(line.text) ?? [];
  return key === undefined ? undefined : valued(line, key, before.length, rest);
}

export function itemOf(line: YamlLine): EntryLine | undefined {
  const [, before = "", rest] = ITEM.exec(line.text) ?? [];
  return rest === undefined ? undefined : valued(line, "", before.length, rest);
}

/** Index after the lines from `from` that are indented deeper than a column, without those at their end that are `empty`. */
export function endOfDeeper(
  lines: readonly YamlLine[],
  from: number,
  column: number,
  empty: (line: YamlLine) => boolean,
): number {
  let end = from;
  for (let i = from; i < lines.length; i++) {
    const line = lines[i];
    if (line === undefined || (!empty(line) && line.indent <= column)) break;
    if (!empty(line)) end = i + 1;
  }
  return end;
}
