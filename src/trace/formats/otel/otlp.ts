import {
  asCount,
  asList,
  asRecord,
  asText,
  isRecord,
  type JsonRecord,
  recordsOf,
  without,
} from "../records.ts";
import { idOf, type Span, type SpanEvent } from "./span.ts";

/** A record of OTLP's logs, its body among the attributes where that is an object. */
export interface LogRecord {
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly event: string | undefined;
  readonly time: number;
  readonly attributes: JsonRecord;
  readonly resource: JsonRecord;
}

/** What the entries of a document are read into. */
export interface Telemetry {
  readonly spans: Span[];
  readonly logs: LogRecord[];
  /** Series of measurements, which tell no step. */
  metrics: number;
  /** Entries that are no spans. */
  unreadable: number;
}

/** The keys of OTLP: camel case by its own JSON, snake case where a program writes the names of protobuf's fields. */
const KEYS = {
  spans: ["resourceSpans", "resource_spans", "batches"],
  logs: ["resourceLogs", "resource_logs"],
  metrics: ["resourceMetrics", "resource_metrics", "scopeMetrics", "scope_metrics"],
} as const;

function listAt(record: JsonRecord, keys: readonly string[]): readonly unknown[] | undefined {
  return keys.map((key) => record[key]).find((value) => Array.isArray(value)) as unknown[] | undefined;
}

const SCOPES = ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"];

const LOG_SCOPES = ["scopeLogs", "scope_logs"];

/** OTLP as one object; of Grafana Tempo's API, `batches`, also within `trace`; of Java's logging exporter, one resource. */
export function isOtlpDocument(value: JsonRecord): boolean {
  const { batches, trace } = value;
  if (isRecord(value["resource"]) && listAt(value, [...SCOPES, ...LOG_SCOPES]) !== undefined) return true;
  if (Array.isArray(batches)) return batches.some((entry) => listAt(asRecord(entry), SCOPES) !== undefined);
  if (isRecord(trace)) return isOtlpDocument(trace);
  return Object.values(KEYS).some((keys) => listAt(value, keys) !== undefined);
}

/** An OTLP AnyValue as plain JSON. Bytes stay as base64; a value of no known kind is null. */
function plainValue(value: unknown): unknown {
  const any = asRecord(value);
  for (const [key, inner] of Object.entries(any))
    switch (key) {
      case "stringValue":
      case "string_value":
      case "doubleValue":
      case "double_value":
      case "boolValue":
      case "bool_value":
      case "bytesValue":
      case "bytes_value":
        return inner;
      case "intValue":
      case "int_value":
        return asCount(inner) ?? Number(inner);
      case "arrayValue":
      case "array_value":
        return asList(asRecord(inner)["values"]).map(plainValue);
      case "kvlistValue":
      case "kvlist_value":
        return plainAttributes(asRecord(inner)["values"]);
      default:
    }
  return null;
}

/** A list of `key` and `value`; also an object, as some exporters write. */
export function plainAttributes(list: unknown): JsonRecord {
  if (isRecord(list)) return list;
  return Object.fromEntries(
    recordsOf(list).map((entry) => [asText(entry["key"]) ?? "", plainValue(entry["value"])]),
  );
}

/** Reads all that the document holds. */
export function readOtlp(document: JsonRecord, into: Telemetry): void {
  if (isRecord(document["trace"])) return readOtlp(document["trace"], into);
  for (const group of recordsOf(listAt(document, KEYS.spans) ?? [document])) {
    const resource = plainAttributes(asRecord(group["resource"])["attributes"]);
    for (const scope of recordsOf(listAt(group, SCOPES)))
      for (const entry of asList(scope["spans"])) {
        const span = spanOf(entry, resource);
        if (span === undefined) into.unreadable++;
        else into.spans.push(span);
      }
  }
  for (const group of recordsOf(listAt(document, KEYS.logs) ?? [document])) {
    const resource = plainAttributes(asRecord(group["resource"])["attributes"]);
    for (const scope of recordsOf(listAt(group, LOG_SCOPES)))
      for (const entry of recordsOf(listAt(scope, ["logRecords", "log_records"])))
        into.logs.push(logRecord(entry, resource));
  }
  into.metrics += listAt(document, KEYS.metrics)?.length ?? 0;
}

const CAMEL: readonly (readonly [snake: string, camel: string])[] = [
  ["trace_id", "traceId"],
  ["span_id", "spanId"],
  ["parent_span_id", "parentSpanId"],
  ["start_time_unix_nano", "startTimeUnixNano"],
  ["end_time_unix_nano", "endTimeUnixNano"],
];
const READ = [...CAMEL.flat(), "name", "attributes", "events"];

function at(entry: JsonRecord, camel: string): unknown {
  return entry[camel] ?? entry[CAMEL.find(([, name]) => name === camel)?.[0] ?? ""];
}

/** A span may lack its ids; then only its place among the others tells where it belongs. */
function spanOf(entry: unknown, resource: JsonRecord): Span | undefined {
  if (!isRecord(entry)) return undefined;
  const attributes = plainAttributes(entry["attributes"]);
  const traceId = idOf(at(entry, "traceId"));
  const spanId = idOf(at(entry, "spanId"));
  if (traceId === undefined && spanId === undefined && Object.keys(attributes).length === 0) return undefined;
  const start = asCount(at(entry, "startTimeUnixNano")) ?? 0;
  return {
    traceId: traceId ?? "",
    spanId: spanId ?? "",
    parentId: idOf(at(entry, "parentSpanId")),
    name: asText(entry["name"]) ?? "",
    start,
    end: asCount(at(entry, "endTimeUnixNano")) ?? start,
    attributes,
    events: recordsOf(entry["events"]).map(eventOf),
    resource,
    rest: without(entry, READ),
  };
}

/** An event of a span; its name and attributes are the same in all encodings. */
export function eventOf(event: JsonRecord): SpanEvent {
  return { name: asText(event["name"]) ?? "", attributes: plainAttributes(event["attributes"]) };
}

function logRecord(entry: JsonRecord, resource: JsonRecord): LogRecord {
  const attributes = plainAttributes(entry["attributes"]);
  // A record without a time of its own has 0 there.
  const time = asCount(entry["timeUnixNano"] ?? entry["time_unix_nano"]) || undefined;
  return logOf({
    traceId: idOf(at(entry, "traceId")),
    spanId: idOf(at(entry, "spanId")),
    event: asText(entry["eventName"]) ?? asText(entry["event_name"]),
    time: time ?? asCount(entry["observedTimeUnixNano"] ?? entry["observed_time_unix_nano"]) ?? 0,
    attributes,
    body: plainValue(entry["body"]),
    resource,
  });
}

/** A record whose body, an object, is told with the attributes; and its name, wherever that stands. */
export function logOf({
  body,
  ...record
}: Omit<LogRecord, "event"> & { readonly event: string | undefined; readonly body: unknown }): LogRecord {
  const { attributes } = record;
  const event = record.event ?? asText(attributes["event.name"]);
  return {
    ...record,
    event: event ?? (typeof body === "string" && /^gen_ai\.[\w.]+$/.test(body) ? body : undefined),
    attributes: isRecord(body) ? { ...attributes, ...body } : attributes,
  };
}
