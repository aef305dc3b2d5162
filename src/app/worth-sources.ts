import type { StepLabel } from "../analysis/worth/measure.ts";
import type { SearchedCorpus } from "../analysis/worth/search-results.ts";
import type { WorthSources } from "../analysis/worth/worth-tally.ts";
import { parseCorpus } from "../domains/web-search/corpus.ts";
import { indexPassages } from "../domains/web-search/search-index.ts";
import { supportPages } from "../evaluation/support-pages.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { readNotes } from "../trace/notes.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { readNamed, type TextFiles } from "./named-text.ts";
import { checked, need, take } from "./refusal.ts";

/** A corpus in which the queries of recorded episodes are searched again. */
export interface WorthCorpus {
  readonly file: string;
  /** Results of a search that count. */
  readonly topK: number;
}

/** Reads and indexes the corpus once; adds to `found` what of it is left out. Refuses where it holds no passage. */
async function openCorpus(
  files: TextFiles,
  { file, topK }: WorthCorpus,
  found: Diagnostic[],
): Promise<SearchedCorpus> {
  const { text } = need(await readNamed(files, file));
  const index = indexPassages(take(parseCorpus(text, file), found));
  const support = supportPages(text);
  return {
    search: (query) => index.search(query, topK),
    pagesFor: (question) => support.get(question.trim()) ?? [],
  };
}

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

/** Opens the corpus where one is named, and reads the labels that people put on steps. HASP578, HASP545 and HASP546 as findings on the corpus. */
export async function worthSources(
  files: TextFiles & TraceFiles,
  runs: readonly { readonly run: string; readonly folder: string }[],
  corpus: WorthCorpus | undefined,
): Promise<Checked<WorthSources>> {
  return checked(async (found) => {
    const labels = await labelsOf(files, runs);
    return {
      corpus: corpus && (await openCorpus(files, corpus, found)),
      labelAt: (run, episodeId, t) => labels.get(JSON.stringify([run, episodeId, t])),
    };
  });
}
