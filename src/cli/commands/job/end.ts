import path from "node:path";
import type { JobSpec } from "../../../model/job.ts";
import type { NodeFiles } from "../../../platform/files.ts";
import { absolute as absolutePath } from "../../../platform/surroundings.ts";
import { defineCommand } from "../../define-command.ts";
import { openOwnJob, withWords, writeJob, type OpenJob } from "../../job-folders.ts";
import { YES_TO } from "../../own-order.ts";
import { recordLine } from "../../job-words.ts";
import { flag, text } from "../../options.ts";
import { CliError, EXIT } from "../../terminal.ts";

const YES = { yes: flag("--yes", "do not ask whether the target may be used"), yesTo: YES_TO };
const JOB = [["<job>", "its id, or its folder anywhere"]] as const;

export const cancelCommand = defineCommand({
  name: "cancel",
  about: "End a job at a clean boundary: a training writes a checkpoint. Submitting it again resumes it.",
  takes: JOB,
  options: YES,
  examples: ["hasp job cancel run-1126-220930-3fa9"],
  async run(call, given: string) {
    const { terminal } = call;
    const { folder, spec, backend } = await openOwnJob(call, given, call.options);
    terminal.line(`Asking ${spec.id} to end.`);
    await withWords(async () => backend.cancel(folder));
    const record = await withWords(async () => backend.status(folder));
    terminal.line(recordLine(record));
    terminal.result({ id: spec.id, record });
    return EXIT.fine;
  },
});

/** Copies of the files by which a job is found on its target. */
const FOUND_BY = ["target.jsonl", "status.json"];
const WORKSPACE = "../../..";

/**
 * The job in the workspace `to`: what it made comes there. Throws CliError where its outputs have absolute places.
 */
async function jobIn(files: NodeFiles, { folder, spec }: OpenJob, to: string): Promise<string> {
  const absolute = (spec.outputs ?? []).find((output) => path.isAbsolute(output));
  if (absolute !== undefined)
    throw new CliError(`${absolute} has its place, and cannot come to ${to}.`, "Leave out --to.");
  const there = absolutePath(path.join(to, ".hasp/jobs", spec.id));
  const moved: JobSpec = { ...spec, cwd: WORKSPACE };
  await files.makeFolder(there);
  for (const name of FOUND_BY) {
    const size = (await files.stat(path.join(folder, name)))?.size;
    const isThere = await files.exists(path.join(there, name));
    if (size !== undefined && !isThere)
      await files.writeAtomic(path.join(there, name), await files.read(path.join(folder, name), 0, size));
  }
  await writeJob(files, there, moved);
  return there;
}

export const fetchCommand = defineCommand({
  name: "fetch",
  about: "Bring what a job made to its places here; what is here already is not sent again.",
  takes: JOB,
  options: {
    to: text("--to <folder>", "a workspace in place of that of the job, as on another machine"),
    ...YES,
  },
  examples: ["hasp job fetch run-1126-220930-3fa9", "hasp job fetch copied/run-1126-220930-3fa9 --to ."],
  async run(call, given: string) {
    const { terminal, files, options } = call;
    const job = await openOwnJob(call, given, options);
    const { spec, record, backend } = job;
    if (record === undefined) {
      terminal.line(`${spec.id} is a job of this machine: what it makes is in its place already.`);
      terminal.result({ id: spec.id, outputs: spec.outputs ?? [] });
      return EXIT.fine;
    }
    const folder = options.to === undefined ? job.folder : await jobIn(files, job, options.to);
    await withWords(async () => backend.fetch(folder));
    for (const output of spec.outputs ?? []) terminal.line(`here: ${path.join(options.to ?? "", output)}`);
    terminal.result({ id: spec.id, folder, outputs: spec.outputs ?? [] });
    return EXIT.fine;
  },
});
