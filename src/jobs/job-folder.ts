import { environmentSecrets } from "../llm/env-secrets.ts";
import { failed } from "../app/refusal.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { consentIn, consentInLine } from "../model/consent-commands.ts";
import { jobSpecSchema, type JobSpec } from "../model/job.ts";
import type { OwnRecords } from "../model/own-records.ts";
import { readJson } from "../model/read-json.ts";
import type { TraceFiles } from "../trace/ports.ts";

/** Files as this room needs them; `src/platform/files.ts` implements it. */
export type JobFiles = Pick<TraceFiles, "stat" | "read" | "append">;

/** The files of a job folder. */
export interface JobPaths {
  /** The order of the job: `hasp.job/1`. */
  readonly job: string;
  /** How far it is: one line for each change, of all attempts (state-file.ts). */
  readonly state: string;
  /** Output of the commands and of the served model, of all attempts. */
  readonly log: string;
  /** Held by the runner while it lives. */
  readonly lock: string;
}

export function jobPaths(folder: string): JobPaths {
  const at = (name: string): string => `${folder}/${name}`;
  return { job: at("job.json"), state: at("state.jsonl"), log: at("log.txt"), lock: at("runner.lock") };
}

/** `job.json` as a file; a job with a thousand commands is far smaller. */
const MAX_BYTES = 10_000_000;
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/** A path of a job, relative to `folder` unless absolute. */
export const pathFrom = (folder: string, path: string): string =>
  ABSOLUTE.test(path) ? path : `${folder}/${path}`;

/** The folder in which the commands run. */
export const cwdOf = (folder: string, { cwd }: JobSpec): string => pathFrom(folder, cwd);

/** The metrics of the job's trainings in their order, as its commands write them; none where it trains nothing. */
export const metricsPaths = (folder: string, spec: JobSpec): readonly string[] =>
  (spec.metrics ?? []).map((path) => pathFrom(cwdOf(folder, spec), path));

/** The folder with the state, the log and the lock of a task that runs by itself. */
export const taskFolder = (folder: string, task: number): string => `${folder}/tasks/${task}`;

async function textOf(files: JobFiles, path: string): Promise<Checked<string>> {
  const stat = await files.stat(path);
  if (stat === undefined)
    return failed("HASP720", `There is no job at ${path}.`, "Name a folder that holds a job.json.");
  if (!stat.isFile || stat.size > MAX_BYTES) {
    const why = stat.isFile ? `it is larger than ${MAX_BYTES / 1e6} MB` : "it is not a file";
    return failed("HASP721", `${path} cannot be read: ${why}.`, "Submit the work again as a new job.", path);
  }
  return { value: new TextDecoder().decode(await files.read(path, 0, stat.size)), diagnostics: [] };
}

function wrongFields(
  issues: readonly { path: PropertyKey[]; message: string }[],
  file: string,
): Diagnostic[] {
  return issues.map(({ path, message }) => ({
    code: "HASP722",
    severity: "error",
    message: `${path.map(String).join(".") || "The job"}: ${message}.`.replace(/\.\.$/, "."),
    next: "docs/formats.md lists the fields of a job. Submit the work again as a new job.",
    file,
    range: START_OF_FILE,
  }));
}

/** Names under which `env` holds what looks like a key. */
const keysIn = ({ env }: JobSpec): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) =>
    environmentSecrets({ [name]: value }).length > 0 ? [name] : [],
  );

/** A problem of a job that its schema cannot tell. */
function unfit(spec: JobSpec, job: string): Checked<never> | undefined {
  const [key] = keysIn(spec);
  if (key !== undefined) {
    const next = `Delete it from env, name it in passEnv, and set it in the environment of \`hasp\`.`;
    return failed("HASP723", `env holds what looks like a key: ${key}.`, next, job);
  }
  const consent = spec.commands
    .map(({ program, args }) => (program === "hasp" ? consentIn(args) : consentInLine(args.join(" "))))
    .find((one) => one !== undefined);
  if (consent === undefined) return undefined;
  const next = "Only a person gives it: delete the command from the job.";
  return failed("HASP833", `A command of the job gives a consent: hasp ${consent}.`, next, job);
}

/** A job with the text of its `job.json`. */
export interface JobText {
  readonly spec: JobSpec;
  readonly text: string;
}

/** Reads `job.json`. Rejects on I/O errors. */
export async function readJob(files: JobFiles, folder: string): Promise<Checked<JobSpec>> {
  const { value, diagnostics } = await readJobText(files, folder);
  return { value: value?.spec, diagnostics };
}

/** A job that this user has made or allowed; HASP830 for any other. Rejects on I/O errors. */
export async function readOwnJob(
  files: JobFiles,
  own: OwnRecords,
  folder: string,
): Promise<Checked<JobText>> {
  const read = await readJobText(files, folder);
  const { job } = jobPaths(folder);
  if (read.value === undefined || own.has(job, read.value.text)) return read;
  return failed(
    "HASP830",
    `The job ${read.value.spec.id} was not made by you on this machine, and you have not allowed it.`,
    `Read what it runs, then allow it: \`hasp job submit\`, or HASP: Submit Job Again in VS Code.`,
    job,
  );
}

/** As `readJob`, with the text. */
export async function readJobText(files: JobFiles, folder: string): Promise<Checked<JobText>> {
  const { job } = jobPaths(folder);
  const text = await textOf(files, job);
  if (text.value === undefined) return { value: undefined, diagnostics: text.diagnostics };
  const read = readJson(text.value);
  if (read.problem !== undefined) {
    const next = "Submit the work again as a new job.";
    return failed("HASP721", `${job} cannot be read: ${read.problem.why}.`, next, job);
  }
  const parsed = jobSpecSchema.safeParse(read.value);
  if (!parsed.success) return { value: undefined, diagnostics: wrongFields(parsed.error.issues, job) };
  return unfit(parsed.data, job) ?? { value: { spec: parsed.data, text: text.value }, diagnostics: [] };
}
