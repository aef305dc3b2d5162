import path from "node:path";
import { checked } from "../app/refusal.ts";
import { jobOrder } from "../jobs/job-facts.ts";
import { jobPaths, readJob, readJobText } from "../jobs/job-folder.ts";
import { knownStatus } from "../jobs/remote/known-status.ts";
import { readRecord, type TargetRecord } from "../jobs/remote/record.ts";
import type { JobBackend, JobRecord, JobSpec } from "../model/job.ts";
import type { NodeFiles } from "../platform/files.ts";
import { ownRecords } from "../platform/own-records.ts";
import { shellLine } from "../platform/shell-word.ts";
import { absolute } from "../platform/surroundings.ts";
import { closest } from "../skill/suggest.ts";
import { need } from "./checked.ts";
import type { Call } from "./define-command.ts";
import type { Options } from "./options.ts";
import { needOwn } from "./own-order.ts";
import { cliBackends, needAllowed } from "./targets.ts";
import { CliError } from "./terminal.ts";

/** Jobs of a workspace, a folder each. */
const JOBS = ".hasp/jobs";

export const folderOf = (id: string): string => absolute(path.join(JOBS, id));

export const jobIds = async (files: NodeFiles): Promise<readonly string[]> => {
  const names = await files.list(JOBS);
  const there = await Promise.all(names.map(async (name) => files.exists(`${JOBS}/${name}/job.json`)));
  return names.filter((_, i) => there[i]);
};

/** The folder of a job that is named by its id or by its folder; undefined where there is none. */
export async function findJob(files: NodeFiles, given: string): Promise<string | undefined> {
  for (const folder of [folderOf(given), absolute(given)])
    if (await files.exists(path.join(folder, "job.json"))) return folder;
  return undefined;
}

/** Writes the `job.json` of a job that this user makes. */
export async function writeJob(files: NodeFiles, folder: string, spec: JobSpec): Promise<void> {
  const { job } = jobPaths(folder);
  const text = `${JSON.stringify(spec, null, 2)}\n`;
  ownRecords().keep(job, text);
  await files.writeAtomic(job, new TextEncoder().encode(text));
}

/** As `findJob`. Throws CliError. */
export async function jobAt(files: NodeFiles, given: string): Promise<string> {
  const folder = await findJob(files, given);
  if (folder !== undefined) return folder;
  const near = closest(given, await jobIds(files));
  throw new CliError(
    `There is no job ${given}.`,
    near === undefined
      ? "`hasp job list` has their ids; a job's folder is a name, too."
      : `Did you mean "${near}"?`,
  );
}

/** A job with what its folder knows. */
export interface OpenJob {
  readonly folder: string;
  readonly spec: JobSpec;
  /** Undefined: on this machine, or not sent. */
  readonly record: TargetRecord | undefined;
  readonly backend: JobBackend;
}

type JobCall = Pick<Call<Options>, "files" | "terminal">;

/** A job with its backend; a target that nobody has allowed yet is asked about. */
export async function openJob(
  { files, terminal }: JobCall,
  given: string,
  { yes, python }: { readonly yes?: boolean | undefined; readonly python?: string | undefined } = {},
): Promise<OpenJob> {
  const folder = await jobAt(files, given);
  const spec = need(await readJob(files, folder));
  const record = await readRecord(files, folder);
  if (record !== undefined) await needAllowed(terminal, record, yes);
  const backends = cliBackends(terminal, python);
  const backend = record === undefined ? backends.local : backends.on(record);
  return { folder, spec, record, backend };
}

interface Consent {
  readonly yes?: boolean | undefined;
  readonly yesTo?: string | undefined;
  readonly python?: string | undefined;
}

/** As `openJob`, to do something with the job: one that this user has not made is asked about. */
export async function openOwnJob(call: JobCall, given: string, options: Consent): Promise<OpenJob> {
  const { files, terminal } = call;
  const folder = await jobAt(files, given);
  const found = need(await readJobText(files, folder));
  await needOwn(terminal, jobOrder(folder, found, shellLine), options);
  return openJob(call, folder, options);
}

/** How far a job is, by its folder alone. */
export async function knownRecord(
  files: NodeFiles,
  folder: string,
  record: TargetRecord | undefined,
  local: JobBackend,
): Promise<JobRecord> {
  if (record === undefined) return local.status(folder);
  return record.number === 0 ? { status: "prepared" } : knownStatus(files, folder);
}

/** Does something with a backend; a refusal within it ends the command with its words. */
export async function withWords<T>(work: () => Promise<T>): Promise<T> {
  const { value, diagnostics } = await checked(async () => ({ done: await work() }));
  return need({ value, diagnostics }).done;
}
