import { startCompiler } from "../platform/worker-compiler.ts";
import { startPfHost } from "../platform/worker-pf-host.ts";
import type { Workers } from "./context.ts";

/** Workers of one command. They start from the file of the CLI itself, once bundled. */
export const ownWorkers: Workers = {
  startCompiler: () => startCompiler({ workerFile: __filename }),
  startHost: () => startPfHost({ workerFile: __filename }),
};
