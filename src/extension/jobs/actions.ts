import * as vscode from "vscode";
import type { Progress } from "../../app/progress.ts";
import { removeFolder, type NodeFiles } from "../../platform/files.ts";
import { shellLine } from "../../platform/shell-word.ts";
import { askYes } from "../ask-yes.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { plainLine } from "../experiments/words.ts";
import { inform, inNotification } from "../notification.ts";
import { requireOwn } from "../own-order.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import { requireTrust } from "../workspace/trust.ts";
import { backendsFor, environmentOf, type JobBundles, withBackend } from "./backends.ts";
import { showWork } from "./follower.ts";
import { type FoundJob, recordOf } from "./jobs.ts";
import { pickJob, type ReadJob, statusOf } from "./pick-job.ts";
import { isAllowed, requireAllowed } from "./targets.ts";
import { isUnderWay, placeWord } from "./words.ts";

const TRUST = "A job runs code of this workspace on another machine, which";

const isAlive = (found: FoundJob): boolean => isUnderWay(recordOf(found));

/** Asks for a yes to a job that this user has not made, and to a target that nobody has allowed here. */
async function allowed(files: NodeFiles, job: ReadJob, title: string): Promise<boolean> {
  requireTrust(TRUST);
  const { readJobText } = await import("../../jobs/job-folder.ts");
  const { jobOrder } = await import("../../jobs/job-facts.ts");
  const folder = job.folder.fsPath;
  const found = usable(await readJobText(files, folder));
  if (!(await requireOwn(title, jobOrder(folder, found, shellLine)))) return false;
  const { target } = job.report;
  return target === undefined || requireAllowed(target, `HASP: ${title}`);
}

/** Shows what this window does with a job while it does it. */
async function whileShown<T>(
  { editorServices: { jobs } }: JobBundles,
  folder: vscode.Uri,
  doing: string,
  work: () => Promise<T>,
): Promise<T> {
  const busy = jobs.running(folder)?.work.doing;
  if (busy !== undefined) throw new Unmet(`This window is ${busy} the job.`, "Wait for it, or cancel that.");
  showWork(jobs, folder, { doing });
  try {
    return await work();
  } finally {
    showWork(jobs, folder, { doing: undefined });
    jobs.forget(folder);
  }
}

/** Ends when `signal` aborts, while `work` may continue: what it has done is kept, and the next one continues. */
async function orCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  const cancelled = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new vscode.CancellationError()), { once: true });
  });
  signal.throwIfAborted();
  return Promise.race([work, cancelled]);
}

const asProgress = (words: string): Progress => ({ kind: "progress", done: 0, total: 1, words });

/** `HASP: Cancel Job`: it writes a checkpoint first. True once it has ended. */
export async function cancelJob(bundles: JobBundles, argument: unknown): Promise<boolean> {
  const { jobs } = bundles.editorServices;
  const command = COMMANDS.cancelJob;
  const none = "No job waits or runs.";
  const job = await pickJob(jobs, argument, { command, fits: (_, found) => isAlive(found), none });
  if (job === undefined || !(await allowed(bundles.editorServices.files, job, command.title))) return false;
  const { folder, report } = job;
  if (!isAlive(job.found)) throw new Unmet("The job does not run.", "There is nothing to cancel.");
  await whileShown(bundles, folder, "cancelling", async () =>
    inNotification(`Cancelling ${plainLine(report.spec.title)}: a training writes a checkpoint`, (signal) =>
      orCancelled(
        withBackend(backendsFor(bundles), folder, (backend) => backend.cancel(folder.fsPath)),
        signal,
      ),
    ),
  );
  return true;
}

/** `HASP: Fetch Outputs`: brings what a job wrote to its places here. Answers the folder of the job. */
export async function fetchJob(bundles: JobBundles, argument: unknown): Promise<vscode.Uri | undefined> {
  const { jobs, experiments } = bundles.editorServices;
  const command = COMMANDS.fetchJob;
  const job = await pickJob(jobs, argument, {
    command,
    fits: ({ target, record }) => target !== undefined && !["prepared", "submitted"].includes(record.status),
    none: "No job of this workspace has outputs at a target.",
  });
  if (job === undefined || !(await allowed(bundles.editorServices.files, job, command.title)))
    return undefined;
  const { folder, report } = job;
  const title = plainLine(report.spec.title);
  await whileShown(bundles, folder, "fetching", async () =>
    inNotification(`Fetching the outputs of ${title}`, (signal, on) => {
      const backends = backendsFor(bundles, { on: (words) => on(asProgress(words)) });
      return withBackend(backends, folder, (backend) => backend.fetch(folder.fsPath, signal));
    }),
  );
  for (const { folder: one } of await experiments.list()) experiments.forget(one);
  const now = await jobs.read(folder);
  const { adapters = [], runs = [], outputs = [] } = now.report.value ?? {};
  const [adapter, run] = [adapters[0], runs[0]];
  inform(
    `The outputs of ${title} are here.`,
    ...(adapter === undefined ? [] : [wayTo(COMMANDS.useAdapter, vscode.Uri.file(adapter))]),
    ...(run === undefined ? [] : [wayTo(COMMANDS.openRun, vscode.Uri.file(run))]),
    ...outputs.slice(0, 1).map((output) => ({
      ...wayTo(COMMANDS.revealExperiment, vscode.Uri.file(output)),
      label: "Reveal Folder",
    })),
  );
  return folder;
}

/** Sends a job under a notification. A cancelled one is resumed by Submit Job Again. */
export async function sendJob(bundles: JobBundles, job: Pick<ReadJob, "folder" | "report">, place: string) {
  const { folder, report } = job;
  const environment = await environmentOf(bundles, [report.spec]);
  await whileShown(bundles, folder, "submitting", async () =>
    inNotification(`Submitting ${plainLine(report.spec.title)} to ${place}`, (signal, on) => {
      const backends = backendsFor(bundles, { environment, on: (words) => on(asProgress(words)) });
      return withBackend(backends, folder, (backend) => backend.submit(folder.fsPath, signal));
    }),
  );
}

/** `HASP: Submit Job Again`: one that was not submitted, failed, was cancelled or cut off; it continues at its checkpoint. */
export async function submitAgain(bundles: JobBundles, argument: unknown): Promise<vscode.Uri | undefined> {
  const command = COMMANDS.submitJobAgain;
  const job = await pickJob(bundles.editorServices.jobs, argument, {
    command,
    fits: (report, found) => report.record.status !== "succeeded" && !isAlive(found),
    none: "No job of this workspace has to be submitted again.",
  });
  if (job === undefined || !(await allowed(bundles.editorServices.files, job, command.title)))
    return undefined;
  if (statusOf(job) === "succeeded") throw new Unmet("This job is done.", "Submit the work as a new job.");
  await sendJob(bundles, job, placeWord(job.report.target));
  return job.folder;
}

/** `HASP: Attach to Job`: asks for the yes to the target of a job that came with the workspace, and follows it. */
export async function attachJob(bundles: JobBundles, argument: unknown): Promise<boolean> {
  const { jobs } = bundles.editorServices;
  const command = COMMANDS.attachJob;
  const job = await pickJob(jobs, argument, {
    command,
    fits: ({ target, isOwn }, found) =>
      isAlive(found) && target !== undefined && !(isOwn && isAllowed(target)),
    none: "Every job that waits or runs is followed already.",
  });
  if (job === undefined || !(await allowed(bundles.editorServices.files, job, command.title))) return false;
  jobs.forget(job.folder);
  return true;
}

/** `HASP: Delete Job`: the folder here, to the trash where there is one. Outputs stay. */
export async function deleteJob(bundles: JobBundles, argument: unknown): Promise<boolean> {
  const { jobs } = bundles.editorServices;
  const command = COMMANDS.deleteJob;
  const job = await pickJob(jobs, argument, {
    command,
    fits: (_, found) => !isAlive(found),
    none: "No job of this workspace is over.",
  });
  if (job === undefined) return false;
  if (isAlive(job.found))
    throw new Unmet("The job waits or runs.", "Cancel it first.", wayTo(COMMANDS.cancelJob, job.folder));
  const { spec, isFetched, target } = job.report;
  const isAway = target !== undefined && (spec.outputs ?? []).length > 0 && !isFetched;
  const agreed = await askYes({
    title: `HASP: ${command.title}`,
    question: `Delete the job ${plainLine(spec.title)} with its log and metrics?`,
    yes: "Delete the job",
    detail: isAway
      ? "Its outputs were not fetched, and cannot be fetched afterwards"
      : "Outputs that are here stay where they are",
  });
  if (!agreed) return false;
  await removeFolder(job.folder.fsPath);
  jobs.forget(job.folder);
  return true;
}

/** `HASP: Copy Job Id`. */
export async function copyJobId(bundles: JobBundles, argument: unknown): Promise<string | undefined> {
  const command = COMMANDS.copyJobId;
  const none = "This workspace has no job.";
  const job = await pickJob(bundles.editorServices.jobs, argument, { command, fits: () => true, none });
  if (job === undefined) return undefined;
  await vscode.env.clipboard.writeText(job.report.spec.id);
  return job.report.spec.id;
}
