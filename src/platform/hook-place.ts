import { actingLibrary, type ActingLibrary, type WorkspacePart } from "../agents/hook/library.ts";
import { projectChecks } from "../agents/hook/project.ts";
import type { HookPlace } from "../agents/hook/visit.ts";
import { createPfHost } from "../sandbox/create-pf-host.ts";
import { joinHosts } from "../sandbox/joined-host.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import { createSandbox } from "../sandbox/quickjs-host.ts";
import type { KeptSkill } from "../trace/library-store.ts";
import { threadCpuNow } from "./cpu-clock.ts";
import { barredSkills, barSkill } from "./hook-cache.ts";
import { hookSessions } from "./hook-sessions.ts";
import { readRealm, readShippedTexts, type ShippedSkills } from "./hook-shipped.ts";
import { trustedHash } from "./trust.ts";
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

/** The parts of HASP that a hook uses. */
export interface HookParts {
  /** The folder of the build. */
  readonly dist: string;
  /** The file that workers for PFs start from. */
  readonly workerFile: string;
  /** Given if this bundle has no QuickJS in it. */
  readonly quickJs?: (() => WebAssembly.Module) | undefined;
  /** When the time of the event under way is up (performance.now()). */
  readonly endsAt: () => number;
}

/** Milliseconds on the wall after which a workspace's PF hangs as it is loaded, and beyond its deadline a crossing of them; and for all of one event. */
const WALL = { loadMs: 1_500, graceMs: 400, mostWall: 1 };
const EVENT_MS = 3_000;

/** The library that judges in a workspace now, without the skills that hung a short while ago. */
function libraryNow(root: string, shipped: ShippedSkills, part: WorkspacePart | undefined): ActingLibrary {
  const trusted = trustedHash(root);
  const barred =
    part?.hash === trusted && part !== undefined ? barredSkills(root, part.hash, Date.now()) : [];
  return actingLibrary(shipped, part, (hash) => hash === trusted, barred);
}

/**
 * The PFs of a library, loaded on first use: the shipped ones in the sandbox of this thread, the workspace's own in a worker that is stopped
 * where one of them hangs.
 */
function libraryHost(
  root: string,
  library: ActingLibrary,
  shipped: ShippedSkills,
  part: WorkspacePart | undefined,
  { dist, workerFile, quickJs, endsAt }: HookParts,
): () => Promise<PfHost> {
  let loading: Promise<PfHost> | undefined;
  const open = async (): Promise<PfHost> => {
    const image = readRealm(dist, shipped);
    const first = createPfHost(createSandbox(leapingClock(endsAt), { module: quickJs?.(), image }));
    const host = library.own.size === 0 ? first : await withOwn(first);
    await host.load(library.skills.map(({ program }) => program));
    return host;
  };
  const withOwn = async (first: PfHost): Promise<PfHost> => {
    // A file of its own (scripts/build.mts): most events load no PF of a workspace.
    const { startPfHost } = await import("./worker-pf-host.ts");
    return joinHosts({
      first,
      second: startPfHost({ workerFile, ...WALL }),
      ofSecond: library.own,
      limitMs: () => Math.min(EVENT_MS, endsAt() - performance.now()),
      onBroken: (skillId, reason) => barSkill(root, part?.hash ?? "", { skillId, reason }, Date.now()),
    });
  };
  return () => (loading ??= open());
}

/** The texts of the skills that judge. */
function textsOf({ refs }: ActingLibrary, part: WorkspacePart | undefined, dist: string): KeptSkill[] {
  const ids = new Set(refs.map(({ skillId }) => skillId));
  const own = part?.compiled?.kept ?? [];
  return [...own, ...readShippedTexts(dist)].filter(({ skillId }) => ids.has(skillId));
}

/** A workspace on this machine as it is now. `part`: what it brings of its own. */
export function openHookPlace(
  root: string,
  shipped: ShippedSkills,
  part: WorkspacePart | undefined,
  parts: HookParts,
): HookPlace {
  const library = libraryNow(root, shipped, part);
  const { dist } = parts;
  return {
    root,
    library,
    host: libraryHost(root, library, shipped, part, parts),
    store: hookSessions(root, () => textsOf(library, part, dist)),
    world: hookWorld,
    project: () =>
      projectChecks(async (name) => {
        const { text } = await hookWorld.file(root, name, 1_000_000);
        return text;
      }),
  };
}
