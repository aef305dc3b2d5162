import type { Ledger } from "../ledger.ts";
import type { LogRecord } from "./otlp.ts";
import type { Span } from "./span.ts";

/** What an import says of records that stand in another file than their spans. */
export const TOLD_ELSEWHERE = "what was said in spans of another file";

/** Log records of files without spans, as collectors and SDKs write them beside the files of their spans. */
export interface SharedLogs {
  readonly bySpan: ReadonlyMap<string, readonly LogRecord[]>;
  /** Spans whose records were read with them. */
  readonly taken: Set<string>;
}

const keyOf = ({ traceId, spanId }: Pick<LogRecord, "traceId" | "spanId">): string =>
  `${traceId ?? ""} ${spanId ?? ""}`;

export function sharedLogs(records: readonly LogRecord[]): SharedLogs {
  const named = records.filter(({ spanId }) => spanId !== undefined && spanId !== "");
  return { bySpan: Map.groupBy(named, keyOf), taken: new Set() };
}

/** The records to read with the spans of a file: its own but for those that other files took, and those that name its spans. */
export function logsWith(
  spans: readonly Span[],
  own: readonly LogRecord[],
  shared: SharedLogs | undefined,
  ledger: Ledger,
): readonly LogRecord[] {
  if (shared === undefined) return own;
  const { bySpan, taken } = shared;
  const left = own.filter((record) => !taken.has(keyOf(record)));
  ledger.mapped("log records", TOLD_ELSEWHERE, own.length - left.length);
  const brought = [...new Set(spans.map(keyOf))].flatMap((key) => {
    const records = taken.has(key) ? undefined : bySpan.get(key);
    if (records !== undefined) taken.add(key);
    return records ?? [];
  });
  return [...left, ...brought];
}
