import { runQuestionsOf, type RunOrder, type RunSummary } from "../../app/run/questions.ts";
import { openRunAt } from "../../app/open-run.ts";
import { need, take } from "../../app/refusal.ts";
import { ModelError } from "../../llm/chat-model.ts";
import { counted } from "../../model/counted.ts";
import type { EpisodeHead } from "../../model/episode.ts";
import { hasFailed, wasRight } from "../../model/outcomes.ts";
import type { Asked } from "../../model/prompt-versions.ts";
import { addReplies, countReplies, NO_REPLIES, type ReplyCounts } from "../../model/replies.ts";
import { z } from "../../model/zod.ts";
import { readEpisodes } from "../../trace/episode-file.ts";
import { writeText, type PhaseResult } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";
import { epochPath } from "../evolution-paths.ts";
import { OUTAGE_REASONS } from "../models.ts";
import type { LiveRollouts } from "../order.ts";

const headsOf = async (epoch: Epoch, folder: string): Promise<readonly EpisodeHead[]> =>
  need(await openRunAt(epoch.services.files, folder)).index.entries.map(({ head }) => head);

/** Results of a validation run. */
interface ValidationRun extends Asked {
  /** The share of right episodes among those with a verdict; undefined without one. */
  readonly em: number | undefined;
  readonly replies: ReplyCounts;
}

export async function validationRun({ services }: Epoch, folder: string): Promise<ValidationRun> {
  const { run, index, title } = need(await openRunAt(services.files, folder));
  let [judged, right, replies] = [0, 0, NO_REPLIES];
  for await (const { value } of readEpisodes(services.files, index)) {
    if (value === undefined) continue;
    replies = addReplies(replies, countReplies(value.steps));
    if (wasRight(value.outcome) !== undefined) judged++;
    if (value.outcome === "correct") right++;
  }
  return { title, settings: run?.settings, em: judged === 0 ? undefined : right / judged, replies };
}

const failureSchema = z.object({ detail: z.string(), next: z.string().optional() });

/** Throws where questions are left. */
function refuseUnfinished({ left, finished, endedBy, failure }: RunSummary): void {
  if (left === 0) return;
  const { detail = "", next } = failureSchema.safeParse(failure?.extra?.["failure"]).data ?? {};
  if (endedBy === "budget")
    throw new ModelError(
      "budget",
      "The budget of the evolution is spent.",
      "Give it more with --max-dollars.",
    );
  const why = detail === "" ? (endedBy ?? "unknown") : detail;
  throw new ModelError(
    "connection",
    `The rollout ended after ${counted(finished, "episode")}, ${left} are left: ${why}`,
    next,
  );
}

/** Puts the episodes into the order of their questions: they end in any order, and examples and training data follow the file. */
async function inOrder({ services: { files } }: Epoch, folder: string): Promise<void> {
  const { index } = need(await openRunAt(files, folder));
  const { entries, path } = index;
  const sorted = entries.toSorted(
    ({ head: a }, { head: b }) =>
      (a.questionId < b.questionId ? -1 : Number(a.questionId > b.questionId)) ||
      (a.sample ?? 1) - (b.sample ?? 1),
  );
  if (sorted.every((one, i) => one === entries[i])) return;
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const { offset, bytes } of sorted) {
      yield await files.read(path, offset, bytes);
      yield NEW_LINE;
    }
  }
  await files.writeAtomic(path, lines());
}
const NEW_LINE = new TextEncoder().encode("\n");

/** Rolls questions out into a folder of the epoch, or the rest of them; calls of an earlier sitting are answered from the cache. */
export async function rollOut(
  epoch: Epoch,
  folder: string,
  change: Partial<RunOrder>,
  { run }: LiveRollouts,
): Promise<void> {
  const { found, order: evolution, forRollouts: services } = epoch;
  const { signal, on } = services;
  const order: RunOrder = {
    ...run,
    // Lite mode asks no teacher.
    ...(evolution.mode === "lite" && { teacher: undefined }),
    ...change,
    folder,
    maxDollars: undefined,
    resume: true,
    // Such an episode is no failure of the agent, and no author may learn from it.
    endsRun: (reason) => OUTAGE_REASONS.has(reason),
  };
  const { summary } = take(
    await runQuestionsOf(order, services, {
      signal,
      on: (event) => (event.kind === "progress" || event.kind === "trouble" ? on(event) : undefined),
    }),
    found,
  );
  signal.throwIfAborted();
  refuseUnfinished(summary);
  await inOrder(epoch, folder);
}

/** The questions that fail without skills, as a file for the rollout with skills (SPEC §7 A, two stages). Undefined where none does. */
async function prefilter(epoch: Epoch, live: LiveRollouts): Promise<Partial<RunOrder> | undefined> {
  const { prefilter: choice } = live;
  if (choice === undefined) return { split: "seed" };
  const { paths, services } = epoch;
  await rollOut(epoch, paths.prefilter, { split: "seed", choice, teacher: undefined }, live);
  const run = need(await openRunAt(services.files, paths.prefilter));
  // Of several samples of a question, one that failed is enough.
  const failed = new Map<string, string>();
  for await (const { value } of readEpisodes(services.files, run.index))
    if (value !== undefined && hasFailed(value.outcome)) {
      const { questionId: id, question, gold = [] } = value;
      failed.set(id, `${JSON.stringify({ id, question, gold })}\n`);
    }
  await writeText(services.files, paths.prefiltered, [...failed.values()].join(""));
  if (failed.size === 0) return undefined;
  const corpus = live.run.corpus ?? live.run.questions;
  return {
    questions: { name: paths.prefiltered, path: paths.prefiltered },
    corpus,
    dataset: undefined,
    split: undefined,
  };
}

async function liveRollouts(epoch: Epoch, live: LiveRollouts): Promise<PhaseResult<"rollout">> {
  const { paths, order, validationBefore } = epoch;
  const part = await prefilter(epoch, live);
  const folder = part === undefined ? paths.prefilter : paths.rollout;
  if (part !== undefined) await rollOut(epoch, folder, part, live);
  // The validation run of the epoch before was made with the library of this one.
  const validation = validationBefore ?? epochPath(order.folder, paths.validation);
  if (validationBefore === undefined) await rollOut(epoch, paths.validation, { split: "val" }, live);
  const heads = await headsOf(epoch, folder);
  const failed = heads.filter(({ outcome }) => hasFailed(outcome)).length;
  return {
    runs: [epochPath(order.folder, folder)],
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
  const failed = heads.filter(({ outcome }) => hasFailed(outcome)).length;
  return {
    runs: rollouts.runs.map(({ run }) => run),
    episodes: heads.length,
    failed,
    words: `${counted(heads.length, "recorded episode")}, ${failed} failed; a third of the questions is for the author`,
  };
}
