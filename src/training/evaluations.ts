import { meanInterval } from "../scoring/bootstrap.ts";
import { openRunAt } from "../app/open-run.ts";
import { otherPrompts } from "../model/prompt-versions.ts";
import { addReplies, countReplies, NO_REPLIES, type ReplyCounts } from "../model/replies.ts";
import { meanOf } from "../scoring/group-figures.ts";
import { scoreAnswer } from "../scoring/score-answers.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import { runPaths } from "../trace/run-paths.ts";
import type { Difference, Evaluation, ExperimentFiles } from "./order.ts";
import type { Plan, PlannedEvaluation } from "./planned.ts";

interface Score {
  readonly em: number;
  readonly f1: number;
}

type Scores = ReadonlyMap<string, Score>;

/** Scores, replies and settings of a run, for its evaluation. */
interface ScoredRun {
  /** By question. */
  readonly scores: Scores;
  readonly replies: ReplyCounts;
  readonly settings: Readonly<Record<string, unknown>> | undefined;
}

/** Scores a run; undefined without one. */
export type ScoresOf = (run: string) => Promise<ScoredRun | undefined>;

/** Reads scores, and the same run again only once its file has changed: an experiment is read anew with each line of its metrics. */
export function scoresIn(files: ExperimentFiles): ScoresOf {
  const known = new Map<string, { readonly version: string; readonly scores: ReturnType<ScoresOf> }>();
  return async (run) => {
    const stat = await files.stat(runPaths(run).episodes);
    const version = `${stat?.size} ${stat?.mtimeMs}`;
    const before = known.get(run);
    if (before?.version === version) return before.scores;
    const scores = readScores(files, run);
    known.set(run, { version, scores });
    scores.catch(() => known.delete(run));
    return scores;
  };
}

async function readScores(files: ExperimentFiles, run: string): ReturnType<ScoresOf> {
  const opened = (await openRunAt(files, run)).value;
  if (opened === undefined) return undefined;
  const scores = new Map<string, Score>();
  let replies = NO_REPLIES;
  for await (const { value } of readEpisodes(files, opened.index)) {
    if (value === undefined) continue;
    const { questionId, answer, gold, steps } = value;
    replies = addReplies(replies, countReplies(steps));
    const score = scoreAnswer({ answer, gold });
    if (score !== undefined) scores.set(questionId, { em: score.em ? 1 : 0, f1: score.f1 });
  }
  return { scores, replies, settings: opened.run?.settings };
}

/** The mean of `after − before` over the questions that both have, with its 95% interval by a bootstrap over questions. */
function changeOf(before: Scores, after: Scores): Difference | undefined {
  // Episodes end in any order, and the bootstrap draws by place.
  const inOrder = [...after].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const differences = inOrder.flatMap(([question, { em }]) => {
    const earlier = before.get(question);
    return earlier === undefined ? [] : [em - earlier.em];
  });
  const interval = meanInterval(differences);
  const value = meanOf(differences);
  return value === undefined || interval === undefined ? undefined : { value, ...interval };
}

/** The evaluations whose job is done. Rejects on I/O errors. */
export async function readEvaluations(
  scoresOf: ScoresOf,
  { evaluations }: Pick<Plan, "evaluations">,
  isDone: (job: string) => boolean,
): Promise<readonly Evaluation[]> {
  const found: ({ readonly one: PlannedEvaluation } & ScoredRun)[] = [];
  for (const one of evaluations) {
    const scored = isDone(one.job) ? await scoresOf(one.run) : undefined;
    if (scored !== undefined) found.push({ one, ...scored });
  }
  return found.map(({ one: { when, pfs, run }, scores, replies, settings }) => {
    const values = [...scores.values()];
    const before = found.find(({ one }) => one.when === "before" && one.pfs === pfs);
    const change = when === "after" && before !== undefined ? changeOf(before.scores, scores) : undefined;
    const remarks =
      change === undefined || before === undefined
        ? []
        : otherPrompts({ title: before.one.run, settings: before.settings }, { title: run, settings });
    return {
      when,
      pfs,
      run,
      questions: values.length,
      em: meanOf(values.map(({ em }) => em)) ?? 0,
      f1: meanOf(values.map(({ f1 }) => f1)) ?? 0,
      replies,
      ...(change !== undefined && { change }),
      ...(remarks.length > 0 && { remarks }),
    };
  });
}
