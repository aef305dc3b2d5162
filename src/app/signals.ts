import { episodeSignals } from "../analysis/signals/episode-signals.ts";
import { signalTally } from "../analysis/signals/signal-tally.ts";
import { timeSlices } from "../model/time-slices.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { SignalWeights, StepSignals } from "../model/signals.ts";
import type { SignalsReport, StepPlace } from "../model/signals-report.ts";
import { standingEpisodes, type NamedRun } from "../trace/placed-episodes.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { progressOf, type Progress } from "./progress.ts";
import { semanticScores, type RunScores } from "./semantic-scores.ts";

export { readWeights, weightsWithout } from "../analysis/signals/read-weights.ts";

/** A run whose signals are computed, under the name by which a result leads back to it. */
export interface SignalsRun extends NamedRun, Pick<OpenedRunFolder, "folder" | "diagnostics"> {}

export interface SignalsOrder {
  readonly runs: readonly SignalsRun[];
  readonly weights: SignalWeights;
  /** An aborted computation reports the episodes that are done. */
  readonly signal: AbortSignal;
}

/** A step is measured, or a part of the work is done. */
export type SignalsEvent =
  | Progress
  | {
      readonly kind: "step";
      readonly place: StepPlace;
      readonly signals: StepSignals;
      readonly measured: boolean;
    };

/** Computes the signals of all steps of these runs (SPEC §6). Asks no model. Lines that are no episodes are among the diagnostics. */
export async function signalsOfRuns(
  { runs, weights, signal }: SignalsOrder,
  files: TraceFiles,
  on: (event: SignalsEvent) => void,
): Promise<Checked<SignalsReport>> {
  const found: Diagnostic[] = runs.flatMap(({ diagnostics }) => diagnostics);
  const scores = new Map<string, RunScores>();
  for (const { run, folder } of runs) {
    const read = await semanticScores(files, folder);
    scores.set(run, read);
    found.push(...read.diagnostics);
  }
  const tally = signalTally();
  const pause = timeSlices();
  const total = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
  let done = 0;
  for await (const { run, index, episode } of standingEpisodes(files, runs, (more) => found.push(...more))) {
    await pause();
    if (signal.aborted) break;
    const semantic = scores.get(run)?.of(episode.id);
    const signals = episodeSignals(episode, weights, semantic);
    const at = { run, index, episode: episode.id };
    tally.add(signals, at, (t) => semantic?.has(t) ?? false);
    for (const step of signals.steps) {
      const measured = signals.divergence === undefined || step.t <= signals.divergence.t;
      on({ kind: "step", place: { ...at, t: step.t }, signals: step, measured });
    }
    on(progressOf(++done, total, "episodes"));
  }
  return { value: tally.report(), diagnostics: found };
}
