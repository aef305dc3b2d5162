import { asCount, asName, asRecord, asText, type JsonRecord } from "../records.ts";

export interface SpanEvent {
  readonly name: string;
  readonly attributes: JsonRecord;
}

/** A span with its attributes as plain values, whichever encoding it came in. */
export interface Span {
  /** Ids in hexadecimal, where they are ids of W3C trace context; else as they were. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  /** Nanoseconds since 1970, 0 where unknown; only for order, so the digits that a double loses do not matter. */
  readonly start: number;
  readonly end: number;
  readonly attributes: JsonRecord;
  readonly events: SpanEvent[];
  readonly resource: JsonRecord;
  /** What is left of the span: kind, status, links. */
  readonly rest: JsonRecord;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The bytes of a padded Base64 text, in hexadecimal. */
function hexOfBase64(text: string): string {
  let hex = "";
  let bits = 0;
  let held = 0;
  for (const char of text.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "")) {
    held = (held << 6) | BASE64.indexOf(char);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    hex += ((held >> bits) & 255).toString(16).padStart(2, "0");
    held &= (1 << bits) - 1;
  }
  return hex;
}

const HEX_ID = /^(?:0x)?((?:[0-9a-f]{16}){1,2})$/i;
/** 16 bytes of a trace's id or 8 of a span's, as protobuf's own JSON writes them. */
const BASE64_ID = /^(?:[\w+/-]{22}==|[\w+/-]{11}=)$/;

/** An id in the one form in which ids of all encodings can be compared; undefined for none, and for the id of zeros. */
export function idOf(value: unknown): string | undefined {
  const text = asName(value).trim();
  const hex = HEX_ID.exec(text)?.[1] ?? (BASE64_ID.test(text) ? hexOfBase64(text) : undefined);
  if (hex === undefined) return text === "" ? undefined : text;
  return /^0+$/.test(hex) ? undefined : hex.toLowerCase();
}

/** Of the numbers that a time may be, the smallest of each unit; between them lie 30,000 years. */
const UNITS: readonly (readonly [smallest: number, nanoseconds: number])[] = [
  [1e17, 1],
  [1e14, 1e3],
  [1e11, 1e6],
  [0, 1e9],
];

/** A time in nanoseconds since 1970: a number of any unit, a pair of seconds and nanoseconds, or a date as text. */
export function timeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) {
    const seconds = asCount(value[0]);
    return seconds === undefined ? undefined : seconds * 1e9 + (asCount(value[1]) ?? 0);
  }
  if (typeof value === "object" && value !== null) {
    const { seconds, nanos } = value as JsonRecord;
    return seconds === undefined ? undefined : timeOf([seconds, nanos]);
  }
  const count = asCount(value);
  if (count !== undefined) return count * (UNITS.find(([smallest]) => count >= smallest)?.[1] ?? 1);
  if (typeof value !== "string") return undefined;
  const date = Date.parse(value);
  if (Number.isNaN(date) || date < 0) return undefined;
  // `Date` knows milliseconds; spans of one of them need the digits after those.
  const below = /\.\d{3}(\d{1,6})/.exec(value)?.[1] ?? "";
  return date * 1e6 + Number(below.padEnd(6, "0"));
}

/** The time as a date, where it is one. */
export function dateText(nanoseconds: number): string | undefined {
  return nanoseconds === 0 || nanoseconds > 8.64e21 ? undefined : new Date(nanoseconds / 1e6).toISOString();
}

/** The first of the attributes that holds a text. */
export function textAt(
  { attributes }: Pick<Span, "attributes">,
  ...keys: readonly string[]
): string | undefined {
  for (const key of keys) {
    const text = asText(attributes[key]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The first of the attributes that is there. */
export function valueAt({ attributes }: Pick<Span, "attributes">, ...keys: readonly string[]): unknown {
  return keys.map((key) => attributes[key]).find((value) => value !== undefined && value !== null);
}

/** Why the span failed, where it says that it did. */
export function failureOf(span: Span): string | undefined {
  const status = asRecord(span.rest["status"]);
  const code = status["code"] ?? status["status_code"] ?? status["statusCode"];
  const isError = code === 2 || /error$/i.test(asName(code));
  const message = asText(status["message"]) ?? asText(status["description"]);
  const type = asText(span.attributes["error.type"]);
  return isError ? (message ?? type ?? "error") : type === undefined ? undefined : (message ?? type);
}
