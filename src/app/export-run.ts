import { judgedBy, pageOfRun, UNJUDGED, type PageJudges } from "./export-page.ts";
import { librarySnapshot } from "../evaluation/library-refs.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import { exportAtif } from "../trace/export-atif.ts";
import type { PageBundle } from "../trace/export-html.ts";
import { exportName } from "../trace/export-name.ts";
import { copyMessages, messageIds } from "../trace/message-copy.ts";
import { openMessages, type StoredPrompt } from "../trace/message-reader.ts";
import { readNotes } from "../trace/notes.ts";
import type { Clock, TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { inLibrary } from "./library.ts";
import { episodeOf } from "./open-run.ts";
import type { Judging } from "./ports.ts";
import { progressOf, type Progress } from "./progress.ts";
import { checked, need, refuse, take } from "./refusal.ts";
import { signalsOfEpisode } from "./signals-of-episode.ts";

/** Files that an export reads and writes. */
export interface ExportFiles extends TraceFiles {
  /** Writes the text as a whole or not at all, in a folder that is made where it is missing. */
  writeText(path: string, text: string): Promise<void>;
}

export interface PageOrder {
  readonly run: OpenedRunFolder;
  /** The page to write; ends in `.html`. */
  readonly output: string;
  /** Only this episode: its id, or its 1-based number. */
  readonly episode?: string | undefined;
  /** The library that judges each step; undefined: the page shows the record alone. */
  readonly skills: readonly SkillFolder[] | undefined;
}

/** Services of an export as a page: `readBundle` reads the built view that goes into it, `on` hears of each episode. */
export interface PageServices extends Pick<Judging, "compiler" | "startHost"> {
  readonly files: ExportFiles;
  readonly clock: Clock;
  readonly readBundle: () => Promise<PageBundle>;
  readonly sha256: (text: string) => string;
  readonly signal: AbortSignal;
  readonly on: (event: Progress) => void;
}

export interface WrittenPage {
  readonly file: string;
  readonly episodes: number;
  readonly bytes: number;
}

/**
 * Writes a run, or one episode of it, as one HTML page that needs nothing else: the episodes, the labels of the run, patterns of failure,
 * the signals of each step and, with skills, what they decide. No value for a page that would be too large and a name that is none (HASP576). Findings name
 * what is not in the page. Rejects on I/O errors and on abort.
 */
export async function exportPage(order: PageOrder, services: PageServices): Promise<Checked<WrittenPage>> {
  const { run, output, skills } = order;
  const { files, readBundle, sha256, signal, on } = services;
  return checked(async (found) => {
    await checkPageName(output, files);
    const episode =
      order.episode === undefined ? undefined : need(await episodeOf(files, run, order.episode));
    const bundle = await readBundle();
    const { html, episodes } = await withJudges(skills, services, found, async (judges) => {
      const { notes, diagnostics } = await readNotes(files, run.folder);
      found.push(...diagnostics);
      const onProgress = (done: number, total: number): void => on(progressOf(done, total, "episodes"));
      const page = await pageOfRun({
        run,
        files,
        bundle,
        episode,
        notes,
        judges,
        signalsOf: (one) => signalsOfEpisode(files, run.folder, one),
        sha256,
        signal,
        onProgress,
      });
      return take(page, found);
    });
    await files.writeText(output, html);
    return { file: output, episodes, bytes: (await files.stat(output))?.size ?? html.length };
  });
}

async function checkPageName(output: string, files: ExportFiles): Promise<void> {
  const isFolder = (await files.stat(output))?.isFile === false;
  if (!isFolder && /\.html?$/i.test(output)) return;
  const next = `Name a file that ends in .html, e.g. -o ${output.replace(/[/\\]+$/, "")}/run.html.`;
  refuse("HASP576", `${output} is no name of a page.`, next, output);
}

/** Calls `work` with whoever judges; the sandbox ends with it. */
async function withJudges<T>(
  skills: PageOrder["skills"],
  services: PageServices,
  found: Diagnostic[],
  work: (judges: PageJudges) => Promise<T>,
): Promise<T> {
  if (skills === undefined) return work(UNJUDGED);
  const { compiler, clock } = services;
  return inLibrary(skills, services, async (library, host) => {
    found.push(...library.diagnostics);
    return work(judgedBy({ library, host, compiler }, librarySnapshot(library, clock.now())));
  });
}

export interface DocumentsOrder {
  readonly run: OpenedRunFolder;
  /** A file for one episode; a folder, or a name that ends in `/`, for all of them. */
  readonly output: string;
  /** Only this episode: its id, or its 1-based number. */
  readonly episode?: string | undefined;
  /** The version of HASP Studio, which the documents name. */
  readonly version: string;
}

export interface WrittenDocument {
  readonly file: string;
  readonly episode: string;
  /** Halves of characters that became U+FFFD. */
  readonly loneSurrogates: number;
}

/** Writes episodes as ATIF documents. HASP577 for a run of several and one file. Findings name lines that are no episodes. */
export async function exportDocuments(
  { run, output, episode, version }: DocumentsOrder,
  files: ExportFiles,
): Promise<Checked<readonly WrittenDocument[]>> {
  const isFolder = /[/\\]$/.test(output) || (await files.stat(output))?.isFile === false;
  const taken = new Set<string>();
  const fileOf = ({ id }: Episode): string =>
    isFolder ? `${output.replace(/[/\\]+$/, "")}/${exportName(id, taken)}.json` : output;
  const messages = await openMessages(files, run.folder);
  const write = async (one: Episode): Promise<WrittenDocument> => {
    const read: StoredPrompt[] = [];
    for await (const prompt of copyMessages(messages, messageIds(one), new Set())) read.push(prompt);
    const { document, loneSurrogates } = exportAtif(one, version, read);
    const file = fileOf(one);
    await files.writeText(file, `${JSON.stringify(document, undefined, 2)}\n`);
    return { file, episode: one.id, loneSurrogates };
  };
  return checked(async (found) => {
    const count = run.index.entries.length;
    if (episode !== undefined || !isFolder) {
      if (episode === undefined && count !== 1) {
        const message = `The run has ${count} episodes, and ${output} is one file.`;
        refuse("HASP577", message, `Name one with --episode, or a folder: -o ${output}/`, output);
      }
      return [await write(need(await episodeOf(files, run, episode ?? 0)))];
    }
    const written: WrittenDocument[] = [];
    for await (const { value, diagnostics } of readEpisodes(files, run.index)) {
      found.push(...diagnostics);
      if (value !== undefined) written.push(await write(value));
    }
    return written;
  });
}
