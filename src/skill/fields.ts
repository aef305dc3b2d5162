import { characters, firstCharacters } from "../model/characters.ts";
import type { Fix, Range, TextEdit } from "../model/diagnostic.ts";
import type { Report } from "./report.ts";
import type { SourceText } from "./source-text.ts";
import { closest, didYouMean } from "./suggest.ts";
import { addEntry, plainOrQuoted, quoted, removeEntry, removeItem, setValue } from "./yaml-edits.ts";
import type { YamlEntry, YamlList, YamlMap, YamlValue } from "./yaml-tree.ts";

/** Codes of the two complaints that any mapping can cause. */
export interface FieldCodes {
  readonly wrongType: string;
  readonly unknownKey: string;
}

/**
 * Typed access to the keys of one mapping. A missing key is undefined and silent; a value of another type is reported
 * on the value and read as undefined. An empty value (`key:`) counts as missing only for `entry`.
 */
export interface Fields {
  readonly range: Range;
  entry(key: string): YamlEntry | undefined;
  /** Where to complain about `key`: its value, else the mapping. */
  rangeOf(key: string): Range;
  string(key: string): string | undefined;
  number(key: string): number | undefined;
  boolean(key: string): boolean | undefined;
  strings(key: string): readonly StringItem[] | undefined;
  list(key: string): YamlList | undefined;
  map(key: string): Fields | undefined;
  /** Warns of every key outside `known`, and names the likely one. */
  refuseUnknown(known: readonly string[]): void;
  /** `key: value` as the first entry; further lines are indented relative to it. */
  adding(title: string, entry: string, byHand?: "by hand"): readonly Fix[];
  /** Another value for a key; none where the key is missing. */
  setting(title: string, key: string, value: string, byHand?: "by hand"): readonly Fix[];
  /** Without the key. It is a person's to say so. */
  removing(key: string): readonly Fix[];
  /** Without one item of the list behind a key. */
  removingItem(key: string, item: StringItem): readonly Fix[];
}

export interface StringItem {
  readonly text: string;
  readonly range: Range;
}

/** What a value is, in the words of a person who writes YAML. */
export function describe(value: YamlValue): string {
  if (value.kind === "list") return "a list";
  if (value.kind === "map") return "a mapping";
  if (value.value === null) return "empty";
  return typeof value.value === "string"
    ? `the text ${JSON.stringify(firstCharacters(value.value, 40))}`
    : `${value.value}`;
}

/** @param path how a message calls the mapping, e.g. `metadata.hasp.`, or empty for the root. */
export function fieldsOf(map: YamlMap, path: string, report: Report, codes: FieldCodes): Fields {
  const wrong = (key: string, value: YamlValue, wanted: string, example: string): undefined => {
    report.error(
      codes.wrongType,
      value.range,
      `${path}${key} must be ${wanted}, not ${describe(value)}.`,
      `Write \`${corrected(key, value, wanted) ?? example}\`.`,
      wrongTypeFixes(map, key, value, wanted, report.source),
    );
  };
  const scalar = <T>(
    key: string,
    is: (v: unknown) => v is T,
    wanted: string,
    example: string,
  ): T | undefined => {
    const value = map.entries.get(key)?.value;
    if (value === undefined) return undefined;
    if (value.kind === "scalar" && is(value.value)) return value.value;
    return wrong(key, value, wanted, example);
  };
  return {
    range: map.range,
    entry: (key) => map.entries.get(key),
    rangeOf: (key) => map.entries.get(key)?.value.range ?? map.range,
    string: (key) => scalar(key, isString, "text", `${key}: "some text"`),
    number: (key) => scalar(key, isNumber, "a number", `${key}: 1`),
    boolean: (key) => scalar(key, isBoolean, "true or false", `${key}: true`),
    strings: (key) => {
      const value = map.entries.get(key)?.value;
      const refuse = (bad: YamlValue): undefined => wrong(key, bad, "a list of words", `${key}: [one, two]`);
      return value === undefined ? undefined : stringItems(value, refuse);
    },
    list: (key) => {
      const value = map.entries.get(key)?.value;
      if (value === undefined || value.kind === "list") return value;
      return wrong(key, value, "a list", `${key}: [ … ]`);
    },
    map: (key) => {
      const value = map.entries.get(key)?.value;
      if (value === undefined) return undefined;
      if (value.kind === "map") return fieldsOf(value, `${path}${key}.`, report, codes);
      return wrong(key, value, "a mapping", `${key}: { … }`);
    },
    refuseUnknown: (known) => refuseUnknown(map, known, path, report, codes.unknownKey),
    ...editsOf(map, report.source),
  };
}

type Edits = Pick<Fields, "adding" | "setting" | "removing" | "removingItem">;

function editsOf(map: YamlMap, source: SourceText): Edits {
  const fix = (title: string, edit: TextEdit, byHand?: "by hand"): readonly Fix[] => [
    { title, edits: [edit], ...(byHand !== undefined && { byHand: true as const }) },
  ];
  return {
    adding: (title, entry, byHand) => fix(title, addEntry(map, entry), byHand),
    setting: (title, key, text, byHand) => {
      const entry = map.entries.get(key);
      return entry === undefined ? [] : fix(title, setValue(entry, text, source), byHand);
    },
    removing: (key) =>
      map.entries.has(key) ? fix(`Delete \`${key}\``, removeEntry(map, key, source), "by hand") : [],
    removingItem: (key, { text, range }) => {
      const list = map.entries.get(key)?.value;
      if (list?.kind !== "list") return [];
      return fix(
        `Delete ${JSON.stringify(firstCharacters(text, 40))}`,
        removeItem(list, range, source),
        "by hand",
      );
    },
  };
}

/** The value as the type that is wanted, where it holds one; else without it. */
function wrongTypeFixes(
  map: YamlMap,
  key: string,
  value: YamlValue,
  wanted: string,
  source: SourceText,
): readonly Fix[] {
  const entry = map.entries.get(key);
  if (entry === undefined) return [];
  const edits = editsOf(map, source);
  const text = asWanted(value, wanted, source);
  if (text === undefined) return entry.value === value ? edits.removing(key) : [];
  const written = characters(text) > 40 ? wanted : text;
  if (entry.value === value) return edits.setting(`Write \`${key}: ${written}\``, key, text);
  // An item of the list behind the key: the list has the right type, the item has not.
  const item = asWanted(value, "text", source);
  return item === undefined
    ? []
    : [{ title: `Write \`${item}\``, edits: [{ range: value.range, newText: item }] }];
}

/** What stands there in the notation of another type; undefined where it is no such value. */
function asWanted(value: YamlValue, wanted: string, source: SourceText): string | undefined {
  if (value.kind !== "scalar" || value.value === null) return undefined;
  const written = typeof value.value === "string" ? value.value : source.slice(value.range);
  if (wanted === "text") return quoted(written);
  if (wanted === "a list of words") return `[${plainOrQuoted(written)}]`;
  if (wanted === "a number") return Number.isFinite(Number(written || "x")) ? written.trim() : undefined;
  if (wanted !== "true or false") return undefined;
  if (/^(?:true|yes|on|1)$/i.test(written)) return "true";
  return /^(?:false|no|off|0)$/i.test(written) ? "false" : undefined;
}

function stringItems(value: YamlValue, refuse: (bad: YamlValue) => undefined): StringItem[] | undefined {
  if (value.kind !== "list") return refuse(value);
  return value.items.flatMap((item) => {
    if (item.kind === "scalar" && typeof item.value === "string")
      return [{ text: item.value, range: item.range }];
    return refuse(item) ?? [];
  });
}

/** The same value as the wanted type, where that is a matter of quotes or brackets. */
function corrected(key: string, value: YamlValue, wanted: string): string | undefined {
  if (value.kind !== "scalar" || value.value === null) return undefined;
  if (wanted === "text") return `${key}: "${value.value}"`;
  return wanted === "a list of words" && /^[\w-]+$/.test(String(value.value))
    ? `${key}: [${value.value}]`
    : undefined;
}

const isString = (v: unknown): v is string => typeof v === "string";
const isNumber = (v: unknown): v is number => typeof v === "number" && Number.isFinite(v);
const isBoolean = (v: unknown): v is boolean => typeof v === "boolean";

function refuseUnknown(
  map: YamlMap,
  known: readonly string[],
  path: string,
  report: Report,
  code: string,
): void {
  for (const { key, keyRange } of map.entries.values()) {
    if (known.includes(key)) continue;
    const unused = known.filter((k) => !map.entries.has(k));
    const next = closest(key, unused) === undefined ? didYouMean(key, known) : didYouMean(key, unused);
    const meant = closest(key, unused);
    const rename = meant === undefined ? [] : [replacing(keyRange, meant)];
    report.warning(code, keyRange, `"${path}${key}" is no key of HASP and is not read.`, next, [
      ...rename,
      ...editsOf(map, report.source).removing(key),
    ]);
  }
}

/** Another word at the same place. */
export function replacing(range: Range, word: string): Fix {
  return { title: `Write \`${word}\``, edits: [{ range, newText: word }] };
}

/** The word that was most likely meant, where there is one. */
export function meantWord(word: string, range: Range, known: readonly string[]): readonly Fix[] {
  const match = closest(word, known);
  return match === undefined ? [] : [replacing(range, match)];
}
