import type { StepLabel } from "../analysis/worth/measure.ts";
import type { WorthSources } from "../analysis/worth/worth-tally.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { readMaterials, type Materials } from "../trace/judging-store.ts";
import { readNotes } from "../trace/notes.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { Judging } from "./ports.ts";
import type { TextFiles } from "./named-text.ts";
import { checked, take } from "./refusal.ts";
import { listing, openCorpus, openRunCorpora, type RunSearch } from "./run-corpora.ts";

const isStepLabel = (kind: string): kind is StepLabel => kind === "went_wrong_here" || kind === "good";

/** The latest label of each step, by run, episode and step. */
async function labelsOf(
  files: TraceFiles,
  runs: readonly { readonly run: string; readonly folder: string }[],
): Promise<ReadonlyMap<string, StepLabel>> {
  const labels = new Map<string, StepLabel>();
  for (const { run, folder } of runs) {
    const { notes } = await readNotes(files, folder);
    for (const { episodeId, t, kind } of notes.toSorted((a, b) => (a.when < b.when ? -1 : 1)))
      if (t !== undefined && isStepLabel(kind)) labels.set(JSON.stringify([run, episodeId, t]), kind);
  }
  return labels;
}

/** The runs of a backtest, and the corpus in which their changed searches are compared. */
export interface WorthOrder {
  readonly runs: readonly (RunSearch & { readonly run: string; readonly folder: string })[];
  /** A file for all runs; undefined: that of each run. */
  readonly corpus?: string | undefined;
  /** Results of a search that count; undefined: as many as the run listed. */
  readonly topK?: number | undefined;
  readonly signal: AbortSignal;
}

type CorpusOf = NonNullable<WorthSources["corpusOf"]>;

async function openCorpora(
  files: TextFiles,
  { runs, corpus, topK, signal }: WorthOrder,
  found: Diagnostic[],
): Promise<CorpusOf> {
  if (corpus === undefined) {
    const opened = await openRunCorpora(files, runs, topK, signal);
    found.push(...opened.diagnostics);
    return (run) => opened.of.get(run);
  }
  const listed = listing(take(await openCorpus(files, corpus, signal), found));
  const byRun = new Map(runs.map((one) => [one.run, listed(topK ?? one.topK)]));
  return (run) => byRun.get(run);
}

/** The materials of each run, read once its first one is asked for. */
function openMaterials(
  files: TraceFiles,
  runs: WorthOrder["runs"],
): NonNullable<WorthSources["materialsOf"]> {
  const folders = new Map(runs.map(({ run, folder }) => [run, folder]));
  const read = new Map<string, Promise<Materials>>();
  return (run) => async (questionId) => {
    const materials = read.get(run) ?? readMaterials(files, folders.get(run) ?? run);
    read.set(run, materials);
    return (await materials).get(questionId);
  };
}

/**
 * Opens the corpora, and reads the labels that people put on steps. HASP578, HASP545 and HASP546 are findings on a named corpus,
 * HASP598 on that of a run. After an abort there are no corpora.
 */
export async function worthSources(
  { files, openContainment }: { readonly files: TextFiles & TraceFiles } & Pick<Judging, "openContainment">,
  order: WorthOrder,
): Promise<Checked<WorthSources>> {
  const { runs, signal } = order;
  return checked(async (found) => {
    const labels = await labelsOf(files, runs);
    const corpusOf = await openCorpora(files, order, found).catch((error: unknown) => {
      if (error !== signal.reason || !signal.aborted) throw error;
      return () => undefined;
    });
    const materialsOf = openMaterials(files, runs);
    return {
      openContainment,
      corpusOf,
      materialsOf,
      labelAt: (run, episodeId, t) => labels.get(JSON.stringify([run, episodeId, t])),
    };
  });
}
