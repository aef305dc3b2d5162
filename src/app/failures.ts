import { clusterFailures } from "../analysis/failures/cluster-failures.ts";
import { detectFailures } from "../analysis/failures/detect-failures.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Outcome } from "../model/episode.ts";
import {
  FAILURE_DETECTORS,
  type DetectedFailure,
  type FailureDetector,
  type FailureReport,
  type FoundFailure,
  type KnownSkill,
} from "../model/failure.ts";
import { timeSlices } from "../model/time-slices.ts";
import { placedEpisodes, type NamedRun, type PlacedEpisode } from "../trace/placed-episodes.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { isInSplit, type QuestionSplit } from "../trace/question-split.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { progressOf, type Progress } from "./progress.ts";

/** A run whose failures are analysed, under the name by which a result leads back to it. */
export interface FailuresRun extends NamedRun, Pick<OpenedRunFolder, "folder" | "diagnostics"> {}

export interface FailuresOrder {
  readonly runs: readonly FailuresRun[];
  /** Only episodes whose question falls into these parts; undefined for all. */
  readonly split: QuestionSplit | undefined;
  /** The active skills: what they cover is not new. */
  readonly known: readonly KnownSkill[];
  /** Smaller clusters are left out of the report. */
  readonly minClusterSize: number;
  /** Failed episodes that are kept, the first in the order of the runs; undefined: all. The counts of the detectors are about all. */
  readonly mostFailures?: number | undefined;
  /** An aborted analysis reports the episodes that are done. */
  readonly signal: AbortSignal;
}

export interface FailuresServices {
  readonly files: TraceFiles;
  /** Summarises each failed episode that is kept; undefined: detectors alone. */
  readonly model: ChatModel | undefined;
  /** Episodes summarised at once. */
  readonly concurrency: number;
  readonly on: (event: Progress) => void;
}

type Counts = Record<Outcome, number>;

const noCounts = (): Counts => ({ wrong: 0, halted: 0, correct: 0, unjudged: 0 });

/** SPEC §7, readings: failed is EM 0, halted included. */
const hasFailed = (outcome: Outcome): boolean => outcome === "wrong" || outcome === "halted";

/** What is counted of the episodes, and kept of the failed ones. */
function failureTally(mostFailures: number) {
  const episodes = noCounts();
  const detectors = Object.fromEntries(FAILURE_DETECTORS.map((name) => [name, noCounts()])) as Record<
    FailureDetector,
    Counts
  >;
  const failures: FoundFailure[] = [];

  function add({ run, index, episode }: PlacedEpisode, detected: readonly DetectedFailure[]): boolean {
    const { id: episodeId, questionId, question, outcome, steps } = episode;
    episodes[outcome] += 1;
    for (const { name } of detected) detectors[name][outcome] += 1;
    if (!hasFailed(outcome) || failures.length >= mostFailures) return false;
    failures.push({ run, index, episodeId, questionId, question, outcome, length: steps.length, detected });
    return true;
  }

  return { episodes, detectors, failures, add };
}

/**
 * Analyses the failed episodes of recorded runs (SPEC §7 B): the twelve detectors on every episode, and clusters of the failed ones. The
 * diagnostics tell lines that are no episodes. Rejects on I/O errors.
 */
export async function analyseFailures(
  { runs, split, known, minClusterSize, mostFailures = Infinity, signal }: FailuresOrder,
  { files, on }: FailuresServices,
): Promise<Checked<FailureReport>> {
  const found: Diagnostic[] = runs.flatMap(({ diagnostics }) => diagnostics);
  const tally = failureTally(mostFailures);
  const pause = timeSlices();
  const total = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
  let [done, leftOut] = [0, 0];
  for await (const placed of placedEpisodes(files, runs, (more) => found.push(...more))) {
    await pause();
    if (signal.aborted) break;
    if (split !== undefined && !isInSplit(placed.episode.question, split)) leftOut += 1;
    else tally.add(placed, detectFailures(placed.episode));
    on(progressOf(++done, total, "episodes"));
  }
  const { episodes, detectors, failures } = tally;
  const { clusters, small } = clusterFailures(failures, known, { minClusterSize });
  const summaries = { made: 0, missing: 0, namesAnswer: 0 };
  const report = { episodes, leftOut, detectors, failures, clusters, smallClusters: small, summaries };
  return { value: report, diagnostics: found };
}
