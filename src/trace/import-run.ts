import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { Outcome, Run } from "../model/episode.ts";
import { encodeEpisode } from "./episode-file.ts";
import { openIndex } from "./episode-index.ts";
import { lineImporter, type ImportFormat } from "./import-react.ts";
import { diagnosticLog, type DiagnosticLog } from "./line-diagnostics.ts";
import type { Clock, TraceFiles } from "./ports.ts";
import { createRun, readRun } from "./run-folder.ts";
import { runPaths } from "./run-paths.ts";
import { textLines } from "./text-lines.ts";

export interface ImportRequest {
  readonly format: ImportFormat;
  /** The file to read. */
  readonly source: string;
  /** The run folder to make, or to replace where an import of the same format made it. */
  readonly folder: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly episodes: number;
  readonly readBytes: number;
  readonly totalBytes: number;
}

export interface ImportedRun {
  readonly run: Run;
  readonly episodes: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Steps whose action could not be read. */
  readonly invalidSteps: number;
}

interface Tally {
  episodes: number;
  readonly outcomes: Record<Outcome, number>;
  invalidSteps: number;
}

/** Thrown inside the write, so that nothing is written; never leaves this file. */
class NothingToImport extends Error {}

/**
 * Imports a trajectory file into a run folder. The episodes replace those of an earlier import as a whole or not at
 * all. `value` is undefined where nothing was imported; `diagnostics` then say why. Rejects on I/O errors and with the
 * signal's reason on abort, and leaves no half a run behind.
 */
export async function importRun(
  files: TraceFiles,
  clock: Clock,
  request: ImportRequest,
): Promise<Checked<ImportedRun>> {
  const { source, folder, format } = request;
  const stat = await files.stat(source);
  if (stat === undefined) return refuse(missingSource(source));
  const target = await lookAt(files, folder, format);
  if (target.kind === "foreign") return refuse(foreignFolder(folder, target.found));
  const log = diagnosticLog(source);
  const tally: Tally = {
    episodes: 0,
    outcomes: { correct: 0, wrong: 0, halted: 0, unjudged: 0 },
    invalidSteps: 0,
  };
  // First, so that a folder which a kill leaves half made is recognised as ours.
  const description = describeRun(request, clock);
  if (target.kind === "new") await createRun(files, folder, description);
  try {
    await files.writeAtomic(runPaths(folder).episodes, convert(files, request, stat.size, log, tally));
  } catch (error) {
    if (target.kind === "new") await files.remove(runPaths(folder).run);
    if (!(error instanceof NothingToImport)) throw error;
    return { value: undefined, diagnostics: [...log.list(), nothingFound(source, format)] };
  }
  const run = await createRun(files, folder, description);
  await openIndex(files, runPaths(folder).episodes);
  return { value: { run, ...tally }, diagnostics: log.list() };
}

async function* convert(
  files: TraceFiles,
  request: ImportRequest,
  totalBytes: number,
  log: DiagnosticLog,
  tally: Tally,
): AsyncGenerator<Uint8Array> {
  const importLine = lineImporter(request.format, request.source);
  for await (const line of textLines(files.chunks(request.source, 0, totalBytes))) {
    request.signal?.throwIfAborted();
    const { value, diagnostics } = importLine(line);
    for (const diagnostic of diagnostics) log.add(() => diagnostic);
    if (value !== undefined) {
      tally.episodes++;
      tally.outcomes[value.outcome]++;
      tally.invalidSteps += value.steps.filter((step) => step.executed.type === "invalid").length;
      yield encodeEpisode(value);
    }
    request.onProgress?.({ episodes: tally.episodes, readBytes: line.readBytes, totalBytes });
  }
  request.signal?.throwIfAborted();
  if (tally.episodes === 0) throw new NothingToImport();
}

type Target = { readonly kind: "new" | "ours" } | { readonly kind: "foreign"; readonly found: string };

/** What a write that was killed leaves beside its file. */
const LEFTOVER = /\.[0-9a-f]{8}\.tmp$/;

async function lookAt(files: TraceFiles, folder: string, format: ImportFormat): Promise<Target> {
  const first = (await files.list(folder)).find((name) => !LEFTOVER.test(name));
  if (first === undefined) return { kind: "new" };
  const { run } = await readRun(files, folder);
  if (run === undefined)
    return { kind: "foreign", found: `holds ${JSON.stringify(first)} and no readable run.json` };
  if (run.source !== format)
    return { kind: "foreign", found: `is the run "${run.title}" from "${run.source}"` };
  return { kind: "ours" };
}

function describeRun(request: ImportRequest, clock: Clock): Omit<Run, "schema"> {
  const nameOf = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
  return {
    id: nameOf(request.folder),
    title: `${nameOf(request.source)} (imported)`,
    domain: "web-search",
    createdAt: clock.now(),
    source: request.format,
  };
}

function refuse(diagnostic: Diagnostic): Checked<ImportedRun> {
  return { value: undefined, diagnostics: [diagnostic] };
}

function importError(code: string, file: string, message: string, next: string): Diagnostic {
  return { code, severity: "error", message, next, file, range: START_OF_FILE };
}

function nothingFound(source: string, format: ImportFormat): Diagnostic {
  const message = `No line of the file is a ${format} trajectory, so no run was made.`;
  return importError("HASP532", source, message, "Check the file, and the format named with --from.");
}

function foreignFolder(folder: string, found: string): Diagnostic {
  const message = `The folder ${found}, so nothing was written into it.`;
  return importError("HASP533", folder, message, "Name an empty or a new folder with -o.");
}

function missingSource(source: string): Diagnostic {
  return importError("HASP534", source, "There is no such file.", "Check the path of the file to import.");
}
