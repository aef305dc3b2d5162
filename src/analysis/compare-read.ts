import type { ComparedEpisode } from "../model/comparison.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode, EpisodeHead, StandingOutcome } from "../model/episode.ts";
import { isStanding } from "../model/outcomes.ts";
import { episodeScore, outcomeScore } from "../scoring/group-figures.ts";
import { judgedBy } from "../scoring/judged-by.ts";
import { readEpisode } from "../trace/episode-file.ts";
import type { EpisodeIndex } from "../trace/episode-index.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { measureEpisode } from "./compare-measures.ts";
import type { RunQuestion } from "./compare-runs.ts";

export interface ReadOptions {
  /** Reads every episode for its score and its use of steps and calls. Without it only episodes whose head lacks the sample are read. */
  readonly measured: boolean;
  /** The judge by whose verdicts answers are right, and every episode is read; undefined: the judge of the run. */
  readonly by?: string | undefined;
  readonly signal?: AbortSignal;
  /** Called before each question. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface QuestionsOfRun {
  readonly questions: readonly RunQuestion[];
  /** Episodes that could not be read; the list's word on them counts. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An episode of a question, as the list has it. */
interface Listed {
  readonly index: number;
  readonly head: EpisodeHead & { readonly outcome: StandingOutcome };
}

/** Whether episodes are measured, and by whose verdicts their answers are right. */
type Asked = Pick<ReadOptions, "measured" | "by">;

/**
 * The questions of a run with their samples; of several episodes of one sample the first in the file, as a recorded policy chooses
 * (`collectRecordings`). Abandoned branches are no samples. Works on the list; holds one episode at a time. Rejects on I/O errors and on abort.
 */
export async function questionsOf(
  files: TraceFiles,
  index: EpisodeIndex,
  { signal, onProgress, ...asked }: ReadOptions,
): Promise<QuestionsOfRun> {
  const { by } = asked;
  const listed = index.entries.flatMap(({ head }, at): Listed[] =>
    isStanding(head) ? [{ index: at, head }] : [],
  );
  const groups = [...Map.groupBy(listed, ({ head }) => head.questionId).values()];
  const diagnostics: Diagnostic[] = [];
  const questions: RunQuestion[] = [];
  const read = async ({ index: at }: Listed): Promise<Episode | undefined> => {
    signal?.throwIfAborted();
    const checked = await readEpisode(files, index, at);
    diagnostics.push(...checked.diagnostics);
    return checked.value && (by === undefined ? checked.value : judgedBy(checked.value, by));
  };
  for (const [done, group] of groups.entries()) {
    onProgress?.(done, groups.length);
    questions.push(...(await questionOf(group, asked, read)));
  }
  return { questions, diagnostics };
}

async function questionOf(
  group: readonly Listed[],
  asked: Asked,
  read: (one: Listed) => Promise<Episode | undefined>,
): Promise<RunQuestion[]> {
  const samples = new Map<number, ComparedEpisode>();
  const unread: Listed[] = [];
  for (const one of group) {
    // The head of a `hasp.episode/1` line lacks the sample; the only episode of a question is its first.
    const isUnknown = group.length > 1 && one.head.sample === undefined;
    const episode = asked.measured || asked.by !== undefined || isUnknown ? await read(one) : undefined;
    if (isUnknown && episode === undefined) {
      unread.push(one);
      continue;
    }
    const sample = episode?.sample ?? one.head.sample ?? 1;
    if (!samples.has(sample)) samples.set(sample, comparedEpisode(one, sample, episode, asked));
  }
  const [first] = group;
  if (first === undefined) return [];
  const { questionId, question } = first.head;
  if (samples.size === 0)
    for (const one of unread.slice(0, 1)) samples.set(1, comparedEpisode(one, 1, undefined, asked));
  return [{ questionId, question, samples: [...samples.values()].toSorted((a, b) => a.sample - b.sample) }];
}

function comparedEpisode(
  { index, head }: Listed,
  sample: number,
  episode: Episode | undefined,
  { measured, by }: Asked,
): ComparedEpisode {
  const { id, length } = head;
  const listed = by === undefined ? head.outcome : "unjudged";
  // The list knows less than a verdict: without `measured` it counts for every episode, read or not.
  const read = measured || by !== undefined ? episode : undefined;
  const outcome = read !== undefined && isStanding(read) ? read.outcome : listed;
  const score = read === undefined ? outcomeScore(outcome) : episodeScore(read);
  const measures = measured && read !== undefined ? { measures: measureEpisode(read) } : {};
  return { index, id, sample, outcome, steps: length, score, ...measures };
}
