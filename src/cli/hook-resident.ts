import path from "node:path";
import type { ActingLibrary } from "../agents/hook/library.ts";
import { answerLine } from "../agents/hook/resident.ts";
import type { HookPlace } from "../agents/hook/visit.ts";
import type { PreparedWorkspace } from "../platform/hook-cache.ts";
import { workspacePart } from "../platform/hook-part.ts";
import { hookPlace, libraryHost, libraryNow } from "../platform/hook-place.ts";
import { serveHooks, type HookServing } from "../platform/hook-server.ts";
import { readShipped } from "../platform/hook-shipped.ts";
import { preparedWorkspace } from "./hook-prepare.ts";

interface Loaded {
  /** What it was made from: another text means another library. */
  readonly made: string;
  readonly library: ActingLibrary;
  readonly host: HookPlace["host"];
}

/** Milliseconds for which an event waits for skills that have changed to be compiled. */
const WAIT_MS = 4_000;

/** Milliseconds after which no event is at work any more with a library that another one has replaced. */
const LAST_EVENT_MS = 60_000;

/** One preparation at a time; who asks meanwhile gets the same one. */
function oneAtATime(prepare: () => Promise<PreparedWorkspace>): () => Promise<PreparedWorkspace> {
  let running: Promise<PreparedWorkspace> | undefined;
  return () =>
    (running ??= prepare().finally(() => {
      running = undefined;
    }));
}

/**
 * The library of a workspace in memory. Whether a file of it, or the person's yes, has changed is looked at with every event: that is a
 * few calls to the file system.
 */
function residentLibrary(root: string, cli: string): (waitMs: number) => Promise<Loaded> {
  const dist = path.dirname(cli);
  const shipped = readShipped(dist);
  const prepare = oneAtATime(() => preparedWorkspace(root, cli));
  const parts = { dist, workerFile: cli, endsAt: () => Number.POSITIVE_INFINITY };
  let loaded: Loaded | undefined;
  return async (waitMs) => {
    const part = await workspacePart(root, { cli, prepare, waitMs });
    const library = libraryNow(root, shipped, part);
    const { refs, settings, untrusted, leftOut } = library;
    const made = JSON.stringify([refs, settings, untrusted?.hash, leftOut]);
    if (loaded?.made === made) return loaded;
    const before = loaded;
    loaded = { made, library, host: libraryHost(root, library, shipped, part, parts) };
    if (before !== undefined)
      setTimeout(() => void before.host().then((host) => host.close()), LAST_EVENT_MS).unref();
    return loaded;
  };
}

/** Milliseconds for which an event waits for the record of the one before it in this process: it is written in a few. */
const RECORD_MS = 100;

/** Answers `hasp hook` of one workspace until it is closed. */
export async function startHookServer(
  root: string,
  cli: string,
  tell: (words: string) => void,
): Promise<HookServing> {
  const load = residentLibrary(root, cli);
  const first = await load(Number.POSITIVE_INFINITY);
  await first.host();
  const place = async (): Promise<HookPlace> => {
    const { library, host } = await load(WAIT_MS);
    return hookPlace(root, library, host);
  };
  const ports = { place, now: () => Date.now() };
  let recorded: Promise<unknown> = Promise.resolve();
  return serveHooks(root, async (line) => {
    await Promise.race([recorded, new Promise((resolve) => setTimeout(resolve, RECORD_MS).unref())]);
    const answer = answerLine(line, root, ports, (words) => tell(`hasp hook: ${words}`));
    recorded = answer.recorded;
    return answer.reply;
  });
}
