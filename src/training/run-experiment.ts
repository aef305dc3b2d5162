import { checked, refuse } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import { pathFrom } from "../jobs/job-folder.ts";
import { hasEnded, type JobRecord } from "../model/job.ts";
import { checkExperiment, type SplitSizes } from "./check-order.ts";
import { readEvaluations, scoresIn } from "./evaluations.ts";
import type { ExperimentEnd, ExperimentOrder, ExperimentServices, StageEvent } from "./order.ts";
import { lastAdapter } from "./report.ts";
import { planExperiment } from "./plan.ts";
import type { Plan, PlannedJob } from "./planned.ts";
import { prepareJob } from "./prepare-job.ts";
import { resultWords } from "./results.ts";
import { keepExperiment, openExperiment } from "./state.ts";

/** One sitting of an experiment. */
interface Sitting {
  readonly services: ExperimentServices;
  readonly plan: Plan;
  readonly sizes: SplitSizes;
  /** Folders of the jobs that are done. */
  readonly done: Set<string>;
}

type JobEnd = "done" | "stopped" | "detached";

function tell(
  { services, plan }: Sitting,
  job: PlannedJob,
  status: StageEvent["status"],
  words?: string,
): void {
  const { stage, iteration, title } = job;
  const [index, total] = [plan.jobs.indexOf(job), plan.jobs.length];
  services.on({
    kind: "stage",
    index,
    total,
    stage,
    iteration,
    title,
    status,
    ...(words !== undefined && { words }),
  });
}

/** The trainer and `hasp` end with the problem and the remedy, each in a line of its own. */
const PROBLEM = /^(?:error|hasp): (.*)$/;
const NEXT = /^(?:next: | {4}→ )(.*)$/;

/** The last problem in a log and its remedy, as far as they are there. */
function problemIn(lines: readonly string[]): { readonly problem?: string; readonly next?: string } {
  const at = lines.findLastIndex((line) => PROBLEM.test(line));
  if (at < 0) return {};
  const next = lines.slice(at + 1).find((line) => NEXT.test(line));
  return { problem: group(PROBLEM, lines[at]), ...(next !== undefined && { next: group(NEXT, next) }) };
}

const group = (form: RegExp, line = ""): string => form.exec(line)?.[1] ?? "";

function refuseFailed({ title, folder }: PlannedJob, record: JobRecord): never {
  const { status, reason = `Its status is ${status}.`, lastLines = [] } = record;
  const { problem = lastLines.slice(-3).join(" | "), next = `Read ${folder}/log.txt.` } =
    problemIn(lastLines);
  return refuse(
    "HASP691",
    `${title}: ${reason}${problem === "" ? "" : ` ${problem}`}`,
    `${next} Then repeat the command: what is done is kept.`,
    folder,
  );
}

/** A training is asked for its next checkpoint; other jobs come to their end, unless all is to stop now. */
function stopsWith(job: PlannedJob, services: ExperimentServices): () => void {
  const { backend, on, cwd } = services;
  const stop = job.stage === "train" ? services.stop : services.stopNow;
  if (stop === undefined) return () => undefined;
  const cancel = (): void => {
    backend.cancel(pathFrom(cwd, job.folder)).catch((error: unknown) => {
      on({ kind: "trouble", message: error instanceof Error ? error.message : String(error) });
    });
  };
  if (stop.aborted) cancel();
  else stop.addEventListener("abort", cancel, { once: true });
  return () => stop.removeEventListener("abort", cancel);
}

/** Follows a job to its end; undefined where the sitting detached from it. */
async function followed({ services, plan }: Sitting, job: PlannedJob): Promise<JobRecord | undefined> {
  const { backend, signal, on, cwd } = services;
  const folder = pathFrom(cwd, job.folder);
  const index = plan.jobs.indexOf(job);
  const leave = stopsWith(job, services);
  try {
    for await (const event of backend.follow(folder, signal)) on({ kind: "job", index, event });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    leave();
  }
  const record = await backend.status(folder);
  return signal.aborted && !hasEnded(record.status) ? undefined : record;
}

async function runOne(sitting: Sitting, job: PlannedJob): Promise<JobEnd> {
  const { services, sizes } = sitting;
  const { files, backend, signal, stop, cwd } = services;
  const before = await prepareJob(services, job);
  if (before.status === "succeeded") {
    tell(sitting, job, "done before", await resultWords(files, job, sizes));
    return "done";
  }
  const isUnderWay = before.status === "running" || before.status === "submitted";
  if (signal.aborted) return "detached";
  if (stop.aborted && !isUnderWay) return "stopped";
  tell(sitting, job, "begun");
  if (!isUnderWay) await backend.submit(pathFrom(cwd, job.folder));
  const record = await followed(sitting, job);
  if (record === undefined) return "detached";
  if (record.status === "stopped") return "stopped";
  if (record.status !== "succeeded") refuseFailed(job, record);
  tell(sitting, job, "done", await resultWords(files, job, sizes));
  return "done";
}

async function runAll(sitting: Sitting): Promise<ExperimentEnd["endedBy"]> {
  for (const job of sitting.plan.jobs) {
    const end = await runOne(sitting, job);
    if (end !== "done") return end;
    sitting.done.add(job.folder);
  }
  return undefined;
}

/**
 * Runs an experiment job by job, or what is left of it: what its folder shows as done is not done again. It may be killed at any moment; the
 * same order has the same end then. No value where the order cannot be carried out (HASP680, HASP686 to HASP690), a job fails (HASP691), or
 * its result cannot be used (HASP692, HASP693). Rejects on I/O errors.
 */
export async function runExperiment(
  order: ExperimentOrder,
  services: ExperimentServices,
): Promise<Checked<ExperimentEnd>> {
  return checked(async () => {
    const { files, cwd } = services;
    const sizes = await checkExperiment(files, order);
    const { file, isNew } = await openExperiment(order, services);
    if (isNew) await keepExperiment(services, order.folder, file);
    const plan = planExperiment(order, { id: file.id, cwd });
    const done = new Set<string>();
    const endedBy = await runAll({ services, plan, sizes, done });
    const evaluations = await readEvaluations(scoresIn(files), plan, (job) => done.has(job));
    return { folder: order.folder, endedBy, adapter: await lastAdapter(files, plan), evaluations };
  });
}
