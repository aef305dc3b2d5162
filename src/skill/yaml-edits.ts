import type { Position, Range, TextEdit } from "../model/diagnostic.ts";
import type { SourceText } from "./source-text.ts";
import type { YamlEntry, YamlList, YamlMap, YamlValue } from "./yaml-tree.ts";

/** A text as YAML in double quotes, on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A text bare where YAML reads it as the same text, else quoted. */
export function plainOrQuoted(text: string): string {
  return /^[A-Za-z][\w ./()-]*$/.test(text) &&
    !/^(true|false|null|yes|no|on|off)$/i.test(text) &&
    !/\s$/.test(text)
    ? text
    : quoted(text);
}

const insertion = (at: Position, newText: string): TextEdit => ({ range: { start: at, end: at }, newText });

/** The text's further lines are moved to where its first one stands. */
function shifted(text: string, column: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(column)}`);
}

/** Adds an entry such as `name: x` as the first of a mapping; further lines are indented relative to it. */
export function addEntry(map: YamlMap, entry: string): TextEdit {
  const [first] = map.entries.values();
  if (map.isFlow || first === undefined) {
    const { line, character } = map.range.start;
    return first === undefined
      ? { range: map.range, newText: `{ ${entry} }` }
      : insertion({ line, character: character + 1 }, ` ${entry},`);
  }
  const { start } = first.keyRange;
  return insertion(start, shifted(`${entry}\n`, start.character));
}

/** The start of the line after a position; the end of the text on its last line. */
function nextLine({ line }: Position, source: SourceText): Position {
  return source.positionAt(source.offsetAt({ line: line + 1, character: 0 }));
}

/** Where what belongs to a value ends: the start of the line after it. */
function endOfLines(value: YamlValue, source: SourceText): Position {
  const { end } = value.range;
  return end.character === 0 ? end : nextLine(end, source);
}

/** Only blanks stand before it on its line. */
function beginsItsLine(at: Position, source: SourceText): boolean {
  return source.slice({ start: { line: at.line, character: 0 }, end: at }).trim() === "";
}

/** The lines of an entry that stands on lines of its own, in a mapping without braces. */
export function linesOf({ keyRange, value }: YamlEntry, source: SourceText): Range {
  return { start: { line: keyRange.start.line, character: 0 }, end: endOfLines(value, source) };
}

/** Takes one of several out of a row in brackets or braces, with its comma. */
function takeOut(ranges: readonly Range[], index: number): Range {
  const own = ranges[index];
  const before = ranges[index - 1];
  const after = ranges[index + 1];
  if (own === undefined) throw new Error("The item is not of this row");
  if (after !== undefined) return { start: own.start, end: after.start };
  return { start: before?.end ?? own.start, end: own.end };
}

/** Deletes an entry; the last one leaves `{}`. */
export function removeEntry(map: YamlMap, key: string, source: SourceText): TextEdit {
  const entries = [...map.entries.values()];
  const index = entries.findIndex((entry) => entry.key === key);
  const entry = entries[index];
  if (entry === undefined || entries.length === 1) return { range: map.range, newText: "{}" };
  const whole = entries.map(({ keyRange, value }) => ({ start: keyRange.start, end: value.range.end }));
  if (map.isFlow) return { range: takeOut(whole, index), newText: "" };
  if (beginsItsLine(entry.keyRange.start, source)) return { range: linesOf(entry, source), newText: "" };
  return { range: takeOut(whole, index), newText: "" };
}

/** Deletes an item of a list; the last one leaves `[]`. */
export function removeItem(list: YamlList, item: Range, source: SourceText): TextEdit {
  const index = list.items.findIndex(({ range }) => range.start === item.start || same(range, item));
  if (index === -1 || list.items.length === 1) return { range: list.range, newText: "[]" };
  const ranges = list.items.map(({ range }) => range);
  if (list.isFlow) return { range: takeOut(ranges, index), newText: "" };
  const { line } = item.start;
  return { range: { start: { line, character: 0 }, end: nextLine(item.end, source) }, newText: "" };
}

function same(a: Range, b: Range): boolean {
  return a.start.line === b.start.line && a.start.character === b.start.character;
}

/** Puts another value in place of the one that an entry has, if any. */
export function setValue({ key, keyRange, value }: YamlEntry, text: string, source: SourceText): TextEdit {
  if (same(value.range, keyRange)) return { range: keyRange, newText: `${key}: ${text}` };
  const isEmpty = source.slice(value.range) === "";
  const range = { start: value.range.start, end: withoutBreak(value.range, source) };
  return { range, newText: isEmpty ? ` ${text}` : text };
}

/** The end of a text without the blanks and line breaks behind it; a `\r` counts to the text in front of it. */
function withoutBreak(range: Range, source: SourceText): Position {
  const text = source.slice(range);
  return source.positionAt(source.offsetAt(range.start) + text.trimEnd().length);
}

/**
 * Adds an entry below the mappings that `path` names, and those of them that are not there. Undefined where something else
 * than a mapping stands in the way.
 */
export function addBelow(root: YamlMap, path: readonly string[], entry: string): TextEdit | undefined {
  let map = root;
  for (const [depth, key] of path.entries()) {
    const next = map.entries.get(key)?.value;
    if (next === undefined) return addEntry(map, nested(path.slice(depth), entry, map.isFlow));
    if (next.kind !== "map") return undefined;
    map = next;
  }
  return addEntry(map, map.isFlow ? inFlow(entry) : entry);
}

function nested(path: readonly string[], entry: string, isFlow: boolean): string {
  if (isFlow) return path.reduceRight((inner, key) => `${key}: { ${inner} }`, inFlow(entry));
  return path.reduceRight((inner, key) => `${key}:\n  ${shifted(inner, 2)}`, entry);
}

/** One entry with at most one level below it, on one line. */
function inFlow(entry: string): string {
  const [first = "", ...rest] = entry.split("\n");
  return rest.length === 0 ? entry : `${first} { ${rest.map((line) => line.trim()).join(", ")} }`;
}
