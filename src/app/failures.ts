import { clusterFailures } from "../analysis/failures/cluster-failures.ts";
import { detectFailures, detectorsIn } from "../analysis/failures/detect-failures.ts";
import type { Domain } from "../domains/domain.ts";
import { domainOfRecord } from "../domains/registry.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { counted } from "../model/counted.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { StandingOutcome } from "../model/episode.ts";
import {
  FAILURE_DETECTORS,
  type DetectedFailure,
  type FailureDetector,
  type FailureReport,
  type FoundFailure,
  type KnownSkill,
} from "../model/failure.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { hasFailed, perOutcome } from "../model/outcomes.ts";
import { timeSlices } from "../model/time-slices.ts";
import { standingEpisodes, type NamedRun, type StandingEpisode } from "../trace/placed-episodes.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { isInSplit, type QuestionSplit } from "../trace/question-split.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { NO_SUMMARIES, openSummaries } from "./failure-summaries.ts";
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
  /** Episodes that are counted as not there, although the split holds them. */
  readonly isLeftOut?: (placed: Pick<StandingEpisode, "run" | "index">) => boolean;
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

type Counts = Record<StandingOutcome, number>;

const noCounts = (): Counts => perOutcome(() => 0);

/** Counts of all episodes, and the failed ones. */
function failureTally(mostFailures: number) {
  const episodes = noCounts();
  const detectors = Object.fromEntries(FAILURE_DETECTORS.map((name) => [name, noCounts()])) as Record<
    FailureDetector,
    Counts
  >;
  const domains = new Set<Domain>();
  const failures: FoundFailure[] = [];

  /** Answers with the failure that is kept. */
  function add(
    { run, index, episode }: StandingEpisode,
    detected: readonly DetectedFailure[],
  ): FoundFailure | undefined {
    const { id: episodeId, questionId, question, outcome, steps, facts } = episode;
    episodes[outcome] += 1;
    domains.add(domainOfRecord(facts));
    for (const { name } of detected) detectors[name][outcome] += 1;
    if (!hasFailed(outcome) || failures.length >= mostFailures) return undefined;
    const place = { run, index, episodeId, questionId, question };
    const failure = { ...place, domain: facts.domain, outcome, length: steps.length, detected };
    failures.push(failure);
    return failure;
  }

  /** The counts of the detectors that ran. */
  function ofThoseThatRan(): FailureReport["detectors"] {
    const ran = new Set([...domains].flatMap((domain) => Object.keys(detectorsIn(domain))));
    return Object.fromEntries(Object.entries(detectors).filter(([name]) => ran.has(name)));
  }

  return { episodes, detectors: ofThoseThatRan, failures, add };
}

/** The active skills of these folders. */
export function knownSkills(
  folders: readonly Pick<SkillFolder, "skill" | "isDisabled">[],
): readonly KnownSkill[] {
  return folders.flatMap(({ skill, isDisabled }) =>
    skill === undefined || isDisabled === true
      ? []
      : [{ skillId: skill.skillId, category: skill.errorCategory, description: skill.description }],
  );
}

/** Reports without an outcome have nothing to say about failures. */
function nothingJudged({ episodes, leftOut }: Pick<FailureReport, "episodes" | "leftOut">): Diagnostic[] {
  const { unjudged, ...judged } = episodes;
  if (Object.values(judged).some((count) => count > 0)) return [];
  const message =
    unjudged > 0
      ? `None of ${counted(unjudged, "episode")} has an outcome, so none of them failed.`
      : `There is no episode to analyse${leftOut > 0 ? `: the split leaves out all ${leftOut}` : ""}.`;
  const next =
    unjudged > 0 ? "Judge them with `hasp judge`." : "Name another run, or other parts of the split.";
  return [{ code: "HASP640", severity: "warning", message, next, range: START_OF_FILE }];
}

/**
 * Analyses the failed episodes of recorded runs (SPEC §7 B): the detectors of its domain on every episode, and clusters of the failed ones; with a
 * model its summary of each, and clusters of these. The diagnostics tell lines that are no episodes, runs without an outcome (HASP640), and
 * why a summary is missing (HASP641, HASP642); the report then has all that could be found. Rejects on I/O errors.
 */
export async function analyseFailures(
  order: FailuresOrder,
  { files, model, concurrency, on }: FailuresServices,
): Promise<Checked<FailureReport>> {
  const { runs, split, known, minClusterSize, mostFailures = Infinity, signal } = order;
  const found: Diagnostic[] = runs.flatMap(({ diagnostics }) => diagnostics);
  const tally = failureTally(mostFailures);
  const pause = timeSlices();
  const total = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
  let [done, leftOut, summarised] = [0, 0, 0];
  const report = (): void => {
    const { words, ...progress } = progressOf(done, total, "episodes");
    on({
      ...progress,
      words: model === undefined ? words : `${words}, ${counted(summarised, "failure")} summarised`,
    });
  };
  const onDone = (count: number): void => {
    summarised = count;
    report();
  };
  const summaries =
    model === undefined ? NO_SUMMARIES : openSummaries(model, known, { concurrency, signal, onDone });
  for await (const placed of standingEpisodes(files, runs, (more) => found.push(...more))) {
    await pause();
    if (signal.aborted) break;
    const { episode } = placed;
    done += 1;
    const isOutside = split !== undefined && !isInSplit(episode.question, split);
    if (isOutside || order.isLeftOut?.(placed) === true) leftOut += 1;
    else {
      const failure = tally.add(placed, detectFailures(episode));
      if (failure !== undefined) await summaries.add(failure, episode);
    }
    report();
  }
  const { of, refused, counts, diagnostics } = await summaries.end();
  const { episodes } = tally;
  const detectors = tally.detectors();
  const failures = tally.failures.map((failure): FoundFailure => {
    const summary = of.get(failure);
    const refusedSummaries = refused.get(failure) ?? [];
    return {
      ...failure,
      ...(summary !== undefined && { summary }),
      ...(refusedSummaries.length > 0 && { refusedSummaries }),
    };
  });
  const { clusters, small } = clusterFailures(failures, known, { minClusterSize });
  const value = { episodes, leftOut, detectors, failures, clusters, smallClusters: small, summaries: counts };
  return { value, diagnostics: [...found, ...nothingJudged(value), ...diagnostics] };
}
