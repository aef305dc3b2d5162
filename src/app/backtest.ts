import { backtest, modifiersOf, type BacktestReport } from "../analysis/backtest.ts";
import { recordedFindings, type RecordedFinding } from "../analysis/trigger-rules.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { placedEpisodes } from "../trace/placed-episodes.ts";
import type { QuestionSplit } from "../trace/question-split.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { inLibrary } from "./library.ts";
import type { Judging } from "./ports.ts";
import { failed } from "./refusal.ts";

export type { BacktestHit, BacktestReport, GroupBacktest, SkillBacktest } from "../analysis/backtest.ts";
export type { RecordedFinding } from "../analysis/trigger-rules.ts";

/** A run to judge, under the name by which a result leads back to it. */
export interface BacktestRun extends Pick<OpenedRunFolder, "index" | "diagnostics"> {
  readonly run: string;
}

export interface BacktestOrder {
  readonly skills: readonly SkillFolder[];
  readonly runs: readonly BacktestRun[];
  /** Only episodes whose question falls into these parts; undefined for all. */
  readonly split: QuestionSplit | undefined;
  /** An aborted backtest reports the episodes that are done. */
  readonly signal: AbortSignal;
}

/** An episode is judged. */
export interface BacktestEvent {
  readonly kind: "episode";
  readonly done: number;
  readonly total: number;
}

function nothingToBacktest(found: readonly Diagnostic[]): Checked<never> {
  const [first] = found;
  const why = [first?.message, first?.next].filter((text) => text !== undefined).join(" ");
  const message = "There is nothing to backtest: no Program Function of these skills can act.";
  const { value, diagnostics } = failed("HASP590", message, why || "Choose a skill with a pf.ts.");
  return { value, diagnostics: [...found, ...diagnostics] };
}

/** A report, undefined where no PF acts, with the findings on the skills apart from those on the runs. */
interface Judged {
  readonly report: BacktestReport | undefined;
  readonly onSkills: readonly Diagnostic[];
  readonly onRuns: readonly Diagnostic[];
}

async function judgeRuns(
  { skills, runs, split, signal }: BacktestOrder,
  judging: Judging,
  on: (event: BacktestEvent) => void,
): Promise<Judged> {
  return inLibrary(skills, judging, async (library, host) => {
    const onSkills = library.diagnostics;
    const onRuns = runs.flatMap((run) => run.diagnostics);
    if (library.active.length === 0) return { report: undefined, onSkills, onRuns };
    const total = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
    const episodes = placedEpisodes(judging.files, runs, (found) => onRuns.push(...found));
    const report = await backtest(library, episodes, host, {
      modifiers: await modifiersOf(library, judging.compiler),
      onProgress: (done) => on({ kind: "episode", done, total }),
      signal,
      ...(split !== undefined && { split }),
    });
    return { report, onSkills, onRuns };
  });
}

/**
 * Judges recorded episodes with these skills: where does each PF fire, and in which kind of episode? Calls no model. The
 * diagnostics tell skills that are not loaded and lines that are no episodes; neither stops the others. No report where no PF loads.
 */
export async function backtestSkills(
  order: BacktestOrder,
  judging: Judging,
  on: (event: BacktestEvent) => void,
): Promise<Checked<BacktestReport>> {
  const { report, onSkills, onRuns } = await judgeRuns(order, judging, on);
  if (report === undefined) return nothingToBacktest(onSkills);
  return { value: report, diagnostics: [...onSkills, ...onRuns] };
}

/** What a backtest says about triggers (HASP313, HASP314), and about skills that change the same actions (HASP409). */
export function findingsOf(
  report: BacktestReport,
  skills: readonly SkillFolder[],
): readonly RecordedFinding[] {
  return recordedFindings(report, skills);
}

/**
 * What recorded episodes say about triggers (HASP313, HASP314) and about skills that change the same actions (HASP409), with the lines of
 * the runs that are no episodes. Nothing on a skill that cannot act: its own check says why.
 */
export async function findingsOnRuns(
  skills: readonly SkillFolder[],
  runs: readonly BacktestRun[],
  judging: Judging,
): Promise<readonly Diagnostic[]> {
  const { signal } = new AbortController();
  const order = { skills, runs, split: undefined, signal };
  const { report, onRuns } = await judgeRuns(order, judging, () => undefined);
  const found = report === undefined ? [] : findingsOf(report, skills);
  return [...onRuns, ...found.map(({ diagnostic }) => diagnostic)];
}
