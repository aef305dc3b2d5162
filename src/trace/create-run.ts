import { RUN_SCHEMA, type Run } from "../model/episode.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";

/** Makes the folder and its `run.json`; episodes come by `startLive` or `appendEpisode`. A file of its own, because a hook loads it and no reader. */
export async function createRun(files: TraceFiles, folder: string, run: Omit<Run, "schema">): Promise<Run> {
  const whole: Run = { schema: RUN_SCHEMA, ...run };
  await files.makeFolder(folder);
  const text = `${JSON.stringify(whole, undefined, 2)}\n`;
  await files.writeAtomic(runPaths(folder).run, new TextEncoder().encode(text));
  return whole;
}
