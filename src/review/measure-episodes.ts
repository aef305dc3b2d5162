import { backtest } from "../analysis/backtest.ts";
import { openLibrary } from "../analysis/library.ts";
import { placedEpisodes } from "../trace/placed-episodes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import { readNotes } from "../trace/notes.ts";
import type { ReadNotes } from "../trace/notes-fold.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { notedHits, type BacktestEvidence } from "./evidence.ts";
import type { ReviewSubject } from "./review-subject.ts";

export interface MeasureTools {
  readonly files: TraceFiles;
  /** What it held is replaced. */
  readonly host: PfHost;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Measured {
  /** Undefined without runs, and for a skill whose PF does not load. */
  readonly evidence: BacktestEvidence | undefined;
  /** Of the runs, their notes and lines that are no episodes. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Where the skill would have acted in recorded runs, and what people noted there. Calls no model; rejects with the signal's
 * reason when it aborts, and on I/O errors.
 */
export async function measureEpisodes(
  subject: ReviewSubject,
  runs: readonly OpenedRunFolder[],
  { files, host, signal, onProgress }: MeasureTools,
): Promise<Measured> {
  if (runs.length === 0) return { evidence: undefined, diagnostics: [] };
  const library = await openLibrary([subject.folder], host);
  const total = runs.reduce((n, run) => n + run.index.entries.length, 0);
  const unreadable: Diagnostic[] = [];
  const named = runs.map(({ folder, index }) => ({ run: folder, index }));
  const episodes = placedEpisodes(files, named, (found) => unreadable.push(...found));
  const report = await backtest(library, episodes, host, {
    onProgress: (done) => onProgress?.(done, total),
    signal,
  });
  signal.throwIfAborted();
  const notes = new Map<string, ReadNotes>();
  for (const { folder } of runs) notes.set(folder, await readNotes(files, folder));
  const [skill] = report.skills;
  const noted = skill && notedHits(skill, (run) => notes.get(run)?.notes ?? []);
  return {
    evidence: skill && { skill, episodes: report.episodes, ...(noted && { noted }) },
    diagnostics: [
      ...runs.flatMap((run) => run.diagnostics),
      ...[...notes.values()].flatMap((read) => read.diagnostics),
      ...unreadable,
    ],
  };
}
