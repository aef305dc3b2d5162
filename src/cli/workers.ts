import { startCompiler } from "../platform/worker-compiler.ts";
import { pfHosts } from "../platform/pf-hosts.ts";
import { startPfHost } from "../platform/worker-pf-host.ts";
import type { Workers } from "./context.ts";

/** Workers of one command, which start from this file. */
export const workersFrom = (workerFile: string): Workers => ({
  startCompiler: () => startCompiler({ workerFile }),
  startHost: () => pfHosts(() => startPfHost({ workerFile })),
});

/** They start from the file of the CLI itself, once bundled. */
export const ownWorkers = workersFrom(__filename);
