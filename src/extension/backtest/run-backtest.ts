import { backtest, type BacktestReport, modifiersOf } from "../../analysis/backtest.ts";
import { openLibrary } from "../../analysis/library.ts";
import { placedEpisodes } from "../../analysis/placed-episodes.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { Failure } from "../failure.ts";
import type { FoundRun } from "../runs/find-runs.ts";

export interface BacktestRequest {
  readonly skills: readonly SkillFolder[];
  readonly runs: readonly FoundRun[];
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface BacktestOutcome {
  readonly report: BacktestReport;
  /** Skills that could not be loaded, and lines that were no episodes. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface BacktestServices {
  readonly files: TraceFiles;
  readonly startHost: () => PfHost;
  readonly compiler: Pick<Compiler, "promptEquivalence">;
}

/** Runs the skills over the runs in a sandbox of their own. What one skill or line does wrong stops none of the others. */
export async function runBacktest(
  { files, startHost, compiler }: BacktestServices,
  { skills, runs, signal, onProgress }: BacktestRequest,
): Promise<BacktestOutcome> {
  const host = startHost();
  try {
    const library = await openLibrary(skills, host);
    const diagnostics = [...library.diagnostics];
    if (library.active.length === 0) {
      const [first] = diagnostics;
      const why = first?.message ?? "None of the skills has a Program Function.";
      throw new Failure(why, first?.next ?? "Mend the problems in pf.ts and backtest again.");
    }
    const total = runs.reduce((sum, run) => sum + run.index.entries.length, 0);
    const named = runs.map(({ file, index }) => ({ run: file.toString(), index }));
    const episodes = placedEpisodes(files, named, (found) => diagnostics.push(...found));
    const modifiers = await modifiersOf(library, compiler);
    const options = { modifiers, signal, onProgress: (done: number) => onProgress(done, total) };
    return { report: await backtest(library, episodes, host, options), diagnostics };
  } finally {
    await host.close();
  }
}
