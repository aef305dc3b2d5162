import fs from "node:fs";
import { projectChecks } from "../agents/hook/project.ts";
import type { HookPlace } from "../agents/hook/handle.ts";
import { trustedLibrary, type ActingLibrary, type HookLibrary } from "../agents/hook/library.ts";
import { HOOK_DEFAULTS } from "../evaluation/hook-settings.ts";
import { createPfHost } from "../sandbox/create-pf-host.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import { wasmModule } from "../sandbox/realm-image.ts";
import { createSandbox } from "../sandbox/quickjs-host.ts";
import { threadCpuNow } from "./cpu-clock.ts";
import { readRealm } from "./hook-cache.ts";
import { hookSessions } from "./hook-sessions.ts";
import { isTrusted } from "./hook-trust.ts";
import { hookWorld } from "./hook-world.ts";

/** Wall milliseconds for which one look at the thread's own clock is good: QuickJS asks thousands of times, and each look costs. */
const FRESH_MS = 2;

/**
 * The thread's own work, so that a busy machine does not make PFs late; once the time of the event is up it leaps, and whatever the
 * sandbox does is over its deadline, and ends.
 */
function leapingClock(endsAt: () => number): () => number {
  let leaps = 0;
  let looked = Number.NEGATIVE_INFINITY;
  let worked = 0;
  return () => {
    const wall = performance.now();
    if (wall - looked > FRESH_MS) {
      looked = wall;
      worked = threadCpuNow();
      if (wall > endsAt()) leaps += 1;
    }
    return worked + leaps * 1e9;
  };
}

/** QuickJS as it lies beside the bundle of a hook, compiled. */
export function quickJsAt(file: string): WebAssembly.Module {
  return wasmModule(fs.readFileSync(file));
}

/**
 * The PFs of a library in the sandbox of this thread, loaded on first use. `quickJs`: where this bundle has none in it.
 */
export function libraryHost(
  library: ActingLibrary,
  endsAt: () => number,
  quickJs?: () => WebAssembly.Module,
): () => Promise<PfHost> {
  let loading: Promise<PfHost> | undefined;
  return () =>
    (loading ??= (async () => {
      const image = library.realm && readRealm(library.realm);
      const host = createPfHost(createSandbox(leapingClock(endsAt), { module: quickJs?.(), image }));
      await host.load(library.skills.map(({ program }) => program));
      return host;
    })());
}

export function actingLibrary(root: string, library: HookLibrary): ActingLibrary {
  return trustedLibrary(library, (hash) => isTrusted(root, hash), HOOK_DEFAULTS);
}

/** A workspace on this machine. */
export function hookPlace(root: string, library: ActingLibrary, host: HookPlace["host"]): HookPlace {
  return {
    root,
    library,
    host,
    store: hookSessions(root),
    world: hookWorld,
    project: () =>
      projectChecks(async (name) => {
        const { text } = await hookWorld.file(root, name, 1_000_000);
        return text;
      }),
  };
}
