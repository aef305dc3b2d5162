import { compareEpisodes } from "../analysis/compare-episodes.ts";
import { questionsOf, type QuestionsOfRun } from "../analysis/compare-read.ts";
import { compareRuns, sameQuestions, sharedQuestions } from "../analysis/compare-runs.ts";
import type {
  ComparedEpisode,
  EpisodeComparison,
  QuestionPair,
  RemarkedComparison,
  RunComparison,
  Spread,
} from "../model/comparison.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { Episode, EpisodeHead } from "../model/episode.ts";
import { otherPrompts, type Asked } from "../model/prompt-versions.ts";
import { redrivenRemark } from "../model/redriven.ts";
import { sampleId } from "../model/sample.ts";
import { readEpisode } from "../trace/episode-file.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { episodeOf } from "./open-run.ts";
import { progressOf, type Progress } from "./progress.ts";
import { checked, need, refuse } from "./refusal.ts";

type Runs = readonly [a: OpenedRunFolder, b: OpenedRunFolder];

export interface CompareOrder {
  readonly runs: Runs;
  /** Reads every episode for what it took. Without it the lists of episodes are enough. */
  readonly measured: boolean;
  /** The judge by whose recorded verdicts answers are right (`judgeOfBoth`); undefined: that of each run. */
  readonly by?: string | undefined;
}

/** Services of a comparison. `on` hears of each question that is read. */
export interface CompareServices {
  readonly files: TraceFiles;
  readonly signal: AbortSignal;
  readonly on?: (event: Progress) => void;
}

export interface ComparedRuns extends RemarkedComparison {
  /** Questions of each run. */
  readonly questions: readonly [a: number, b: number];
}

/** Without a `run.json` the first episode tells the settings of the run. */
async function askedIn(files: TraceFiles, { title, run, index }: OpenedRunFolder): Promise<Asked> {
  const isUnknown = run?.settings === undefined && index.entries.length > 0;
  const first = isUnknown ? (await readEpisode(files, index, 0)).value : undefined;
  return { title, settings: run?.settings ?? first?.settings };
}

/** Compares two runs by question. Findings name what cannot be read; the rest is compared. Rejects on I/O errors and on abort. */
export async function compareTwoRuns(
  { runs, measured, by }: CompareOrder,
  { files, signal, on }: CompareServices,
): Promise<{ readonly value: ComparedRuns; readonly diagnostics: readonly Diagnostic[] }> {
  const read = async ({ index, title }: OpenedRunFolder): Promise<QuestionsOfRun> =>
    questionsOf(files, index, {
      measured,
      by,
      signal,
      onProgress: (done, total) => on?.(progressOf(done, total, `questions of ${title}`)),
    });
  const [a, b] = [await read(runs[0]), await read(runs[1])];
  const asked = [await askedIn(files, runs[0]), await askedIn(files, runs[1])] as const;
  const comparison = compareRuns(a.questions, b.questions);
  const { steps } = comparison.measures;
  const mean = (spread: Spread | undefined) =>
    spread === undefined || spread.known === 0 ? undefined : spread.sum / spread.known;
  return {
    value: {
      remarks: [...otherPrompts(...asked), ...redrivenRemark(asked, [mean(steps?.a), mean(steps?.b)])],
      comparison,
      questions: [a.questions.length, b.questions.length],
    },
    diagnostics: [...runs[0].diagnostics, ...a.diagnostics, ...runs[1].diagnostics, ...b.diagnostics],
  };
}

export interface ComparedEpisodes {
  readonly episodes: readonly [a: Episode, b: Episode];
  readonly comparison: EpisodeComparison;
}

/** Compares an episode of each run, named by its position. No value where one cannot be read. */
export async function compareTwoEpisodes(
  runs: Runs,
  positions: readonly [a: number, b: number],
  files: TraceFiles,
): Promise<Checked<ComparedEpisodes>> {
  return checked(async () => {
    const a = need(await episodeOf(files, runs[0], positions[0]));
    const b = need(await episodeOf(files, runs[1], positions[1]));
    return { episodes: [a, b], comparison: compareEpisodes(a, b) } as const;
  });
}

/** A question that two runs have been compared by, with two episodes of it that are partners. */
export interface ComparedQuestion extends ComparedEpisodes {
  readonly pair: QuestionPair;
}

/** The place of a sample in the lists of a pair, by the id of an episode or as `q1#2`; -1 where no pair of samples has it. */
function placeOf({ questionId, a, b }: QuestionPair, wanted: string): number {
  const isWanted = ({ id, sample }: ComparedEpisode): boolean =>
    id === wanted || sampleId(questionId, sample) === wanted;
  const places = [a, b].map((side) => side?.episodes.findIndex((one) => isWanted(one)) ?? -1);
  return Math.max(...places);
}

/** The question, and which of its pairs of samples: the first where the id is that of the question. */
function findPair(
  pairs: readonly QuestionPair[],
  wanted: string,
): { readonly pair: QuestionPair; readonly place: number } | undefined {
  const byQuestion = pairs.find(({ questionId }) => questionId === wanted);
  if (byQuestion !== undefined) return { pair: byQuestion, place: 0 };
  for (const pair of pairs) {
    const place = placeOf(pair, wanted);
    if (place >= 0) return { pair, place };
  }
  return undefined;
}

/**
 * Compares two episodes of one question, named by its id, the id of one of them, or as `q1#2`. HASP575 where a run has none, or the
 * sample has no partner.
 */
export async function compareQuestion(
  { pairs }: RunComparison,
  wanted: string,
  runs: Runs,
  files: TraceFiles,
): Promise<Checked<ComparedQuestion>> {
  return checked(async () => {
    const { pair, place } =
      findPair(pairs, wanted) ?? refuse("HASP575", `Neither run has a question ${wanted}.`, LIST_QUESTIONS);
    const [a, b] = [pair.a?.episodes[place], pair.b?.episodes[place]];
    if (a !== undefined && b !== undefined)
      return { pair, ...need(await compareTwoEpisodes(runs, [a.index, b.index], files)) };
    const { title } = runs[pair.a === undefined ? 0 : 1];
    const message = `The run ${title} has no episode of that question.`;
    return refuse("HASP575", message, "Look at the other one with `hasp replay`.");
  });
}

const LIST_QUESTIONS =
  "Without --question, the command lists the ids of those that were won and lost; --json lists all. A sample such as q1#2 needs a partner in the other run.";

/** What runs are matched by. */
type Listed = Pick<OpenedRunFolder, "index">;

const headsOf = ({ index }: Listed): EpisodeHead[] => index.entries.map(({ head }) => head);

/** The number of questions that two runs share, and how many of those by text alone. */
export function questionsInCommon(a: Listed, b: Listed): ReturnType<typeof sharedQuestions> {
  return sharedQuestions(headsOf(a), headsOf(b));
}

/**
 * Positions of the episodes of `other` that answer the question of this one. Within its own run two ids are two questions, whatever
 * their texts.
 */
export function samePositions(asked: EpisodeHead, other: Listed, isOwnRun: boolean): readonly number[] {
  const all = headsOf(other).map(({ questionId, question }, at) => ({ questionId, question, at }));
  const same = isOwnRun
    ? all.filter(({ questionId }) => questionId === asked.questionId)
    : sameQuestions(asked, all);
  return same.map(({ at }) => at);
}
