import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import { appendEpisode } from "./episode-file.ts";
import { openIndex } from "./episode-index.ts";
import { foldEvents, foldLive } from "./live-fold.ts";
import { LIVE_SCHEMA, type Finished, type LiveEvent, type Started } from "./live-events.ts";
import type { TraceFiles } from "./ports.ts";
import { livePath, runPaths } from "./run-paths.ts";
import { decodeUtf8, MAX_LINE_BYTES } from "./text-lines.ts";

/** What a running episode tells of its steps. */
type StepLiveEvent = Exclude<LiveEvent, { event: "started" | "finished" }>;

export interface LiveEpisode {
  /** Adds one event. Calls are written in their order, also when they are not awaited. */
  record(event: StepLiveEvent): Promise<void>;
  /** Ends the episode: folds it into `episodes.jsonl`, on the disk, and removes the live file. */
  finish(end: Omit<Finished, "event">): Promise<Episode>;
}

const encoder = new TextEncoder();

/** Begins `live/<id>.jsonl` in a run folder. Writers of different episodes do not wait for one another. */
export async function startLive(
  files: TraceFiles,
  folder: string,
  begin: Omit<Started, "schema" | "event">,
): Promise<LiveEpisode> {
  const started: Started = { schema: LIVE_SCHEMA, event: "started", ...begin };
  const paths = runPaths(folder);
  const path = livePath(folder, started.id);
  const events: LiveEvent[] = [];
  let last: Promise<void> = files.makeFolder(paths.live);
  const write = (event: LiveEvent, sync: boolean): Promise<void> => {
    const line = encoder.encode(`${JSON.stringify(event)}\n`);
    last = last.then(() => files.append(path, line, { sync }));
    return last;
  };
  await write(started, false);
  return {
    async record(event) {
      events.push(event);
      await write(event, false);
    },
    async finish(end) {
      const finished: Finished = { event: "finished", ...end };
      const episode = foldEvents(started, [...events, finished]);
      await write(finished, true);
      await appendEpisode(files, paths.episodes, episode, { sync: true });
      await files.remove(path);
      return episode;
    },
  };
}

export interface Recovered {
  /** Ids of the episodes that were added. */
  readonly added: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Folds what a killed run left in `live/` into `episodes.jsonl`, each exactly once: an id that is there already was
 * folded before the kill, and only its live file is removed. A file of which no episode can be made stays, with a
 * diagnostic. For the process that owns the run, before it starts episodes; a mere reader must not call it, because an
 * episode that still runs elsewhere looks the same.
 */
export async function recoverRun(files: TraceFiles, folder: string): Promise<Recovered> {
  const paths = runPaths(folder);
  const names = (await files.list(paths.live)).filter((name) => name.endsWith(".jsonl"));
  if (names.length === 0) return { added: [], diagnostics: [] };
  const index = await openIndex(files, paths.episodes);
  const known = new Set(index.entries.map((entry) => entry.head.id));
  const added: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of names) {
    const path = `${paths.live}/${name}`;
    const folded = foldLive(await readLines(files, path), path);
    diagnostics.push(...folded.diagnostics);
    if (folded.value === undefined) continue;
    if (!known.has(folded.value.id)) {
      await appendEpisode(files, paths.episodes, folded.value, { sync: true });
      known.add(folded.value.id);
      added.push(folded.value.id);
    }
    await files.remove(path);
  }
  return { added, diagnostics };
}

async function readLines(files: TraceFiles, path: string): Promise<string[]> {
  const size = (await files.stat(path))?.size ?? 0;
  const bytes = await files.read(path, 0, Math.min(size, MAX_LINE_BYTES));
  return decodeUtf8([bytes])
    .replace(/\r?\n$/, "")
    .split("\n");
}
