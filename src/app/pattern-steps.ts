import { findPatterns } from "../analysis/failure-patterns.ts";
import type { Episode, EpisodeHead } from "../model/episode.ts";
import type { FailurePattern } from "../model/failure-pattern.ts";
import { hasFailed } from "../model/outcomes.ts";
import { readEpisode } from "../trace/episode-file.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";

/** The first step at which an episode shows a pattern. */
export interface PatternStep {
  /** Position of the episode in the file. */
  readonly index: number;
  readonly head: EpisodeHead;
  /** 0-based. */
  readonly t: number;
}

/** The step of an episode at which it first shows the pattern; its last one where the pattern is about the whole episode. */
function stepOf(episode: Episode, pattern: FailurePattern): number | undefined {
  const found = findPatterns(episode).find(({ name }) => name === pattern);
  const t = found === undefined ? undefined : (found.steps[0] ?? episode.steps.length - 1);
  // A case asks about a proposal.
  return t === undefined || episode.steps[t]?.proposals[0] === undefined ? undefined : t;
}

/** All episodes of a run that show the pattern, in the order of the file. `onRead` is called after each episode. */
export async function patternSteps(
  files: TraceFiles,
  { index: episodes }: Pick<OpenedRunFolder, "index">,
  pattern: FailurePattern,
  onRead: (read: number, total: number) => void,
): Promise<PatternStep[]> {
  const found: PatternStep[] = [];
  const { entries } = episodes;
  for (const [index, { head }] of entries.entries()) {
    const { value } = await readEpisode(files, episodes, index);
    const t = value === undefined ? undefined : stepOf(value, pattern);
    if (t !== undefined) found.push({ index, head, t });
    onRead(index + 1, entries.length);
  }
  return found;
}

/** Failed episodes before others, one of each question before its repetitions; else in the order of the file. */
export function mostTellingSteps(steps: readonly PatternStep[]): PatternStep[] {
  const failed = ({ head }: PatternStep): boolean => hasFailed(head.outcome);
  const byOutcome = [...steps.filter(failed), ...steps.filter((step) => !failed(step))];
  const ofQuestions = Map.groupBy(byOutcome, ({ head }) => head.questionId);
  const isFirst = (step: PatternStep): boolean => ofQuestions.get(step.head.questionId)?.[0] === step;
  return [...byOutcome.filter(isFirst), ...byOutcome.filter((step) => !isFirst(step))];
}
