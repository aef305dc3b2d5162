import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { domainOf } from "../domains/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { Note } from "../model/note.ts";
import type { NodeFiles } from "../platform/files.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import {
  exportHtml,
  MAX_PAGE_CHARS,
  TOO_LARGE,
  type EpisodeToExport,
  type PageBundle,
} from "../trace/export-html.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { need } from "./checked.ts";
import { findEpisode, openRunAt } from "./runs.ts";
import { CliError } from "./terminal.ts";

export interface HtmlOptions {
  readonly files: NodeFiles;
  /** The page to write; ends in `.html`. */
  readonly output: string;
  /** Only this episode: its id, or its 1-based number. */
  readonly episode?: string | undefined;
  /** The labels of the run. */
  readonly notes?: readonly Note[];
  /** What else the page says of an episode: a library's judgement, failure patterns. */
  readonly about?: (episode: Episode) => Promise<Omit<EpisodeToExport, "episode">>;
  /** The skills that `about` judged with. */
  readonly skills?: readonly { readonly skillId: string; readonly title: string }[];
  /** Folder of the built view; beside the bundled CLI unless given. */
  readonly viewFolder?: string;
}

export interface HtmlWritten {
  readonly file: string;
  readonly episodes: number;
  readonly bytes: number;
  /** Lines of the run that are no episodes, and are not in the page. */
  readonly diagnostics: readonly Diagnostic[];
}

async function readBundle(folder: string): Promise<PageBundle> {
  const read = (name: string, encoding: "utf8" | "base64"): Promise<string> =>
    readFile(path.join(folder, name), encoding);
  try {
    const [script, style, font] = await Promise.all([
      read("export.js", "utf8"),
      read("export.css", "utf8"),
      read("codicon.ttf", "base64"),
    ]);
    return { script, style, font };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(`The view that goes into the page cannot be read: ${why}.`, "Install HASP again.");
  }
}

async function checkOutput(output: string): Promise<void> {
  const found = await stat(output).catch(() => undefined);
  if (found?.isDirectory() === true || !/\.html?$/i.test(output))
    throw new CliError(
      `${output} is no name of a page.`,
      `Name a file that ends in .html, e.g. -o ${path.join(output, "run.html")}.`,
    );
}

/** Told before anything is read: a page never gets smaller than its episodes. */
function checkSize({ index }: OpenedRunFolder): void {
  const bytes = index.entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > MAX_PAGE_CHARS) need({ value: undefined, diagnostics: [TOO_LARGE] });
}

async function chosen(
  run: OpenedRunFolder,
  { episode, files }: HtmlOptions,
): Promise<{ episodes: Episode[]; diagnostics: Diagnostic[] }> {
  if (episode !== undefined) return { episodes: [await findEpisode(run, episode, files)], diagnostics: [] };
  checkSize(run);
  const episodes: Episode[] = [];
  const diagnostics: Diagnostic[] = [...run.diagnostics];
  for await (const read of readEpisodes(files, run.index)) {
    diagnostics.push(...read.diagnostics);
    if (read.value !== undefined) episodes.push(read.value);
  }
  return { episodes, diagnostics };
}

/**
 * Writes a run, or one episode of it, as one HTML page that needs nothing else. CliError where the page would be too
 * large, its name is none, or the run cannot be read.
 */
export async function writeHtml(given: string, options: HtmlOptions): Promise<HtmlWritten> {
  const { files, output, about, notes = [], skills = [] } = options;
  await checkOutput(output);
  const run = await openRunAt(given, files);
  const { episodes, diagnostics } = await chosen(run, options);
  if (episodes.length === 0)
    throw new CliError("The run has no episode that can be read.", "Run questions, or import episodes.");
  const bundle = await readBundle(options.viewFolder ?? path.join(path.dirname(__filename), "webview"));
  const entries: EpisodeToExport[] = [];
  for (const episode of episodes) entries.push({ episode, ...(await about?.(episode)) });
  const page = need(
    exportHtml({
      bundle,
      title: run.title,
      run: run.run,
      episodes: entries,
      rulesOf: ({ facts }) => domainOf(facts.domain)?.contextRules,
      skills,
      notes,
      sha256: (text) => createHash("sha256").update(text, "utf8").digest("base64"),
    }),
  );
  await files.writeText(output, page);
  return { file: output, episodes: entries.length, bytes: Buffer.byteLength(page), diagnostics };
}
