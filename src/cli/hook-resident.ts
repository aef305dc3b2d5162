import path from "node:path";
import { answerLine } from "../agents/hook/resident.ts";
import type { HookPlace } from "../agents/hook/visit.ts";
import type { PreparedWorkspace } from "../platform/hook-cache.ts";
import { workspacePart } from "../platform/hook-part.ts";
import { openHookPlace } from "../platform/hook-place.ts";
import { serveHooks, type HookServing } from "../platform/hook-server.ts";
import { readShipped } from "../platform/hook-shipped.ts";
import { preparedWorkspace } from "./hook-prepare.ts";

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
 * The workspace with its library in memory. Whether a file of it, or the person's yes, has changed is looked at with every event: that is a
 * few calls to the file system.
 */
function residentPlace(root: string, cli: string): (waitMs: number) => Promise<HookPlace> {
  const dist = path.dirname(cli);
  const shipped = readShipped(dist);
  const prepare = oneAtATime(() => preparedWorkspace(root, cli));
  const parts = { dist, workerFile: cli, endsAt: () => Number.POSITIVE_INFINITY };
  /** `made`: what the library was made from, so that another text means another library. */
  let loaded: (Pick<HookPlace, "host"> & { readonly made: string }) | undefined;
  return async (waitMs) => {
    const part = await workspacePart(root, { cli, prepare, waitMs });
    const place = openHookPlace(root, shipped, part, parts);
    const { refs, settings, untrusted, leftOut } = place.library;
    const made = JSON.stringify([refs, settings, untrusted?.hash, leftOut]);
    if (loaded?.made === made) return { ...place, host: loaded.host };
    const before = loaded;
    loaded = { made, host: place.host };
    if (before !== undefined)
      setTimeout(() => void before.host().then((host) => host.close()), LAST_EVENT_MS).unref();
    return place;
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
  const open = residentPlace(root, cli);
  const first = await open(Number.POSITIVE_INFINITY);
  await first.host();
  const ports = { place: () => open(WAIT_MS), now: () => Date.now() };
  let recorded: Promise<unknown> = Promise.resolve();
  return serveHooks(root, async (line) => {
    await Promise.race([recorded, new Promise((resolve) => setTimeout(resolve, RECORD_MS).unref())]);
    const answer = answerLine(line, root, ports, (words) => tell(`hasp hook: ${words}`));
    recorded = answer.recorded;
    return answer.reply;
  });
}
