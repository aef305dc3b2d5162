import { contextRulesOf, domainNames, formulaDomains, programDomains } from "../domains/registry.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { Note } from "../model/note.ts";
import type { ShownSignals } from "../model/signals.ts";
import type { PageMessages } from "../protocol/exported-page.ts";
import type { LibrarySnapshot } from "../protocol/replay.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import {
  exportHtml,
  MAX_PAGE_CHARS,
  TOO_LARGE,
  type EpisodeToExport,
  type PageBundle,
} from "../trace/export-html.ts";
import { copyMessages, messageIds } from "../trace/message-copy.ts";
import { openMessages, type StoredPrompt } from "../trace/message-reader.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { findPatterns } from "../analysis/failure-patterns.ts";
import { patternsOfRun } from "./judge-replay.ts";
import { judgeWholeEpisode, rememberInstrumented, type JudgingBench } from "./step-reasons.ts";

type Known = Omit<EpisodeToExport, "episode" | "signals">;

/** What a page says of each episode besides its record, and by which library. */
export interface PageJudges {
  readonly about: (episode: Episode) => Promise<Known>;
  readonly skills: readonly { readonly skillId: string; readonly title: string }[];
  readonly snapshot: LibrarySnapshot | undefined;
}

/** The patterns of failure alone. */
export const UNJUDGED: PageJudges = {
  about: async (episode) => ({ patterns: findPatterns(episode) }),
  skills: [],
  snapshot: undefined,
};

/** Patterns, and what the library decides on every step. */
export function judgedBy(bench: JudgingBench, snapshot: LibrarySnapshot): PageJudges {
  const remembering = { ...bench, compiler: rememberInstrumented(bench.compiler) };
  return {
    skills: bench.library.active.map(({ skill: { skillId, title } }) => ({ skillId, title })),
    snapshot,
    async about(episode) {
      return { patterns: findPatterns(episode), judged: await judgeWholeEpisode(episode, remembering) };
    },
  };
}

/** What becomes a page. */
export interface PageRequest {
  readonly run: OpenedRunFolder;
  readonly files: TraceFiles;
  readonly bundle: PageBundle;
  /** Only this episode of the run. */
  readonly episode?: Episode | undefined;
  /** The labels of the run. */
  readonly notes: readonly Note[];
  readonly judges: PageJudges;
  /** The signals of an episode of the run. */
  readonly signalsOf: (episode: Episode) => Promise<ShownSignals>;
  readonly sha256: (text: string) => string;
  readonly signal?: AbortSignal;
  /** Hears how many episodes are done, of how many. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface RunPage {
  readonly html: string;
  readonly episodes: number;
}

const NO_EPISODE = (file: string): Diagnostic => ({
  code: "HASP571",
  severity: "error",
  message: "The run has no episode that can be read.",
  next: "Run questions, or import episodes.",
  file,
  range: START_OF_FILE,
});

/** A page never gets smaller than its episodes, so that is told before anything is read. */
function isTooLarge({ run, episode }: PageRequest): boolean {
  const bytes = run.index.entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return episode === undefined && bytes > MAX_PAGE_CHARS;
}

async function* episodesOf({ run, files, episode }: PageRequest): AsyncGenerator<Checked<Episode>> {
  if (episode !== undefined) yield { value: episode, diagnostics: [] };
  else yield* readEpisodes(files, run.index);
}

/** The stored prompts of the policies; undefined where no episode keeps one. */
async function messagesOf(
  { files, run, signal }: PageRequest,
  entries: readonly EpisodeToExport[],
): Promise<PageMessages | undefined> {
  const ids = new Set(entries.flatMap(({ episode }) => messageIds(episode)));
  if (ids.size === 0) return undefined;
  const found: StoredPrompt[] = [];
  let chars = 0;
  for await (const prompt of copyMessages(await openMessages(files, run.folder), ids, new Set())) {
    signal?.throwIfAborted();
    chars += prompt.add.reduce((sum, [, content]) => sum + content.length, prompt.more?.length ?? 0);
    if (chars > MAX_PAGE_CHARS) return "left out";
    found.push(prompt);
  }
  return found;
}

/**
 * A run, or one episode of it, as one HTML page that needs nothing else. Diagnostics name the lines that are not in it; there is no
 * value where the page would be too large or empty. Rejects with the signal's reason.
 */
export async function pageOfRun(request: PageRequest): Promise<Checked<RunPage>> {
  const { run, judges, signalsOf, bundle, notes, sha256, signal, onProgress } = request;
  if (isTooLarge(request)) return { value: undefined, diagnostics: [TOO_LARGE] };
  const total = request.episode === undefined ? run.index.entries.length : 1;
  const entries: EpisodeToExport[] = [];
  const diagnostics: Diagnostic[] = request.episode === undefined ? [...run.diagnostics] : [];
  for await (const { value, diagnostics: found } of episodesOf(request)) {
    signal?.throwIfAborted();
    diagnostics.push(...found);
    if (value === undefined) continue;
    entries.push({ episode: value, ...(await judges.about(value)), signals: await signalsOf(value) });
    onProgress?.(entries.length, total);
  }
  if (entries.length === 0)
    return { value: undefined, diagnostics: [...diagnostics, NO_EPISODE(run.folder)] };
  const messages = await messagesOf(request, entries);
  const page = exportHtml({
    bundle,
    ...(messages !== undefined && { messages }),
    title: run.title,
    run: run.run,
    episodes: entries,
    rulesOf: ({ facts }) => contextRulesOf(facts.domain),
    domains: domainNames(),
    patterns: patternsOfRun(run.run),
    formulaDomains: formulaDomains(),
    programDomains: programDomains(),
    skills: judges.skills,
    snapshot: judges.snapshot,
    notes,
    sha256,
  });
  const all = [...diagnostics, ...page.diagnostics];
  if (page.value === undefined) return { value: undefined, diagnostics: all };
  return { value: { html: page.value, episodes: entries.length }, diagnostics: all };
}
