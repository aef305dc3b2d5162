import { spentIn } from "../evaluation/prepare-run.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { evolutionPaths } from "./evolution-paths.ts";

/** US dollars of all rollouts of an evolution; what is not there cost nothing. */
export async function spentOnRollouts(files: TraceFiles, folder: string, epochs: number): Promise<number> {
  let sum = 0;
  for (let i = 1; i <= epochs; i++) {
    const { prefilter, rollout, validation, validationAfter } = evolutionPaths(folder).epoch(i);
    for (const run of [prefilter, rollout, validation, validationAfter])
      if ((await files.stat(run)) !== undefined) sum += await spentIn(files, run);
  }
  return sum;
}
