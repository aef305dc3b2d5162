import os from "node:os";
import type { PfHost } from "../sandbox/pf-host.ts";

/** More hosts would wait for the thread that asks them, and each takes some 25 MB. */
const MOST = 4;

/** A host that offers others beside it, one for each core. */
export function pfHosts(start: () => PfHost): PfHost {
  const further = Math.min(os.availableParallelism(), MOST) - 1;
  return { ...start(), further: () => Array.from({ length: further }, start) };
}
