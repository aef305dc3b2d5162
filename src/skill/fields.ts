import type { Range } from "../model/diagnostic.ts";
import type { Report } from "./report.ts";
import { closest, didYouMean } from "./suggest.ts";
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
    ? `the text ${JSON.stringify(value.value.slice(0, 40))}`
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
  };
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
    report.warning(code, keyRange, `"${path}${key}" is no key of HASP and is not read.`, next);
  }
}
