import { cut } from "./fault.ts";

const TEXT_CHARS = 200;
const ENTRIES = 10;
const DEPTH = 4;
const VALUE_CHARS = 2_000;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const quoted = (text: string): string => JSON.stringify(cut(text, TEXT_CHARS));

const nameText = (key: PropertyKey): string =>
  typeof key === "string" && !IDENTIFIER.test(key) ? quoted(key) : String(key);

function listed(open: string, texts: readonly string[], count: number, close: string): string {
  const rest = count > texts.length ? [`… ${count - texts.length} more`] : [];
  return `${open}${[...texts, ...rest].join(", ")}${close}`;
}

/** Reads no accessor: that would run code of the PF in the middle of its decision. */
function propertyText(value: object, key: PropertyKey, depth: number): string {
  const property = Reflect.getOwnPropertyDescriptor(value, key);
  if (property === undefined) return "undefined";
  return "value" in property ? textAt(property.value, depth + 1) : "[getter]";
}

function collectionText(value: Map<unknown, unknown> | Set<unknown>, depth: number): string {
  const name = value instanceof Map ? "Map" : "Set";
  const entries: readonly unknown[] = [...value].slice(0, ENTRIES);
  const texts = entries.map((entry) =>
    value instanceof Map && Array.isArray(entry)
      ? `${textAt(entry[0], depth + 1)} => ${textAt(entry[1], depth + 1)}`
      : textAt(entry, depth + 1),
  );
  return listed(`${name} {`, texts, value.size, "}");
}

function objectText(value: object, depth: number): string {
  if (Array.isArray(value)) {
    const { length } = value;
    if (length > 0 && depth >= DEPTH) return "…";
    const texts = Array.from({ length: Math.min(length, ENTRIES) }, (_, i) => propertyText(value, i, depth));
    return listed("[", texts, length, "]");
  }
  if (value instanceof RegExp) return cut(String(value), TEXT_CHARS);
  if (value instanceof Error) return `Error(${propertyText(value, "message", depth)})`;
  if (depth >= DEPTH) return "…";
  if (value instanceof Map || value instanceof Set) return collectionText(value, depth);
  const keys = Object.keys(value);
  const texts = keys.slice(0, ENTRIES).map((key) => `${nameText(key)}: ${propertyText(value, key, depth)}`);
  return listed("{", texts, keys.length, "}");
}

function textAt(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return value.description === undefined ? "Symbol()" : `Symbol(${quoted(value.description)})`;
    case "function":
      return "[function]";
    case "object":
      return value === null ? "null" : objectText(value, depth);
    default:
      return String(value);
  }
}

/**
 * A value as it is written in code, for people: JSON has no undefined, NaN, -0 or bigint. Long texts and lists are cut and end in `…`.
 */
export function valueText(value: unknown): string {
  return cut(textAt(value, 0), VALUE_CHARS);
}
