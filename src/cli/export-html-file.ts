import { stat } from "node:fs/promises";
import path from "node:path";
import { pageOfRun, UNJUDGED, type PageJudges } from "../analysis/export-page.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Note } from "../model/note.ts";
import type { NodeFiles } from "../platform/files.ts";
import { readPageBundle, sha256Base64 } from "../platform/page-bundle.ts";
import type { PageBundle } from "../trace/export-html.ts";
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
  /** What else the page says of an episode; its failure patterns unless given. */
  readonly judges?: PageJudges;
  readonly onProgress?: (done: number, total: number) => void;
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

async function bundleIn(folder: string): Promise<PageBundle> {
  try {
    return await readPageBundle(folder);
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

/**
 * Writes a run, or one episode of it, as one HTML page that needs nothing else. CliError where the page would be too
 * large, its name is none, or the run cannot be read.
 */
export async function writeHtml(given: string, options: HtmlOptions): Promise<HtmlWritten> {
  const { files, output, judges = UNJUDGED, notes = [], onProgress } = options;
  await checkOutput(output);
  const run = await openRunAt(given, files);
  const episode = options.episode === undefined ? undefined : await findEpisode(run, options.episode, files);
  const bundle = await bundleIn(options.viewFolder ?? path.join(path.dirname(__filename), "webview"));
  const page = await pageOfRun({
    run,
    files,
    bundle,
    episode,
    notes,
    judges,
    sha256: sha256Base64,
    ...(onProgress !== undefined && { onProgress }),
  });
  const { html, episodes } = need(page);
  await files.writeText(output, html);
  return { file: output, episodes, bytes: Buffer.byteLength(html), diagnostics: page.diagnostics };
}
