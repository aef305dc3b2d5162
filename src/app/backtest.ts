import { backtest, modifiersOf, type BacktestReport } from "../analysis/backtest.ts";
import { recordedFindings } from "../analysis/trigger-rules.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { standingEpisodes } from "../trace/placed-episodes.ts";
import type { QuestionSplit } from "../trace/question-split.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { inLibrary } from "./library.ts";
import type { Judging } from "./ports.ts";
import type { WorthSources } from "../analysis/worth/worth-tally.ts";
import type { RunSearch } from "./run-corpora.ts";
import { worthSources } from "./worth-sources.ts";
import { progressOf, type Progress } from "./progress.ts";
import { failed } from "./refusal.ts";

export { recordedFindings, type RecordedFinding } from "../analysis/trigger-rules.ts";
export type { BacktestHit, BacktestReport, GroupBacktest, SkillBacktest } from "../analysis/backtest.ts";

/** A run to judge, under the name by which a result leads back to it; with `corpus`, its changed searches are compared there. */
export interface BacktestRun extends Pick<OpenedRunFolder, "folder" | "index" | "diagnostics">, RunSearch {
  readonly run: string;
}

export interface BacktestOrder {
  readonly skills: readonly SkillFolder[];
  readonly runs: readonly BacktestRun[];
  /** Only episodes whose question falls into these parts; undefined for all. */
  readonly split: QuestionSplit | undefined;
  /** Episodes that record no selection are judged by the PFs that code selects for their question, not by every PF. */
  readonly selected?: boolean;
  /** A file in which changed searches are compared; undefined: the corpus of each run, and without one the records. */
  readonly corpus?: string | undefined;
  /** Results of a search that count; undefined: as many as the run listed. */
  readonly topK?: number | undefined;
  /** Keep what each Program Function answered at each hit. */
  readonly interventions?: boolean;
  /** An aborted backtest reports the episodes that are done. */
  readonly signal: AbortSignal;
}

function nothingToBacktest(found: readonly Diagnostic[]): Checked<never> {
  const [first] = found;
  const why = [first?.message, first?.next].filter((text) => text !== undefined).join(" ");
  const message = "There is nothing to backtest: no Program Function of these skills can act.";
  const { value, diagnostics } = failed("HASP590", message, why || "Choose a skill with a pf.ts.");
  return { value, diagnostics: [...found, ...diagnostics] };
}

/** A report, undefined where no PF acts, with the findings on the skills apart from the lines that are no episodes. */
interface Judged {
  readonly report: BacktestReport | undefined;
  readonly onSkills: readonly Diagnostic[];
  readonly unreadable: readonly Diagnostic[];
}

/** As `backtestSkills`, for a use case that has more to say than the report. No worth is measured without its sources. */
export async function judgeRuns(
  { skills, runs, split, selected = false, interventions = false, signal }: BacktestOrder,
  worth: WorthSources | undefined,
  judging: Judging,
  on: (event: Progress) => void,
): Promise<Judged> {
  return inLibrary(skills, judging, async (library, host) => {
    const onSkills = library.diagnostics;
    const unreadable: Diagnostic[] = [];
    if (library.active.length === 0) return { report: undefined, onSkills, unreadable };
    const total = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
    const episodes = standingEpisodes(judging.files, runs, (found) => unreadable.push(...found));
    const report = await backtest(library, episodes, host, {
      modifiers: await modifiersOf(library, judging.compiler),
      onProgress: (done) => on(progressOf(done, total, "episodes")),
      signal,
      selected,
      interventions,
      ...(worth !== undefined && { worth }),
      ...(split !== undefined && { split }),
    });
    return { report, onSkills, unreadable };
  });
}

/**
 * Judges recorded episodes with these skills: where does each PF fire, and in which kind of episode? Calls no model. The
 * diagnostics tell skills that are not loaded and lines that are no episodes; neither stops the others. No report where no PF loads.
 */
export async function backtestSkills(
  order: BacktestOrder,
  judging: Judging,
  on: (event: Progress) => void,
): Promise<Checked<BacktestReport>> {
  const sources = await worthSources(judging, order);
  if (sources.value === undefined) return { value: undefined, diagnostics: sources.diagnostics };
  const { report, onSkills, unreadable } = await judgeRuns(order, sources.value, judging, on);
  if (report === undefined) return nothingToBacktest(onSkills);
  const onRuns = order.runs.flatMap((run) => run.diagnostics);
  return { value: report, diagnostics: [...sources.diagnostics, ...onSkills, ...onRuns, ...unreadable] };
}

/**
 * Findings of recorded episodes on triggers (HASP313 to HASP315) and on skills that change the same actions (HASP409), with the lines of
 * the runs that are no episodes. Nothing on a skill that cannot act: its own check says why.
 */
export async function findingsOnRuns(
  skills: readonly SkillFolder[],
  runs: readonly BacktestRun[],
  judging: Judging,
): Promise<readonly Diagnostic[]> {
  const { signal } = new AbortController();
  const order = { skills, runs, split: undefined, signal };
  const sources = await worthSources(judging, order);
  const { report, unreadable } = await judgeRuns(order, sources.value, judging, () => undefined);
  const found = report === undefined ? [] : recordedFindings(report, skills);
  const onRuns = [...sources.diagnostics, ...runs.flatMap((run) => run.diagnostics)];
  return [...onRuns, ...unreadable, ...found.map(({ diagnostic }) => diagnostic)];
}
