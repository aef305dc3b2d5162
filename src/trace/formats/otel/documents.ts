import { isRecord, recordsOf } from "../records.ts";
import { isFlat, isFlatList, jaegerTraces, readFlat } from "./flat-spans.ts";
import { isOtlpDocument, readOtlp, type Telemetry } from "./otlp.ts";

/** Whether the value is of OpenTelemetry, in any of its encodings (docs/formats.md, "Imports"). */
export function isOtel(value: unknown): boolean {
  if (isFlat(value) || isFlatList(value)) return true;
  if (Array.isArray(value)) return isRecord(value[0]) && isOtlpDocument(value[0]);
  if (!isRecord(value)) return false;
  return isOtlpDocument(value) || jaegerTraces(value).length > 0 || isTempoSearch(value);
}

/** What Grafana Tempo answers to a search: which traces there are, and nothing of their spans but names. */
export function isTempoSearch(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const [first] = recordsOf(value["traces"]);
  const keys = ["rootTraceName", "rootServiceName", "durationMs", "spanSet", "spanSets"];
  return typeof first?.["traceID"] === "string" && keys.some((key) => key in first);
}

/** Reads a document, or a list of documents. Answers whether it is one. */
export function readDocument(value: unknown, into: Telemetry): boolean {
  if (isRecord(value) && isOtlpDocument(value)) readOtlp(value, into);
  else if (Array.isArray(value) && isRecord(value[0]) && isOtlpDocument(value[0])) {
    for (const entry of recordsOf(value)) readOtlp(entry, into);
  } else return readFlat(value, into);
  return true;
}
