import type { PfProgram } from "../model/skill.ts";
import { createPfHost } from "../sandbox/create-pf-host.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import { createSandbox, imageOf } from "../sandbox/quickjs-host.ts";
import type { RealmImage } from "../sandbox/realm-image.ts";
import { threadCpuNow } from "./cpu-clock.ts";

/** A sandbox in this thread, for the shipped skills while HASP is built: nothing stops a PF that does not end. */
export function startBuildHost(): PfHost {
  return createPfHost(createSandbox(threadCpuNow));
}

/** The image of a sandbox with these PFs loaded; undefined where none can be made. */
export function imageOfPrograms(programs: readonly PfProgram[]): Promise<RealmImage | undefined> {
  return imageOf(programs, threadCpuNow);
}
