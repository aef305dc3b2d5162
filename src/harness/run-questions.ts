import { noOutcomes } from "../model/outcomes.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { redactTexts } from "../llm/redact.ts";
import { namedFinal } from "../model/action-types.ts";
import type { DomainFacts, Episode, SkillRef } from "../model/episode.ts";
import type { RecordedSettings } from "../model/recorded-settings.ts";
import { addReplies, countReplies, NO_REPLIES, type ReplyCounts } from "../model/replies.ts";
import { sampleId } from "../model/sample.ts";
import type { RunSampling } from "../model/sampling.ts";
import { countReason, type ReasonCounts } from "../scoring/undecided.ts";
import type { EpisodeEnd } from "./ending.ts";
import type { EpisodeTask } from "./loop.ts";
import type { Environment } from "./policy.ts";
import type { QuestionSample } from "./question.ts";
import { recordEpisode, type EpisodeFolder } from "./recorded-episode.ts";
import { samplingOf } from "./seed.ts";

/** What all episodes of a run share, and where they go. */
export interface RunTask
  extends
    EpisodeFolder,
    Pick<EpisodeTask, "policy" | "host" | "library" | "domain" | "judge" | "control" | "redact"> {
  /** Those that have no episode yet. */
  readonly samples: readonly QuestionSample[];
  /** Sampling of the run. */
  readonly sampling: RunSampling;
  /** Tools remember what one episode found, so each gets its own. */
  readonly openEnvironment: () => Environment;
  readonly teacher?: ChatModel;
  /** As the episodes record it. */
  readonly libraryRefs: readonly SkillRef[];
  /** As the episodes record them, but for the sampling. */
  readonly settings: RecordedSettings;
  /** Episodes under way at once. */
  readonly concurrency: number;
  /** Ends the run: no new question, calls in flight are aborted, their episodes leave no trace. */
  readonly signal: AbortSignal;
  readonly onEpisode?: (episode: Episode) => void;
  /**
   * Stop reasons for which an episode leaves no trace and ends the run: a resume asks its question again. Undefined: no reason; a spent
   * budget or a refused key ends the run, and the episode stays.
   */
  readonly endsRun?: (stopReason: string) => boolean;
}

interface JudgeFailed {
  readonly episodes: number;
  readonly message: string;
}

export interface RunSummary {
  /** Episodes that came to an end. */
  readonly finished: number;
  readonly outcomes: Readonly<Record<Episode["outcome"], number>>;
  readonly stopReasons: Readonly<Record<string, number>>;
  readonly replies: ReplyCounts;
  /** Episodes on whose answers the judge failed, with what it said of the first; undefined where it failed on none. */
  readonly judgeFailed: JudgeFailed | undefined;
  /** Why the judge came to no verdict, with the number of episodes. */
  readonly undecided: Readonly<ReasonCounts>;
  /** US dollars; undefined where nothing was spent, or `costUnknown`. */
  readonly dollars: number | undefined;
  /** A model was called whose price nobody knows. */
  readonly costUnknown: boolean;
  /** Samples that no episode was kept of: resume asks them. */
  readonly left: number;
  /** Why the run ended before its last question: `cancelled`, or the stop reason that no further question would escape. */
  readonly endedBy: string | undefined;
  /** The end of the episode that `endsRun` left out. */
  readonly failure?: EpisodeEnd | undefined;
}

/** After these the next question would end the same way, and would be lost to a resume. */
const ENDS_RUN: ReadonlySet<string> = new Set(["budget", "model_unauthorised"]);

interface Tally {
  finished: number;
  readonly outcomes: Record<Episode["outcome"], number>;
  readonly stopReasons: Record<string, number>;
  replies: ReplyCounts;
  judgeFailed: JudgeFailed | undefined;
  readonly undecided: ReasonCounts;
  dollars: number | undefined;
  costUnknown: boolean;
  endedBy: string | undefined;
  failure: EpisodeEnd | undefined;
}

function charge(tally: Tally, cost: number | undefined): void {
  tally.costUnknown ||= cost === undefined;
  tally.dollars = tally.costUnknown ? undefined : (tally.dollars ?? 0) + (cost ?? 0);
}

function count(tally: Tally, episode: Episode): void {
  tally.finished++;
  tally.outcomes[episode.outcome]++;
  tally.stopReasons[episode.stopReason] = (tally.stopReasons[episode.stopReason] ?? 0) + 1;
  tally.replies = addReplies(tally.replies, countReplies(episode.steps));
  const judging = episode.extra?.["judging"];
  if (typeof judging === "string") {
    const { episodes, message } = tally.judgeFailed ?? { episodes: 0, message: judging };
    tally.judgeFailed = { episodes: episodes + 1, message };
  }
  countReason(tally.undecided, episode.noVerdict);
  if (episode.cost !== undefined) charge(tally, episode.cost.cost);
  if (ENDS_RUN.has(episode.stopReason)) tally.endedBy ??= episode.stopReason;
}

/** What an episode records of where it runs. */
export function factsOf(
  domain: Pick<RunTask["domain"], "name" | "finalAction">,
  { actionTypes, searchReturnsText }: Environment,
  maxSteps: number,
): DomainFacts {
  return {
    domain: domain.name,
    actionTypes: [...actionTypes],
    searchReturnsText,
    maxSteps,
    ...namedFinal(domain),
    ...(searchReturnsText && { readBecomesSearch: true }),
  };
}

/** One sample to its end. Undefined where the run was cancelled meanwhile, or the episode ends it: `onLeft` then receives how. */
function ask(
  run: RunTask,
  { question: given, sample }: QuestionSample,
  onLeft: (end: EpisodeEnd) => void,
): Promise<Episode | undefined> {
  const { control, domain, settings, libraryRefs, signal, redact } = run;
  const question = redactTexts(given, redact);
  const environment = run.openEnvironment();
  const facts = factsOf(domain, environment, control.maxSteps);
  const sampling = samplingOf(run.sampling, given.id, sample);
  const started = {
    id: sampleId(given.id, sample),
    questionId: given.id,
    sample,
    question: question.question,
    source: "hasp",
    facts,
    settings: { ...settings, sampling },
    library: [...libraryRefs],
    ...(question.gold !== undefined && { gold: [...question.gold] }),
  };
  const task = { ...run, question, sample, sampling, environment, facts };
  const endAs = (end: EpisodeEnd) => {
    if (end.stopReason === "cancelled") return undefined;
    if (run.endsRun?.(end.stopReason) !== true) return end;
    onLeft(end);
    return undefined;
  };
  return recordEpisode(run, { started, task, endAs, signal });
}

/**
 * Runs the samples, `concurrency` at a time. Each ends in exactly one episode, or in none where the run ended first; in what order
 * they end has no influence on what they are. Rejects with the first bug or I/O error, after the others have been stopped.
 */
export async function runQuestions(task: RunTask): Promise<RunSummary> {
  const outcomes = noOutcomes();
  const spent = { dollars: undefined, costUnknown: false };
  const none = { judgeFailed: undefined, undecided: {}, endedBy: undefined, failure: undefined };
  const tally: Tally = { finished: 0, outcomes, stopReasons: {}, replies: NO_REPLIES, ...spent, ...none };
  const onLeft = (end: EpisodeEnd): void => {
    tally.endedBy ??= end.stopReason;
    tally.failure ??= end;
  };
  const failed = new AbortController();
  const signal = AbortSignal.any([task.signal, failed.signal]);
  const queue = task.samples.values();
  async function work(): Promise<void> {
    for (const sample of queue) {
      if (signal.aborted || tally.endedBy !== undefined) return;
      const episode = await ask({ ...task, signal }, sample, onLeft);
      if (episode === undefined) return;
      count(tally, episode);
      task.onEpisode?.(episode);
    }
  }
  const workers = Array.from({ length: Math.min(task.concurrency, task.samples.length) }, () =>
    work().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  const failure = ends.find((end) => end.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  if (task.signal.aborted) tally.endedBy ??= "cancelled";
  return { ...tally, left: task.samples.length - tally.finished };
}
