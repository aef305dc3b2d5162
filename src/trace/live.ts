import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import { appendEpisode } from "./episode-file.ts";
import { openIndex } from "./episode-index.ts";
import { foldEvents, foldLive, INTERRUPTED } from "./live-fold.ts";
import { LIVE_SCHEMA, type Finished, type LiveEvent, type Started } from "./live-events.ts";
import { lineQueue } from "./line-queue.ts";
import type { TraceFiles } from "./ports.ts";
import { idInName, livePath, runPaths } from "./run-paths.ts";
import { decodeUtf8, MAX_LINE_BYTES } from "./text-lines.ts";

/** What a running episode tells of its steps. */
export type StepLiveEvent = Exclude<LiveEvent, { event: "started" | "finished" }>;

export interface LiveEpisode {
  /** Adds one event, which reaches the file in the background, in order. What failed is told by `finish`. */
  record(event: StepLiveEvent): void;
  /** Resolves when all events so far are in the file. */
  settled(): Promise<void>;
  /** Ends the episode: folds it into `episodes.jsonl`, on the disk, and removes the live file. */
  finish(end: Omit<Finished, "event">): Promise<Episode>;
  /** Writes the events so far and closes the file after a failure; the live file shows the progress. */
  leave(): Promise<void>;
  /** Ends it without a trace: a person stopped the run, and its question is to be asked again. */
  discard(): Promise<void>;
}

/** Milliseconds between two signs of life in a live file, whatever the episode does meanwhile. */
export const HEARTBEAT_MS = 10_000;

/** Calls `beat` until it is stopped. It keeps no process alive. */
function heartbeat(beat: () => void): () => void {
  const timer: unknown = setInterval(beat, HEARTBEAT_MS);
  // A number in a browser; in Node an object that would keep the process up.
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
  return () => clearInterval(timer as ReturnType<typeof setInterval>);
}

/**
 * Begins an episode. `live/<id>.jsonl` is there after the first pause of its lines: an episode that ends before leaves none. Writers of
 * different episodes do not wait for one another.
 */
export function startLive(
  files: TraceFiles,
  folder: string,
  begin: Omit<Started, "schema" | "event">,
): LiveEpisode {
  const started: Started = { schema: LIVE_SCHEMA, event: "started", ...begin };
  const paths = runPaths(folder);
  const path = livePath(folder, started.id);
  const events: LiveEvent[] = [];
  let isThere = false;
  const lines = lineQueue(async (data) => {
    if (!isThere) await files.makeFolder(paths.live);
    isThere = true;
    await files.append(path, data);
  });
  const forget = async (): Promise<void> => {
    lines.drop();
    await lines.settled();
    if (lines.begun) await files.remove(path);
  };
  lines.add(started);
  const stopBeating = heartbeat(() => lines.beat());
  return {
    record(event) {
      events.push(event);
      lines.add(event);
    },
    settled: () => lines.settled(),
    async leave() {
      stopBeating();
      await lines.settled();
    },
    async finish(end) {
      stopBeating();
      const finished: Finished = { event: "finished", ...end };
      const episode = foldEvents(started, [...events, finished]);
      lines.add(finished);
      if (lines.begun) await lines.settled();
      await appendEpisode(files, paths.episodes, episode, { sync: true });
      await forget();
      return episode;
    },
    async discard() {
      stopBeating();
      await forget();
    },
  };
}

/** The result of the work. Where it breaks, the live file keeps what is known of the episode. */
export async function orLeave<T>(live: Pick<LiveEpisode, "leave">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A second failure, of this write, adds nothing to the first one.
    await live.leave().catch(() => undefined);
    throw error;
  }
}

export interface Recovered {
  /** Ids of the episodes that were added. */
  readonly added: readonly string[];
  /** Ids of the interrupted episodes that were removed: those of which not even the first line was written; with `interrupted: "drop"`, all. */
  readonly dropped: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const ENDING = ".jsonl";

/**
 * Folds what a killed run left in `live/` into `episodes.jsonl`, each exactly once: an id that is there already was
 * folded before the kill, and only its live file is removed. A file of which no episode can be made stays, with a
 * diagnostic. For the process that owns the run, before it starts episodes; a mere reader must not call it, because an
 * episode that still runs elsewhere looks the same. An interrupted episode is kept as one that halted; with `interrupted: "drop"`
 * it is removed instead, for a run that will ask its question again.
 */
export async function recoverRun(
  files: TraceFiles,
  folder: string,
  options: { readonly interrupted?: "keep" | "drop" } = {},
): Promise<Recovered> {
  const paths = runPaths(folder);
  const names = (await files.list(paths.live)).filter((name) => name.endsWith(ENDING));
  if (names.length === 0) return { added: [], dropped: [], diagnostics: [] };
  const index = await openIndex(files, paths.episodes);
  const known = new Set(index.entries.map((entry) => entry.head.id));
  const added: string[] = [];
  const dropped: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of names) {
    const path = `${paths.live}/${name}`;
    const text = await readText(files, path);
    const folded = foldLive(text.replace(/\r?\n$/, "").split("\n"), path);
    if (folded.value === undefined && isCutInFirstLine(text)) {
      await files.remove(path);
      dropped.push(idOf(name));
      continue;
    }
    diagnostics.push(...folded.diagnostics);
    if (folded.value === undefined) continue;
    const { id, stopReason } = folded.value;
    if (options.interrupted === "drop" && stopReason === INTERRUPTED) dropped.push(id);
    else if (!known.has(id)) {
      await appendEpisode(files, paths.episodes, folded.value, { sync: true });
      known.add(id);
      added.push(id);
    }
    await files.remove(path);
  }
  return { added, dropped, diagnostics };
}

async function readText(files: TraceFiles, path: string): Promise<string> {
  const size = (await files.stat(path))?.size ?? 0;
  return decodeUtf8([await files.read(path, 0, Math.min(size, MAX_LINE_BYTES))]);
}

/** As every live file begins. */
const BEGINNING = `{"schema":"${LIVE_SCHEMA}"`;

/** Its writer was killed before the first event was in the file, so nothing of the episode is lost with it. A stranger's file is left alone. */
const isCutInFirstLine = (text: string): boolean =>
  BEGINNING.startsWith(text) || (text.startsWith(BEGINNING) && !text.includes("\n"));

function idOf(name: string): string {
  const encoded = name.slice(0, -ENDING.length);
  return idInName(encoded) ?? encoded;
}
