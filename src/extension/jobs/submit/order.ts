import { join } from "node:path";
import * as vscode from "vscode";
import { removeFolder } from "../../../platform/files.ts";
import { bundleOf } from "../../../jobs/remote/bundle.ts";
import { appendRecord } from "../../../jobs/remote/record.ts";
import type { Checked } from "../../../model/diagnostic.ts";
import type { JobSpec } from "../../../model/job.ts";
import { filesBelow } from "../../../platform/files-below.ts";
import { ownRecords } from "../../../platform/own-records.ts";
import { jobsFor } from "../../../training/command-job.ts";
import { checked } from "../../../app/refusal.ts";
import type { JobBundles } from "../backends.ts";
import { JOBS_PLACE } from "../jobs.ts";
import { readReport } from "../job-report.ts";
import type { ReadJob } from "../pick-job.ts";
import type { SubmitPlan } from "./plan.ts";

/** A file that is sent. */
export interface SentFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}

/** The jobs of a plan, before anything of them is submitted. */
export interface PreparedJobs {
  readonly specs: readonly JobSpec[];
  readonly sent: readonly SentFile[];
}

/** `e1-20261126-221405-k3x`: a name that nothing else has, and that people can read. `now`: ISO 8601. */
export function freeId(stem: string, now: string): string {
  const plain = stem.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const name = plain.replaceAll(/^-+|-+$/g, "").slice(0, 50) || "job";
  const [day = "", time = ""] = now.split(/[T.]/);
  const chance = Math.random().toString(36).slice(2, 5);
  return [name, day.replaceAll("-", ""), time.replaceAll(":", ""), chance].join("-");
}

const placeOf = (id: string): string => `${JOBS_PLACE}/${id}`;
const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The folder of a job. */
const folderOf = (root: vscode.Uri, id: string): vscode.Uri => vscode.Uri.joinPath(root, placeOf(id));

/** The jobs of a plan under an id, and the files that they send. Writes nothing but the configuration of the command. */
export async function prepareJobs(
  { editorServices: { files } }: Pick<JobBundles, "editorServices">,
  { root, title, args, resources, shards, serve, config }: SubmitPlan,
  id: string,
): Promise<Checked<PreparedJobs>> {
  const below = filesBelow(root.fsPath, files);
  const file = `${placeOf(id)}/config.json`;
  if (config !== undefined) {
    await below.makeFolder(placeOf(id));
    await below.writeAtomic(file, encoded(textOf(config.value)));
  }
  const words = args.map((arg) => (arg === config?.argument ? file : arg));
  const made = await jobsFor({ id, title, args: words, resources, shards, serve }, below);
  const { value: specs, diagnostics } = made;
  if (specs === undefined) return { value: undefined, diagnostics };
  return checked(async (found) => {
    found.push(...diagnostics);
    const sent = new Map<string, number>();
    for (const spec of specs) {
      const bundle = await bundleOf(files, folderOf(root, spec.id).fsPath, spec);
      // Configurations are sent with the names that files have there.
      for (const { at, text } of bundle.written) sent.set(at, new TextEncoder().encode(text).length);
      for (const { from } of bundle.files) sent.set(from, (await files.stat(from))?.size ?? 0);
    }
    return { specs, sent: [...sent].map(([path, bytes]) => ({ path, bytes })) };
  });
}

/** Writes the folders of jobs, each with its target: from here on a submission that is interrupted can be resumed. */
export async function writeJobs(
  { editorServices: { files, clock } }: Pick<JobBundles, "editorServices">,
  { root, target }: Pick<SubmitPlan, "root" | "target">,
  specs: readonly JobSpec[],
): Promise<readonly Pick<ReadJob, "folder" | "report">[]> {
  const made: Pick<ReadJob, "folder" | "report">[] = [];
  for (const spec of specs) {
    const folder = folderOf(root, spec.id);
    await files.makeFolder(folder.fsPath);
    const file = join(folder.fsPath, "job.json");
    const text = textOf(spec);
    ownRecords().keep(file, text);
    await files.writeAtomic(file, encoded(text));
    if (target !== undefined) {
      const { name, target: named } = target;
      const line = { kind: "target", at: clock.now(), name, target: named, root: "" } as const;
      await appendRecord(files, folder.fsPath, line);
    }
    const { value } = await readReport(files, folder.fsPath);
    if (value !== undefined) made.push({ folder, report: value });
  }
  return made;
}

/** Removes what was written for jobs that the person did not submit. */
export async function forgetJobs(root: vscode.Uri, id: string): Promise<void> {
  await removeFolder(folderOf(root, id).fsPath);
}
