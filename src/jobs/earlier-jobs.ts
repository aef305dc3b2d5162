import type { JobSpec } from "../model/job.ts";
import { readJob, taskFolder, type JobFiles } from "./job-folder.ts";
import type { JobClock } from "./ports.ts";
import { readState } from "./state-file.ts";

/** Milliseconds between two looks at a job that has to end first. */
const POLL_MS = 1_000;

/** Waits for the jobs before this one, whose folders are beside its own; a reason where one has not succeeded. */
export async function waitForEarlier(
  { files, clock }: { readonly files: JobFiles; readonly clock: JobClock },
  folder: string,
  { after = [] }: JobSpec,
  stopping: AbortSignal,
): Promise<string | undefined> {
  for (const id of after) {
    const other = `${folder.slice(0, folder.lastIndexOf("/"))}/${id}`;
    for (;;) {
      const how = await endOf(files, other);
      if (how === "succeeded" || stopping.aborted) break;
      if (how !== undefined) return `The job ${id}, which comes before it, ${how}.`;
      await clock.sleep(POLL_MS, stopping);
    }
  }
  return undefined;
}

/** How a job ended, with all of its tasks; undefined while that is open. */
async function endOf(files: JobFiles, folder: string): Promise<string | undefined> {
  const job = await readJob(files, folder);
  if (job.value === undefined) return "is not there";
  const own = (await readState(files, folder)).value.attempts.at(-1)?.end?.status;
  if (own === "succeeded" || job.value.tasks === undefined) return finalOf(own);
  const ends = await Promise.all(
    Array.from({ length: job.value.tasks }, async (_, i) => {
      const { value } = await readState(files, taskFolder(folder, i + 1));
      return finalOf(value.attempts.at(-1)?.end?.status);
    }),
  );
  const bad = ends.find((end) => end !== undefined && end !== "succeeded");
  return bad ?? (ends.every((end) => end === "succeeded") ? "succeeded" : undefined);
}

const finalOf = (status: string | undefined): string | undefined =>
  status === "interrupted" ? undefined : status === "stopped" ? "was stopped" : status;
