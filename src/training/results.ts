import { percentOf } from "../model/percent.ts";
import { openRunAt } from "../app/open-run.ts";
import { refuse } from "../app/refusal.ts";
import { readEvolution } from "../evolve/report.ts";
import { counted } from "../model/counted.ts";
import { decisionsInWords } from "../model/evolution.ts";
import { parseJson } from "../model/read-json.ts";
import { z } from "../model/zod.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import type { SplitSizes } from "./check-order.ts";
import type { ExperimentFiles } from "./order.ts";
import { trainPaths } from "./paths.ts";
import { NOTHING_TO_LEARN, type PlannedJob, type PlannedResult, type PlannedRun } from "./planned.ts";

const MAX_BYTES = 50_000_000;

/** `result.json` of the trainer, which it writes last. */
const trainedSchema = z.object({
  schema: z.literal("hasp.training/1"),
  steps: z.number(),
  tokens: z.number(),
  loss: z.number().nullable(),
  seconds: z.number(),
});

/** An end that says more of the services around the agent than of the agent. */
const isOutage = (reason: string): boolean => /^(?:model_|environment_error$|budget$)/.test(reason);
/** Above this share of episodes that an outage ended, a run says little of the student. */
const MOST_OUTAGES = 0.1;

function incomplete({ title, folder }: PlannedJob, why: string): never {
  return refuse(
    "HASP692",
    `${title}: the job has ended, and its result is not complete: ${why}`,
    `Read ${folder}/log.txt. To do the job anew, delete ${folder} and what it wrote; then repeat the command.`,
    folder,
  );
}

async function jsonOf(files: ExperimentFiles, path: string): Promise<unknown> {
  const found = await files.readText(path, MAX_BYTES);
  return found.kind === "text" ? parseJson(found.text) : undefined;
}

interface RunCounts {
  readonly episodes: number;
  readonly right: number;
  /** Ends by outages, by their reasons. */
  readonly outages: ReadonlyMap<string, number>;
}

async function countRun(files: ExperimentFiles, run: string): Promise<RunCounts | undefined> {
  const opened = (await openRunAt(files, run)).value;
  if (opened === undefined) return undefined;
  const outages = new Map<string, number>();
  let [episodes, right] = [0, 0];
  for await (const { value } of readEpisodes(files, opened.index)) {
    if (value === undefined) continue;
    episodes++;
    if (value.outcome === "correct") right++;
    if (isOutage(value.stopReason)) outages.set(value.stopReason, (outages.get(value.stopReason) ?? 0) + 1);
  }
  return { episodes, right, outages };
}

async function runWords(
  files: ExperimentFiles,
  job: PlannedJob,
  { run, split, samples, limit }: PlannedRun,
  sizes: SplitSizes,
): Promise<string> {
  const counts = await countRun(files, run);
  if (counts === undefined) return incomplete(job, `there is no run at ${run}.`);
  const { episodes, right, outages } = counts;
  const expected = Math.min(sizes.get(split) ?? 0, limit ?? Infinity) * samples;
  if (episodes < expected) incomplete(job, `${run} has ${episodes} of ${counted(expected, "episode")}.`);
  const ended = [...outages.values()].reduce((sum, n) => sum + n, 0);
  const reasons = [...outages].map(([reason, n]) => `${n} by ${reason}`).join(", ");
  if (ended > MOST_OUTAGES * episodes)
    refuse(
      "HASP693",
      `${job.title}: services around the agent ended ${ended} of ${counted(episodes, "episode")} of ${run} (${reasons}), so the run says little of the student.`,
      `Read ${job.folder}/log.txt. Delete ${run} and ${job.folder}, see that model, teacher and search answer, and repeat the command.`,
      run,
    );
  return `${counted(episodes, "episode")}, ${percentOf(right / Math.max(1, episodes))} right${ended > 0 ? `; ended ${reasons}` : ""}`;
}

async function evolutionWords(
  files: ExperimentFiles,
  job: PlannedJob,
  { folder, epochs }: Extract<PlannedResult, { kind: "evolution" }>,
): Promise<string> {
  const read = (await readEvolution(files, folder)).value;
  const done = read?.epochs.filter(({ phases }) => phases.every(({ words }) => words !== undefined)) ?? [];
  if (done.length < epochs) incomplete(job, `${folder} has ${done.length} of ${counted(epochs, "epoch")}.`);
  const candidates = done.flatMap((epoch) => epoch.candidates);
  return decisionsInWords(candidates);
}

async function dataWords(
  files: ExperimentFiles,
  job: PlannedJob,
  { folder, file, mayBeEmpty }: Extract<PlannedResult, { kind: "data" }>,
): Promise<string> {
  const card = await jsonOf(files, `${folder}/${file.replace(/\.jsonl$/, ".card.json")}`);
  const rows = z.looseObject({ rows: z.number() }).safeParse(card).data?.rows;
  if (rows === undefined || (await files.stat(`${folder}/${file}`)) === undefined)
    incomplete(job, `${folder} has no ${file} with its card.`);
  if (rows > 0) return counted(rows, "row");
  return mayBeEmpty ? `no row: ${NOTHING_TO_LEARN}` : incomplete(job, `${folder}/${file} has no row.`);
}

async function trainWords(
  files: ExperimentFiles,
  job: PlannedJob,
  { output }: Extract<PlannedResult, { kind: "train" }>,
): Promise<string> {
  const { result, adapter } = trainPaths(output);
  const read = trainedSchema.safeParse(await jsonOf(files, result)).data;
  if (read === undefined) return incomplete(job, `there is no ${result}.`);
  if ((await files.list(adapter)).length === 0) incomplete(job, `${adapter} holds nothing.`);
  if (read.steps === 0) return `${NOTHING_TO_LEARN}: the student stays as it was`;
  const loss = read.loss === null ? "" : `, loss ${read.loss.toFixed(3)}`;
  return `${counted(read.steps, "step")}, ${counted(Math.round(read.tokens), "token")}${loss}`;
}

/** The result of a job in a sentence. Refuses one that is not complete (HASP692), or says little because services failed (HASP693). */
export async function resultWords(
  files: ExperimentFiles,
  job: PlannedJob,
  sizes: SplitSizes,
): Promise<string> {
  const { result } = job;
  switch (result.kind) {
    case "evolution":
      return evolutionWords(files, job, result);
    case "data":
      return dataWords(files, job, result);
    case "train":
      return trainWords(files, job, result);
    case "runs": {
      const words: string[] = [];
      for (const run of result.runs) words.push(await runWords(files, job, run, sizes));
      return words.join(" | ");
    }
  }
}
