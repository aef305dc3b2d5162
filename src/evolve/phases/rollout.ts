import { runQuestionsOf, type RunOrder } from "../../app/run/questions.ts";
import { openRunAt } from "../../app/open-run.ts";
import { need, take } from "../../app/refusal.ts";
import { spentIn } from "../../evaluation/prepare-run.ts";
import { ModelError } from "../../llm/chat-model.ts";
import { counted } from "../../model/counted.ts";
import type { EpisodeHead, Outcome } from "../../model/episode.ts";
import { readEpisodes } from "../../trace/episode-file.ts";
import { writeText, type PhaseResult } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";
import type { LiveRollouts } from "../order.ts";

/** EM 0: halted included (SPEC §7, readings). */
export const isFailed = (outcome: Outcome): boolean => outcome === "wrong" || outcome === "halted";

const headsOf = async (epoch: Epoch, folder: string): Promise<readonly EpisodeHead[]> =>
  need(await openRunAt(epoch.services.files, folder)).index.entries.map(({ head }) => head);

/** The share of right episodes among those with a verdict; undefined without one. */
export async function exactMatchOf(epoch: Epoch, folder: string): Promise<number | undefined> {
  const judged = (await headsOf(epoch, folder)).filter(({ outcome }) => outcome !== "unjudged");
  const right = judged.filter(({ outcome }) => outcome === "correct").length;
  return judged.length === 0 ? undefined : right / judged.length;
}

/** Rolls questions out into a folder of the epoch, or the rest of them; calls of an earlier sitting are answered from the cache. */
export async function rollOut(
  epoch: Epoch,
  folder: string,
  change: Partial<RunOrder>,
  { run }: LiveRollouts,
): Promise<void> {
  const { services, found } = epoch;
  const { signal, on, files } = services;
  const maxDollars = epoch.dollarsFor(await spentIn(files, folder));
  const order: RunOrder = { ...run, ...change, folder, maxDollars, resume: true };
  const { summary } = take(
    await runQuestionsOf(order, services, {
      signal,
      on: (event) => (event.kind === "progress" || event.kind === "trouble" ? on(event) : undefined),
    }),
    found,
  );
  signal.throwIfAborted();
  if (summary.endedBy === "budget")
    throw new ModelError(
      "budget",
      "The budget of the evolution is spent.",
      "Give it more with --max-dollars.",
    );
  if (summary.left > 0)
    throw new ModelError(
      "refused_request",
      `The rollout ended after ${summary.finished} questions (${summary.endedBy ?? "unknown"}); ${summary.left} are left.`,
      "Fix the policy's model, then run the command again.",
    );
}

/** The questions that fail without skills, as a file for the rollout with skills (SPEC §7 A, two stages). */
async function prefilter(epoch: Epoch, live: LiveRollouts): Promise<Partial<RunOrder>> {
  const { prefilter: choice } = live;
  if (choice === undefined) return { split: "seed" };
  const { paths, services } = epoch;
  await rollOut(epoch, paths.prefilter, { split: "seed", choice, teacher: undefined }, live);
  const run = need(await openRunAt(services.files, paths.prefilter));
  const lines: string[] = [];
  for await (const { value } of readEpisodes(services.files, run.index))
    if (value !== undefined && isFailed(value.outcome))
      lines.push(JSON.stringify({ id: value.questionId, question: value.question, gold: value.gold ?? [] }));
  await writeText(services.files, paths.prefiltered, lines.map((line) => `${line}\n`).join(""));
  const corpus = live.run.corpus ?? live.run.questions;
  return {
    questions: { name: paths.prefiltered, path: paths.prefiltered },
    corpus,
    dataset: undefined,
    split: undefined,
  };
}

async function liveRollouts(epoch: Epoch, live: LiveRollouts): Promise<PhaseResult<"rollout">> {
  const { paths, validationBefore } = epoch;
  await rollOut(epoch, paths.rollout, await prefilter(epoch, live), live);
  // The validation run of the epoch before was made with the library of this one.
  const validation = validationBefore ?? paths.validation;
  if (validationBefore === undefined) await rollOut(epoch, validation, { split: "val" }, live);
  const heads = await headsOf(epoch, paths.rollout);
  const failed = heads.filter(({ outcome }) => isFailed(outcome)).length;
  return {
    runs: [paths.rollout],
    validation,
    episodes: heads.length,
    failed,
    words: `${counted(heads.length, "episode")}, ${failed} failed`,
  };
}

/** Phase A (SPEC §7): rolls out the seed questions with Program Functions on; recorded runs are taken as they are. */
export async function rolloutPhase(epoch: Epoch): Promise<PhaseResult<"rollout">> {
  const { rollouts } = epoch.order;
  if (rollouts.kind === "live") return liveRollouts(epoch, rollouts);
  const heads = rollouts.runs.flatMap(({ index }) => index.entries.map(({ head }) => head));
  const failed = heads.filter(({ outcome }) => isFailed(outcome)).length;
  return {
    runs: rollouts.runs.map(({ run }) => run),
    episodes: heads.length,
    failed,
    words: `${counted(heads.length, "recorded episode")}, ${failed} failed; a third of the questions is for the author`,
  };
}
