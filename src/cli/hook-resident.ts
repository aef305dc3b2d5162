import type { HookPlace } from "../agents/hook/handle.ts";
import type { ActingLibrary } from "../agents/hook/library.ts";
import { answerLine } from "../agents/hook/resident.ts";
import { buildOf, readCached } from "../platform/hook-cache.ts";
import { actingLibrary, hookPlace, libraryHost } from "../platform/hook-place.ts";
import { serveHooks, type HookServing } from "../platform/hook-server.ts";
import { compileHookLibrary } from "./hook-compile.ts";

interface Loaded {
  /** What it was made from: another text means another library. */
  readonly made: string;
  readonly library: ActingLibrary;
  readonly host: HookPlace["host"];
}

/**
 * The library of a workspace in memory. Whether a file of it, or the person's yes, has changed is looked at with every event: that is a
 * few calls to the file system.
 */
function residentLibrary(root: string, cli: string): () => Promise<Loaded> {
  let loaded: Loaded | undefined;
  return async () => {
    const library = readCached(root, buildOf(cli)) ?? (await compileHookLibrary(root, cli));
    const acting = actingLibrary(root, library);
    const made = JSON.stringify([acting.refs, acting.settings, acting.untrusted?.hash]);
    if (loaded?.made !== made)
      loaded = { made, library: acting, host: libraryHost(acting, () => Number.POSITIVE_INFINITY) };
    return loaded;
  };
}

/** Answers `hasp hook` of one workspace until it is closed. */
export async function startHookServer(
  root: string,
  cli: string,
  tell: (words: string) => void,
): Promise<HookServing> {
  const load = residentLibrary(root, cli);
  const first = await load();
  await first.host();
  const place = async (): Promise<HookPlace> => {
    const { library, host } = await load();
    return hookPlace(root, library, host);
  };
  const ports = { place, now: () => Date.now() };
  return serveHooks(root, (line) => answerLine(line, ports, (words) => tell(`hasp hook: ${words}`)));
}
