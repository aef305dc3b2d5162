import type * as vscode from "vscode";
import { choose } from "../choose.ts";
import { type CommandContribution, COMMANDS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { plainLine } from "../experiments/words.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import type { JobReport } from "./job-report.ts";
import { type FoundJob, type Jobs, recordOf } from "./jobs.ts";
import { placeWord, stateWords } from "./words.ts";

/** A job whose folder can be read. */
export interface ReadJob {
  readonly folder: vscode.Uri;
  readonly found: FoundJob;
  readonly report: JobReport;
}

function readable(found: FoundJob): ReadJob {
  const { value, diagnostics } = found.report;
  if (value !== undefined) return { folder: found.folder, found, report: value };
  const why = diagnostics.at(-1);
  throw new Failure(why?.message ?? `${found.name} cannot be read.`, why?.next ?? "Look at its job.json.");
}

/** The job of a row or an address; else the only one that fits, or the one that a person chooses. */
export async function pickJob(
  jobs: Jobs,
  argument: unknown,
  {
    command,
    fits,
    none,
  }: {
    readonly command: CommandContribution;
    readonly fits: (report: JobReport, found: FoundJob) => boolean;
    readonly none: string;
  },
): Promise<ReadJob | undefined> {
  const subject = subjectOf(argument);
  if (subject !== undefined) {
    jobs.forget(subject);
    return readable(await jobs.read(subject));
  }
  const found = (await jobs.list()).filter((one) => one.report.value && fits(one.report.value, one));
  const [only] = found;
  if (only === undefined) throw new Unmet(none, "Submit one first.", wayTo(COMMANDS.submitTrainingJob));
  if (found.length === 1) return readable(only);
  const now = new Date().toISOString();
  const rows = found.map((one) => ({
    label: plainLine(one.report.value?.spec.title ?? one.name),
    description: `${placeWord(one.report.value?.target)} · ${stateWords(one, now)}`,
    detail: one.name,
    value: one,
  }));
  const chosen = await choose(`HASP: ${command.title}`, "Job", rows, { matchOnDetail: true });
  return chosen === undefined ? undefined : readable(chosen);
}

export const statusOf = ({ found }: ReadJob) => recordOf(found)?.status;
