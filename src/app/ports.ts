import type { PfHost } from "../sandbox/pf-host.ts";
import type { Compiler } from "../skill/compiler.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import type { OpenContainment } from "../scoring/containment.ts";
import type { TraceFiles } from "../trace/ports.ts";

/** Services of every use case that judges records with Program Functions. */
export interface Judging {
  readonly files: SkillFiles & TraceFiles;
  readonly compiler: Compiler;
  /** Starts a sandbox for one use case, which closes it. No worker starts before it is first asked. */
  readonly startHost: () => PfHost;
  /** For domains whose judge runs answers. */
  readonly openContainment: OpenContainment;
}

/** Works while no other process writes into the run folder, which is made where it is missing. Work may release the lock early. */
export type OnlyWriter = <T>(
  folder: string,
  work: (lock: { readonly lost: AbortSignal; release(): void }) => Promise<T>,
) => Promise<T>;
