import { asCount, asList, asRecord, asText, isRecord, type JsonRecord, recordsOf } from "./records.ts";

/** A span of an OTLP JSON file with its attributes as plain values. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  /** Nanoseconds since 1970; only for order, so the digits that a double loses do not matter. */
  readonly start: number;
  readonly startText: string | undefined;
  readonly end: number;
  readonly attributes: JsonRecord;
  readonly events: readonly { readonly name: string; readonly attributes: JsonRecord }[];
  readonly resource: JsonRecord;
  /** What is left of the span: parent, kind, status, links. */
  readonly rest: JsonRecord;
}

export function isOtlp(value: unknown): boolean {
  return isRecord(value) && (Array.isArray(value["resourceSpans"]) || Array.isArray(value["resource_spans"]));
}

/** An OTLP AnyValue as plain JSON. Bytes stay as base64; a value of no known kind is null. */
export function plainValue(value: unknown): unknown {
  const any = asRecord(value);
  if ("stringValue" in any) return any["stringValue"];
  if ("intValue" in any) return asCount(any["intValue"]) ?? Number(any["intValue"]);
  if ("doubleValue" in any) return any["doubleValue"];
  if ("boolValue" in any) return any["boolValue"];
  if ("arrayValue" in any) return asList(asRecord(any["arrayValue"])["values"]).map(plainValue);
  if ("kvlistValue" in any) return plainAttributes(asRecord(any["kvlistValue"])["values"]);
  return any["bytesValue"] ?? null;
}

/** A list of `key` and `value`; also an object, as some exporters write. */
export function plainAttributes(list: unknown): JsonRecord {
  if (isRecord(list)) return list;
  return Object.fromEntries(
    recordsOf(list).map((entry) => [asText(entry["key"]) ?? "", plainValue(entry["value"])]),
  );
}

/** All spans of a document; entries that are none are counted. */
export function spansOf(document: JsonRecord): {
  readonly spans: readonly Span[];
  readonly unreadable: number;
} {
  const spans: Span[] = [];
  let unreadable = 0;
  for (const group of recordsOf(document["resourceSpans"] ?? document["resource_spans"])) {
    const resource = plainAttributes(asRecord(group["resource"])["attributes"]);
    for (const scope of recordsOf(group["scopeSpans"] ?? group["scope_spans"])) {
      for (const entry of asList(scope["spans"])) {
        const span = spanOf(entry, resource);
        if (span === undefined) unreadable++;
        else spans.push(span);
      }
    }
  }
  return { spans, unreadable };
}

const READ = ["traceId", "spanId", "name", "startTimeUnixNano", "endTimeUnixNano", "attributes", "events"];

function spanOf(entry: unknown, resource: JsonRecord): Span | undefined {
  if (!isRecord(entry)) return undefined;
  const traceId = asText(entry["traceId"]);
  const spanId = asText(entry["spanId"]);
  if (traceId === undefined || spanId === undefined) return undefined;
  const start = asCount(entry["startTimeUnixNano"]) ?? 0;
  return {
    traceId,
    spanId,
    name: asText(entry["name"]) ?? "",
    start,
    startText: start === 0 || start > 8.64e21 ? undefined : new Date(start / 1e6).toISOString(),
    end: asCount(entry["endTimeUnixNano"]) ?? start,
    attributes: plainAttributes(entry["attributes"]),
    events: recordsOf(entry["events"]).map((event) => ({
      name: asText(event["name"]) ?? "",
      attributes: plainAttributes(event["attributes"]),
    })),
    resource,
    rest: Object.fromEntries(Object.entries(entry).filter(([key]) => !READ.includes(key))),
  };
}
