import type { LiveHead, LiveState, PartialEpisode } from "../model/live-episode.ts";
import { liveEventSchema, type Started } from "./live-events.ts";
import { liveFolding, type LiveFolding } from "./live-fold.ts";
import { HEARTBEAT_MS } from "./live.ts";
import { parseJson } from "../model/read-json.ts";
import { lineTail, type LineTail, type Tailed } from "./line-tail.ts";
import type { TraceFiles } from "./ports.ts";
import { livePath, runPaths } from "./run-paths.ts";
import { decodeUtf8 } from "./text-lines.ts";

type Files = Pick<TraceFiles, "stat" | "read" | "list">;

/** Milliseconds without a sign of life after which a live file counts as left over: two heartbeats may get lost. */
export const STOPPED_AFTER_MS = 3 * HEARTBEAT_MS;

/** The first bytes of a line hold the kind of its event and its step; the rest of it may be megabytes. */
const LOOK_BYTES = 64;
const EVENT = /^\{"event":"[a-z]+","t":(\d{1,9})[,}]/;

/** What a list needs of one live file: its beginning, and how many steps began. No event is kept. */
interface Watched {
  readonly tail: LineTail;
  started: Started | undefined;
  length: number;
  /** When it last grew, in milliseconds since 1970. */
  grewAt: number;
}

function takeLine(watched: Watched, line: Uint8Array): void {
  if (watched.started === undefined) {
    const event = liveEventSchema.safeParse(parseJson(decodeUtf8([line])));
    if (event.success && event.data.event === "started") watched.started = event.data;
    return;
  }
  const t = EVENT.exec(decodeUtf8([line.subarray(0, LOOK_BYTES)]))?.[1];
  if (t !== undefined) watched.length = Number(t) + 1;
}

/** The episodes of a run that are not in `episodes.jsonl` yet. */
export interface LiveRun {
  /**
   * Looks once, at `now` in milliseconds since 1970, and reads only what was appended. In the order in which they were seen first.
   * Calls must not overlap.
   */
  poll(now: number): Promise<readonly LiveHead[]>;
}

/** Follows `live/` of a run folder. It only reads: an episode that still runs elsewhere is left alone. */
export function followRun(files: Files, folder: string): LiveRun {
  const known = new Map<string, Watched>();
  const { live } = runPaths(folder);

  async function look(path: string, watched: Watched, now: number): Promise<void> {
    const isNew = watched.grewAt === 0;
    const stat = isNew ? await files.stat(path) : undefined;
    const restart = (): void => {
      watched.started = undefined;
      watched.length = 0;
    };
    const found = await watched.tail.poll((line) => takeLine(watched, line), restart);
    if (isNew) watched.grewAt = Math.min(stat?.mtimeMs ?? now, now);
    else if (found === "grew" || found === "restarted") watched.grewAt = now;
  }

  return {
    async poll(now) {
      const names = new Set((await files.list(live)).filter((name) => name.endsWith(".jsonl")));
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
      for (const name of names) {
        const path = `${live}/${name}`;
        const watched = known.get(name) ?? {
          tail: lineTail(files, path),
          started: undefined,
          length: 0,
          grewAt: 0,
        };
        known.set(name, watched);
        await look(path, watched, now);
      }
      return [...known.values()].flatMap((watched) => headOf(watched, now));
    },
  };
}

function stateOf({ grewAt }: Watched, now: number): LiveState {
  return now - grewAt <= STOPPED_AFTER_MS ? "running" : "stopped";
}

function headOf(watched: Watched, now: number): LiveHead[] {
  const { started, length } = watched;
  if (started === undefined) return [];
  const { id, questionId, question } = started;
  return [{ id, questionId, question, length, state: stateOf(watched, now) }];
}

/** One episode that runs, with all its steps. */
export interface LiveEpisodeTail {
  /** What is known of it now, where that is more than at the last call; undefined where nothing came. */
  poll(): Promise<PartialEpisode | undefined>;
}

/**
 * Follows one live file. Where lines do not follow from those before, another run has put its own file in the place of
 * this one between two looks: it is then read once from its beginning.
 */
export function followEpisode(files: Files, folder: string, id: string): LiveEpisodeTail {
  const tail = lineTail(files, livePath(folder, id));
  let folding: LiveFolding = liveFolding();

  async function read(): Promise<{ found: Tailed; fits: boolean }> {
    let fits = true;
    const found = await tail.poll(
      (line) => (fits = folding.add(decodeUtf8([line])) === undefined && fits),
      () => (folding = liveFolding()),
    );
    return { found, fits };
  }

  return {
    async poll() {
      const { found, fits } = await read();
      if (!fits) {
        tail.rewind();
        folding = liveFolding();
        await read();
      }
      return found === "grew" || found === "restarted" ? folding.partial() : undefined;
    },
  };
}
