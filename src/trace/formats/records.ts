/** A JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function recordsOf(value: unknown): readonly JsonRecord[] {
  return asList(value).filter(isRecord);
}

/** The text, or undefined for anything that is no text or empty. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A finite number of 0 or more, also where it is written as text (OTLP writes 64-bit integers so). */
export function asCount(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** The object without entries that are undefined; undefined where nothing is left. */
export function compact(values: JsonRecord): Record<string, unknown> | undefined {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

export function without(record: JsonRecord, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

/** A word or a number as text, for names; nothing for anything else. `String` throws on `{"toString": 1}`. */
export function asName(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
