import { meanInterval } from "../analysis/bootstrap.ts";
import { openRunAt } from "../app/open-run.ts";
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

/** Gives the scores of a run by question; undefined without a run. */
export type ScoresOf = (run: string) => Promise<Scores | undefined>;

/** Reads scores, and the same run again only once its file has changed: an experiment is read anew with each line of its metrics. */
export function scoresIn(files: ExperimentFiles): ScoresOf {
  const known = new Map<string, { readonly version: string; readonly scores: Promise<Scores | undefined> }>();
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

async function readScores(files: ExperimentFiles, run: string): Promise<Scores | undefined> {
  const opened = (await openRunAt(files, run)).value;
  if (opened === undefined) return undefined;
  const scores = new Map<string, Score>();
  for await (const { value } of readEpisodes(files, opened.index)) {
    if (value === undefined) continue;
    const { questionId, answer, gold } = value;
    const score = scoreAnswer({ answer, gold });
    if (score !== undefined) scores.set(questionId, { em: score.em ? 1 : 0, f1: score.f1 });
  }
  return scores;
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
  const found: { readonly one: PlannedEvaluation; readonly scores: Scores }[] = [];
  for (const one of evaluations) {
    const scores = isDone(one.job) ? await scoresOf(one.run) : undefined;
    if (scores !== undefined) found.push({ one, scores });
  }
  return found.map(({ one: { when, pfs, run }, scores }) => {
    const values = [...scores.values()];
    const before = found.find(({ one }) => one.when === "before" && one.pfs === pfs)?.scores;
    const change = when === "after" && before !== undefined ? changeOf(before, scores) : undefined;
    return {
      when,
      pfs,
      run,
      questions: values.length,
      em: meanOf(values.map(({ em }) => em)) ?? 0,
      f1: meanOf(values.map(({ f1 }) => f1)) ?? 0,
      ...(change !== undefined && { change }),
    };
  });
}
