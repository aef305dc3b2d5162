import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode, EpisodeHead } from "../model/episode.ts";
import { readEpisode } from "../trace/episode-file.ts";
import type { EpisodeIndex } from "../trace/episode-index.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { measureEpisode } from "./compare-measures.ts";
import type { RunQuestion } from "./compare-runs.ts";

export interface ReadOptions {
  /** Read every chosen episode for what it took. Without it only those that compete for a question are read. */
  readonly measured: boolean;
  readonly signal?: AbortSignal;
  /** Called before each question. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface QuestionsOfRun {
  readonly questions: readonly RunQuestion[];
  /** Episodes that could not be read; the list's word on them counts. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An episode that may stand for its question. */
interface Try {
  readonly index: number;
  readonly head: EpisodeHead;
}

/**
 * One episode for each question of a run: that of the lowest sample, among equals the first in the file, as a recorded policy chooses
 * (`collectRecordings`). Works on the list; holds one episode at a time. Rejects on I/O errors and on abort.
 */
export async function questionsOf(
  files: TraceFiles,
  index: EpisodeIndex,
  { measured, signal, onProgress }: ReadOptions,
): Promise<QuestionsOfRun> {
  const tries = index.entries.map(({ head }, at): Try => ({ index: at, head }));
  const groups = [...Map.groupBy(tries, ({ head }) => head.questionId).values()];
  const diagnostics: Diagnostic[] = [];
  const questions: RunQuestion[] = [];
  const read = async ({ index: at }: Try): Promise<Episode | undefined> => {
    signal?.throwIfAborted();
    const checked = await readEpisode(files, index, at);
    diagnostics.push(...checked.diagnostics);
    return checked.value;
  };
  for (const [done, group] of groups.entries()) {
    onProgress?.(done, groups.length);
    questions.push(...(await chosenOf(group, measured, read)));
  }
  return { questions, diagnostics };
}

async function chosenOf(
  group: readonly Try[],
  measured: boolean,
  read: (one: Try) => Promise<Episode | undefined>,
): Promise<RunQuestion[]> {
  const [only, ...others] = group;
  if (only === undefined) return [];
  if (others.length === 0) return [questionOf(only, 1, measured ? await read(only) : undefined)];
  let best: { one: Try; episode: Episode } | undefined;
  for (const one of group) {
    const episode = await read(one);
    if (episode === undefined) continue;
    if (best === undefined || episode.sample < best.episode.sample) best = { one, episode };
  }
  return [questionOf(best?.one ?? only, group.length, measured ? best?.episode : undefined)];
}

function questionOf({ index, head }: Try, tries: number, episode: Episode | undefined): RunQuestion {
  const { id, questionId, question, outcome, length } = head;
  const measures = episode === undefined ? {} : { measures: measureEpisode(episode) };
  return { questionId, question, episode: { index, id, outcome, steps: length, tries, ...measures } };
}
