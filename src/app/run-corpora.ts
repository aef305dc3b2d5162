import type { SearchedCorpus } from "../analysis/worth/search-results.ts";
import { domainOf } from "../domains/registry.ts";
import { corpusReader } from "../domains/passages/corpus.ts";
import { RESULTS } from "../domains/passages/retriever-kinds.ts";
import { indexInSlices } from "../domains/passages/search-index.ts";
import { supportOf } from "../evaluation/support-pages.ts";
import type { WorkspaceConfig } from "../evaluation/workspace-config.ts";
import { counted } from "../model/counted.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { Run } from "../model/episode.ts";
import { timeSlices } from "../model/time-slices.ts";
import { z } from "../model/zod.ts";
import { hashText } from "../trace/hash.ts";
import { jsonEntries } from "../trace/json-entries.ts";
import { readNamed, type NamedText, type TextFiles } from "./named-text.ts";

/** A file in which the changed searches of a run are compared. */
export interface RunCorpus {
  /** As people read it. */
  readonly name: string;
  /** Undefined: outside of the workspace, so that it is not read. */
  readonly path: string | undefined;
  /** Of the text that the run searched; undefined for a file that no `run.json` names. */
  readonly hash: string | undefined;
}

/** The corpus of a run, and the number of results that its searches listed; undefined where neither is known. */
export interface RunSearch {
  readonly corpus?: RunCorpus | undefined;
  readonly topK?: number | undefined;
}

/** The parts of a `run.json` that name its search. */
const settingsSchema = z.object({
  corpus: z.object({ file: z.string(), hash: z.string() }).optional(),
  retriever: z.object({ kind: z.string(), topK: z.number().int().positive() }).optional(),
});

/** A path that would have Windows ask another machine. */
const isRemote = (file: string): boolean => /^[/\\]{2}/.test(file);

/** The search that `hasp.yaml` names, for runs without a corpus of their own; `pathOf` as in `searchOf`. */
export async function configuredSearch(
  { tools }: Pick<WorkspaceConfig, "tools">,
  pathOf: (file: string) => Promise<string | undefined>,
): Promise<RunSearch> {
  const { corpus: name, topK, retriever = "corpus" } = tools;
  // A remote retriever does not search the corpus that is named beside it.
  if (name === undefined || (retriever !== "corpus" && retriever !== "teacher-snippet")) return { topK };
  return { corpus: { name, path: await pathOf(name), hash: undefined }, topK };
}

/** A run of a domain that HASP runs, and whose tools search no passages. */
function searchesNothing({ domain: name }: Run): boolean {
  const domain = domainOf(name);
  return domain?.openEnvironment !== undefined && domain.needsPassages === undefined;
}

/**
 * The search of a run: none in a domain that searches nothing; in the file of its `run.json` if its retriever searched one, else as `usual` says. `pathOf` leads from the name of
 * a file to its path; undefined where it must not be read.
 */
export async function searchOf(
  run: Run | undefined,
  pathOf: (file: string) => Promise<string | undefined>,
  usual: RunSearch,
): Promise<RunSearch> {
  if (run !== undefined && searchesNothing(run)) return {};
  const { data } = settingsSchema.safeParse(run?.settings ?? {});
  const { corpus, retriever } = data ?? {};
  const topK = retriever?.topK ?? usual.topK;
  // Runs before there were other retrievers name none.
  if (corpus === undefined || (retriever?.kind ?? "corpus") !== "corpus") return { ...usual, topK };
  const { file: name, hash } = corpus;
  return { corpus: { name, path: isRemote(name) ? undefined : await pathOf(name), hash }, topK };
}

interface Indexed {
  search: (query: string, most: number) => ReturnType<SearchedCorpus["search"]>;
  readonly pagesFor: SearchedCorpus["pagesFor"];
}

/** Parses and indexes a corpus while the thread does other work, too. Rejects with the signal's reason after an abort. */
async function indexed({ text, file }: NamedText, signal: AbortSignal): Promise<Checked<Indexed>> {
  const pause = timeSlices(signal);
  const reader = corpusReader(file);
  const support = new Map<string, readonly string[]>();
  for (const entry of jsonEntries(text)) {
    reader.add(entry);
    const found = supportOf(entry.value);
    if (found !== undefined) support.set(found.question, found.titles);
    await pause();
  }
  const { value: passages, diagnostics } = reader.result();
  if (passages === undefined) return { value: undefined, diagnostics };
  const { search } = await indexInSlices(passages, pause);
  return { value: { search, pagesFor: (question) => support.get(question.trim()) ?? [] }, diagnostics };
}

/** A corpus that a person named, opened. HASP578, HASP545 and HASP546 as findings on it. */
export async function openCorpus(
  files: TextFiles,
  file: string,
  signal: AbortSignal,
): Promise<Checked<Indexed>> {
  const { value, diagnostics } = await readNamed(files, file);
  return value === undefined ? { value, diagnostics } : indexed(value, signal);
}

/** A corpus as a search that lists so many results; one object for each number of them. */
export function listing({ search, pagesFor }: Indexed): (topK: number | undefined) => SearchedCorpus {
  const known = new Map<number, SearchedCorpus>();
  return (topK = RESULTS) => {
    const one = known.get(topK) ?? { search: (query) => search(query, topK), pagesFor };
    known.set(topK, one);
    return one;
  };
}

/** A run under its name, with its search. */
interface SearchingRun extends RunSearch {
  readonly run: string;
}

/** Larger corpora do not fit into memory beside each other: characters of all. */
const MOST_CHARS = 256 * 1024 * 1024;

/** Says why a corpus is not searched. It is no error: the records are left to compare searches by. */
function unusable({ name, path, hash }: RunCorpus, runs: number, why: string): Diagnostic {
  const whose = hash === undefined ? "The corpus of hasp.yaml" : `The corpus of ${counted(runs, "run")}`;
  return {
    code: "HASP598",
    severity: "information",
    message: `${whose} (${name}) is not searched, so changed searches are not measured. ${why}`,
    next: "Put the file back in its place, or name a corpus with `--corpus`.",
    file: path ?? name,
    range: START_OF_FILE,
  };
}

/** The text of a file that the caller did not name; else a sentence that says why there is none. */
async function textAt(files: TextFiles, path: string): Promise<NamedText | string> {
  try {
    const { value, diagnostics } = await readNamed(files, path);
    return value ?? diagnostics.at(-1)?.message ?? "";
  } catch (error) {
    return `It cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

interface RunCorpora {
  readonly of: ReadonlyMap<string, SearchedCorpus>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The corpora of these runs, by the name of the run; each file is read and indexed once. A file that is not there, or not as the run had
 * it, is HASP598, and its runs have none. Rejects with the signal's reason after an abort.
 */
export async function openRunCorpora(
  files: TextFiles,
  runs: readonly SearchingRun[],
  topK: number | undefined,
  signal: AbortSignal,
): Promise<RunCorpora> {
  const opened = new Map<string, SearchedCorpus>();
  const found: Diagnostic[] = [];
  let left = MOST_CHARS;

  async function open(path: string, some: readonly SearchingRun[]): Promise<void> {
    const text = await textAt(files, path);
    if (typeof text === "string") return refuse(some, text);
    const hash = hashText(text.text);
    const isSame = ({ corpus }: SearchingRun): boolean => corpus?.hash === undefined || corpus.hash === hash;
    refuse(
      some.filter((run) => !isSame(run)),
      "It has changed since.",
    );
    const same = some.filter(isSame);
    if (same.length === 0) return;
    left -= text.text.length;
    if (left < 0) return refuse(same, "The corpora of all runs are larger than 256 MiB together.");
    const { value } = await indexed(text, signal);
    if (value === undefined) return refuse(same, "It holds no passage.");
    const listed = listing(value);
    for (const one of same) opened.set(one.run, listed(topK ?? one.topK));
  }

  function refuse(some: readonly SearchingRun[], why: string): void {
    const [corpus] = some.flatMap((run) => run.corpus ?? []);
    if (corpus !== undefined) found.push(unusable(corpus, some.length, why));
  }

  const searching = runs.filter(({ corpus }) => corpus !== undefined);
  for (const some of Map.groupBy(searching, ({ corpus }) => corpus?.path ?? corpus?.name).values()) {
    const path = some[0]?.corpus?.path;
    if (path === undefined) refuse(some, "It is not in the workspace.");
    else await open(path, some);
  }
  return { of: opened, diagnostics: found };
}
