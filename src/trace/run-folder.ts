import { parseJson } from "../model/read-json.ts";
import { START_OF_FILE, type Diagnostic } from "../model/diagnostic.ts";
import { RUN_SCHEMA, runSchema, type Run } from "../model/episode.ts";
import { firstIssue } from "./episode-head.ts";
import { openIndex, type EpisodeIndex, type IndexOptions } from "./episode-index.ts";
import type { TraceFiles } from "./ports.ts";
import { isWritersOwn, runPaths } from "./run-paths.ts";
import { decodeUtf8 } from "./text-lines.ts";

/** A run.json is a page of text; anything larger is not one. */
const MAX_RUN_BYTES = 1024 * 1024;

export interface OpenedRunFolder {
  readonly folder: string;
  /** Undefined where `run.json` is missing or unreadable; the episodes can be read all the same. */
  readonly run: Run | undefined;
  /** The run's title, else the name of the folder. */
  readonly title: string;
  readonly index: EpisodeIndex;
  /** Of `run.json` and of the episode file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The first name that a folder holds already, so that no new run may begin there; undefined where it is free. Its writer's lock counts as nothing. */
export async function contentOf(files: TraceFiles, folder: string): Promise<string | undefined> {
  return (await files.list(folder)).find((name) => !isWritersOwn(name));
}

/** Reads a run folder: what it is, and the list of its episodes. Rejects on I/O errors and on abort. */
export async function openRun(
  files: TraceFiles,
  folder: string,
  options: IndexOptions = {},
): Promise<OpenedRunFolder> {
  const { run, diagnostics } = await readRun(files, folder);
  const index = await openIndex(files, runPaths(folder).episodes, options);
  const title = run?.title ?? folder.split(/[/\\]/).findLast((part) => part !== "") ?? folder;
  return { folder, run, title, index, diagnostics: [...diagnostics, ...index.diagnostics] };
}

/** `run.json` of a folder, with what is wrong with it. A folder without one has neither. */
export async function readRun(
  files: TraceFiles,
  folder: string,
): Promise<{ readonly run: Run | undefined; readonly diagnostics: readonly Diagnostic[] }> {
  const path = runPaths(folder).run;
  const size = (await files.stat(path))?.size;
  if (size === undefined) return { run: undefined, diagnostics: [] };
  const bytes = await files.read(path, 0, Math.min(size, MAX_RUN_BYTES));
  const parsed = runSchema.safeParse(parseJson(decodeUtf8([bytes])));
  if (parsed.success) return { run: parsed.data, diagnostics: [] };
  return { run: undefined, diagnostics: [badRun(path, firstIssue(parsed.error))] };
}

function badRun(path: string, problem: string): Diagnostic {
  return {
    code: "HASP510",
    severity: "warning",
    message: `run.json does not fit ${RUN_SCHEMA}: ${problem}. The run is shown by the name of its folder.`,
    next: "Repair the file, or delete it: the episodes do not need it.",
    file: path,
    range: START_OF_FILE,
  };
}
