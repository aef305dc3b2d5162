import type { Ledger } from "./ledger.ts";
import { headerOf } from "./inspect/header.ts";
import { sampleResult } from "./inspect/sample.ts";
import {
  type FormatReader,
  type FormatResult,
  NOTHING,
  type ReaderOptions,
  refuse,
} from "./format-reader.ts";
import { asList, asRecord, isRecord, type JsonRecord } from "./records.ts";

/** An Inspect log as one JSON document: `eval` beside `status` or `samples`. */
export function isInspectLog(value: unknown): boolean {
  return (
    isRecord(value) && isRecord(value["eval"]) && ("status" in value || "samples" in value || "plan" in value)
  );
}

/** Keys of a log that tell of it as a whole. */
const OF_THE_LOG = new Set(
  "version status eval plan results stats error invalidated log_updates config_updates tags metadata samples reductions logging".split(
    " ",
  ),
);

/** An Inspect log as one JSON document. `NaN` in it was read as null. */
export function inspectReader(options: ReaderOptions): FormatReader {
  function read(value: unknown, line: number): FormatResult {
    if (!isInspectLog(value))
      return refuse(line, "this is no Inspect log: it has no `eval`.", "Check the file.");
    const log = asRecord(value);
    const samples = asList(log["samples"]);
    if (samples.length === 0) {
      const next = "Log with samples (`log_samples`), or import the log that has them.";
      return refuse(line, "the log has no samples, so there is no episode in it.", next);
    }
    nameKeys(log, options.ledger);
    const header = headerOf(log);
    const results = samples.map((sample) => sampleResult(sample, header, line, options));
    return {
      episodes: results.flatMap((result) => result.episodes),
      problems: results.flatMap((result) => result.problems),
    };
  }
  return { read, end: () => NOTHING };
}

function nameKeys(log: JsonRecord, ledger: Ledger): void {
  for (const key of Object.keys(log)) {
    if (key === "eval" || key === "plan" || key === "samples") continue;
    if (OF_THE_LOG.has(key)) ledger.dropped(key, "it tells of the log, not of an episode");
    else ledger.unknown(`key ${key} of the log`);
  }
}
