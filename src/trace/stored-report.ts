import type { Checked } from "../model/diagnostic.ts";
import { type ImportReport, importReportSchema } from "../model/import-report.ts";
import { parseJson } from "../model/read-json.ts";
import { firstIssue } from "./episode-head.ts";
import { noReport, unreadableReport } from "./import-findings.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";
import { decodeUtf8 } from "./text-lines.ts";

/** A report of 50,000 files has some 100 MB. */
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/** Writes the report of an import into its run folder. Rejects on I/O errors. */
export async function keepReport(files: TraceFiles, folder: string, report: ImportReport): Promise<void> {
  const text = `${JSON.stringify(report, undefined, 1)}\n`;
  await files.writeAtomic(runPaths(folder).importReport, new TextEncoder().encode(text));
}

/** The report of the import that made a run. HASP506 without one. Rejects on I/O errors. */
export async function readReport(files: TraceFiles, folder: string): Promise<Checked<ImportReport>> {
  const path = runPaths(folder).importReport;
  const size = (await files.stat(path))?.size;
  if (size === undefined) return { value: undefined, diagnostics: [noReport(folder)] };
  const bytes = await files.read(path, 0, Math.min(size, MAX_REPORT_BYTES));
  const parsed = importReportSchema.safeParse(parseJson(decodeUtf8([bytes])));
  return parsed.success
    ? { value: parsed.data, diagnostics: [] }
    : { value: undefined, diagnostics: [unreadableReport(path, firstIssue(parsed.error))] };
}
