import { pathFrom } from "../jobs/job-folder.ts";
import type { JobRecord, JobSpec } from "../model/job.ts";
import { generatedVersions } from "../evolve/generated-versions.ts";
import type { ExperimentFiles, ExperimentServices } from "./order.ts";
import type { PlannedJob } from "./planned.ts";

const encoder = new TextEncoder();

/** The skill folders of these that hold no skill yet: `hasp` refuses to read one. */
async function emptyOf(files: ExperimentFiles, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const empty = new Set<string>();
  for (const folder of folders) {
    const versions = await generatedVersions(files, folder);
    if (!versions.some(({ acts }) => acts)) empty.add(folder);
  }
  return empty;
}

/** `--generated` names where skills will go; after `--skills` the folder has to hold one. */
const withoutFolders = (args: readonly string[], folders: ReadonlySet<string>): string[] =>
  args.filter((arg, i) => !folders.has(arg) || args[i - 1] === "--generated");

async function specOf(files: ExperimentFiles, { spec, optionalSkills }: PlannedJob): Promise<JobSpec> {
  const empty = await emptyOf(files, optionalSkills);
  return {
    ...spec,
    commands: spec.commands.map((one) => ({ ...one, args: withoutFolders(one.args, empty) })),
  };
}

async function write(files: ExperimentFiles, path: string, text: string): Promise<void> {
  await files.makeFolder(path.slice(0, path.lastIndexOf("/")));
  await files.writeAtomic(path, encoder.encode(text));
}

/**
 * Writes a job's folder, `job.json` last; a job that is under way or has succeeded stays as it is. Answers how far the job is. Rejects on I/O
 * errors.
 */
export async function prepareJob(
  { files, backend, cwd, own }: Pick<ExperimentServices, "files" | "backend" | "cwd" | "own">,
  job: PlannedJob,
): Promise<JobRecord> {
  const path = `${job.folder}/job.json`;
  const status = (): Promise<JobRecord> => backend.status(pathFrom(cwd, job.folder));
  if ((await files.stat(path)) !== undefined) {
    const record = await status();
    if (["running", "submitted", "succeeded"].includes(record.status)) return record;
  }
  const { file } = job;
  if (file !== undefined) await write(files, file.path, file.text);
  const text = `${JSON.stringify(await specOf(files, job), null, 2)}\n`;
  own.keep(pathFrom(cwd, path), text);
  await write(files, path, text);
  return status();
}
