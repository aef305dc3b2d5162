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
import { eventOf, logOf, type LogRecord, plainAttributes, type Telemetry } from "./otlp.ts";
import { idOf, type Span, timeOf } from "./span.ts";

/** Where the programs that write one object a span keep the ids of it. */
const contextOf = (value: JsonRecord): JsonRecord =>
  asRecord(value["context"] ?? value["spanContext"] ?? value["_spanContext"]);

const traceIdOf = (value: JsonRecord): unknown => {
  const context = contextOf(value);
  const own = value["traceId"] ?? value["trace_id"] ?? value["traceID"];
  return own ?? context["trace_id"] ?? context["traceId"];
};

const spanIdOf = (value: JsonRecord): unknown => {
  const context = contextOf(value);
  const own = value["spanId"] ?? value["span_id"] ?? value["spanID"];
  return own ?? context["span_id"] ?? context["spanId"] ?? value["id"];
};

/**
 * A span that is an object by itself: the console exporters of the SDKs (Python's as JSON, JavaScript's put through JSON.stringify),
 * the file exporter of VS Code, Phoenix and Zipkin.
 */
function isFlatSpan(value: unknown): value is JsonRecord {
  if (!isRecord(value) || typeof value["name"] !== "string") return false;
  if (idOf(traceIdOf(value)) === undefined || idOf(spanIdOf(value)) === undefined) return false;
  return isRecord(value["attributes"]) || isRecord(value["tags"]);
}

const READ = [
  "traceId",
  "trace_id",
  "traceID",
  "spanId",
  "span_id",
  "spanID",
  "id",
  "context",
  "spanContext",
  "_spanContext",
  "parentSpanId",
  "parent_span_id",
  "parent_id",
  "parentId",
  "parentSpanContext",
  "name",
  "resource",
  "startTimeUnixNano",
  "startTime",
  "start_time",
  "timestamp",
  "endTimeUnixNano",
  "endTime",
  "end_time",
  "duration",
  "attributes",
  "tags",
  "events",
];

function flatSpan(value: JsonRecord): Span {
  const parent = asRecord(value["parentSpanContext"]);
  const direct = value["parentSpanId"] ?? value["parent_span_id"] ?? value["parent_id"] ?? value["parentId"];
  const begin = value["startTimeUnixNano"] ?? value["startTime"] ?? value["start_time"] ?? value["timestamp"];
  const start = timeOf(begin) ?? 0;
  const end = timeOf(value["endTimeUnixNano"] ?? value["endTime"] ?? value["end_time"]);
  // Zipkin and JavaScript's console count microseconds there.
  const duration = (asCount(value["duration"]) ?? 0) * 1e3;
  return {
    traceId: idOf(traceIdOf(value)) ?? "",
    spanId: idOf(spanIdOf(value)) ?? "",
    parentId: idOf(direct ?? parent["spanId"] ?? parent["span_id"]),
    name: asText(value["name"]) ?? "",
    start,
    end: end ?? start + duration,
    attributes: plainAttributes(value["attributes"] ?? value["tags"]),
    events: recordsOf(value["events"]).map(eventOf),
    resource: resourceOf(value),
    rest: without(value, READ),
  };
}

const resourceOf = (value: JsonRecord): JsonRecord => {
  const { attributes, _attributes } = asRecord(value["resource"]);
  return plainAttributes(attributes ?? _attributes ?? {});
};

/** A span as Go's stdout exporter writes it. */
const isGoSpan = (value: unknown): value is JsonRecord =>
  isRecord(value) && typeof value["Name"] === "string" && isRecord(value["SpanContext"]);

const goAttributes = (list: unknown): JsonRecord =>
  Object.fromEntries(
    recordsOf(list).map((entry) => [asText(entry["Key"]) ?? "", asRecord(entry["Value"])["Value"]]),
  );

function goSpan(value: JsonRecord): Span {
  const { Name, SpanContext, Parent, StartTime, EndTime, Attributes, Events, Resource, Status, ...rest } =
    value;
  const { Code, Description } = asRecord(Status);
  return flatSpan({
    ...rest,
    name: Name,
    traceId: asRecord(SpanContext)["TraceID"],
    spanId: asRecord(SpanContext)["SpanID"],
    parentSpanId: asRecord(Parent)["SpanID"],
    startTime: StartTime,
    endTime: EndTime,
    attributes: goAttributes(Attributes),
    events: recordsOf(Events).map((event) => ({
      name: event["Name"],
      attributes: goAttributes(event["Attributes"]),
    })),
    resource: { attributes: goAttributes(Resource) },
    status: { code: Code, description: Description },
  });
}

/** A log record that is an object by itself, as console and file exporters write it. */
function isFlatLog(value: unknown): value is JsonRecord {
  if (
    !isRecord(value) ||
    !("body" in value) ||
    !isRecord(value["attributes"]) ||
    !isRecord(value["resource"])
  )
    return false;
  return "trace_id" in value || "traceId" in value || "hrTime" in value || "observed_timestamp" in value;
}

function flatLog(value: JsonRecord): LogRecord {
  const time =
    value["timestamp"] ?? value["hrTime"] ?? value["observed_timestamp"] ?? value["hrTimeObserved"];
  return logOf({
    traceId: idOf(traceIdOf(value)),
    spanId: idOf(spanIdOf(value)),
    event: asText(value["event_name"]) ?? asText(value["eventName"]),
    time: timeOf(time) ?? 0,
    attributes: plainAttributes(value["attributes"]),
    body: value["body"],
    resource: resourceOf(value),
  });
}

/** Jaeger's API and its user interface: `data`, a list of traces, or one trace. */
export function jaegerTraces(value: JsonRecord): readonly JsonRecord[] {
  const traces = Array.isArray(value["data"]) ? recordsOf(value["data"]) : [value];
  return traces.filter((trace) => idOf(trace["traceID"]) !== undefined && Array.isArray(trace["spans"]));
}

const tagsOf = (tags: unknown): JsonRecord =>
  Object.fromEntries(recordsOf(tags).map((tag) => [asText(tag["key"]) ?? "", tag["value"]]));

function jaegerSpan(span: JsonRecord, processes: JsonRecord): Span {
  const start = (asCount(span["startTime"]) ?? 0) * 1e3;
  const attributes = tagsOf(span["tags"]);
  const parent = recordsOf(span["references"]).find(({ refType }) => refType === "CHILD_OF");
  const process = asRecord(processes[asText(span["processID"]) ?? ""] ?? span["process"]);
  const status = {
    code: attributes["otel.status_code"] ?? (attributes["error"] === true ? "ERROR" : undefined),
    message: attributes["otel.status_description"],
  };
  return {
    traceId: idOf(span["traceID"]) ?? "",
    spanId: idOf(span["spanID"]) ?? "",
    parentId: idOf(parent?.["spanID"] ?? span["parentSpanID"]),
    name: asText(span["operationName"]) ?? "",
    start,
    end: start + (asCount(span["duration"]) ?? 0) * 1e3,
    attributes,
    events: recordsOf(span["logs"]).map((log) => {
      const { event, ...fields } = tagsOf(log["fields"]);
      return { name: asText(event) ?? "", attributes: fields };
    }),
    resource: { "service.name": process["serviceName"], ...tagsOf(process["tags"]) },
    rest: status.code === undefined ? {} : { status },
  };
}

/** Reads a document of one object a span, of Jaeger's, or a list of either. Answers whether it is one. */
export function readFlat(value: unknown, into: Telemetry): boolean {
  if (isFlatSpan(value)) into.spans.push(flatSpan(value));
  else if (isGoSpan(value)) into.spans.push(goSpan(value));
  else if (isFlatLog(value)) into.logs.push(flatLog(value));
  else if (isFlatList(value)) {
    for (const entry of listOf(value)) if (!readFlat(entry, into)) into.unreadable++;
  } else {
    const traces = isRecord(value) ? jaegerTraces(value) : [];
    for (const trace of traces)
      for (const span of asList(trace["spans"]))
        if (isRecord(span)) into.spans.push(jaegerSpan(span, asRecord(trace["processes"])));
        else into.unreadable++;
    return traces.length > 0;
  }
  return true;
}

/** One object that is a span or a log record. */
export const isFlat = (value: unknown): boolean => isFlatSpan(value) || isGoSpan(value) || isFlatLog(value);

const listOf = (value: unknown): readonly unknown[] =>
  asList(isRecord(value) ? (value["data"] ?? value["spans"]) : value);

/** A list of spans, or an object with one: `data` of Phoenix's API, `spans` of programs' own dumps. */
export function isFlatList(value: unknown): boolean {
  const [first] = listOf(value);
  return isFlat(first);
}
