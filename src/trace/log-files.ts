import { parseJson } from "../model/read-json.ts";
import type { FoundSource } from "./find-sources.ts";
import { jsonParts } from "./formats/json-parts.ts";
import { readDocument } from "./formats/otel/documents.ts";
import type { LogRecord, Telemetry } from "./formats/otel/otlp.ts";
import { type SharedLogs, sharedLogs } from "./formats/otel/shared-logs.ts";
import { isIoError } from "./import-findings.ts";
import { wholeText } from "./import-source.ts";
import type { TraceFiles } from "./ports.ts";
import { decodeUtf8 } from "./text-lines.ts";

/** Files of log records are named after them; no other file is read twice. */
const NAMED = /(?:log|event)[^/\\]{0,100}$/i;
const HEAD_BYTES = 256;
/** Bytes of log records that are held while their spans are read. */
const MOST_BYTES = 128 * 1024 * 1024;
const LOGS = /^\s*\[?\s*\{\s*"resource_?[lL]ogs"/;

/** Sources with OpenTelemetry's files of log records behind those of spans, and these records. */
export async function withLogFiles(
  files: TraceFiles,
  sources: readonly FoundSource[],
  signal: AbortSignal | undefined,
): Promise<{ readonly sources: readonly FoundSource[]; readonly logs: SharedLogs | undefined }> {
  if (sources.length < 2) return { sources, logs: undefined };
  const found = new Set<FoundSource>();
  const records: LogRecord[] = [];
  let bytes = 0;
  for (const source of sources) {
    if (!NAMED.test(source.file)) continue;
    signal?.throwIfAborted();
    const text = await logText(files, source, MOST_BYTES - bytes);
    if (text === undefined) continue;
    bytes += source.size;
    const own = telemetryIn(text);
    if (own.spans.length > 0) continue;
    found.add(source);
    for (const record of own.logs) records.push(record);
  }
  if (found.size === 0 || found.size === sources.length) return { sources, logs: undefined };
  const ordered = [...sources.filter((one) => !found.has(one)), ...found];
  return { sources: ordered, logs: sharedLogs(records) };
}

/** A document a line, or documents over many lines. */
function telemetryIn(text: string): Telemetry {
  const read: Telemetry = { spans: [], logs: [], metrics: 0, unreadable: 0 };
  const isLines = text.split("\n", 2).every((line) => line.trim() === "" || parseJson(line) !== undefined);
  const parts = isLines ? text.split("\n") : jsonParts(text).map((part) => part.text);
  for (const part of parts) readDocument(parseJson(part), read);
  return read;
}

/** The text of a file that begins with log records; undefined for any other, and for one that is too large. */
async function logText(
  files: TraceFiles,
  { file, size }: FoundSource,
  most: number,
): Promise<string | undefined> {
  try {
    const head = decodeUtf8([await files.read(file, 0, Math.min(size, HEAD_BYTES))]);
    return LOGS.test(head) && size <= most ? await wholeText(files, file, size) : undefined;
  } catch (error) {
    // The import itself tells of it.
    if (!isIoError(error)) throw error;
    return undefined;
  }
}
