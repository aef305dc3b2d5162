import * as vscode from "vscode";
import type { JobRecord } from "../../model/job.ts";
import { COMMANDS } from "../contributions.ts";
import { inform, warn } from "../notification.ts";
import { wayTo } from "../unmet.ts";
import type { FoundJob } from "./jobs.ts";
import { endWords, placeWord } from "./words.ts";

/** Tells of the end of a job, with the ways to its results; does not wait for the answer. */
export function tellEnd({ folder, report }: FoundJob, record: JobRecord): void {
  const { value } = report;
  if (value === undefined) return;
  const { spec, target, runs } = value;
  const [run] = runs;
  const wanted = spec.outputs ?? [];
  const isAway = target !== undefined && wanted.length > 0 && record.status !== "lost";
  const isTraining = (spec.metrics ?? []).length > 0;
  const ways = [
    ...(run !== undefined && target === undefined ? [wayTo(COMMANDS.openRun, vscode.Uri.file(run))] : []),
    ...(isAway ? [wayTo(COMMANDS.fetchJob, folder)] : []),
    ...(isTraining ? [wayTo(COMMANDS.openDashboard, folder)] : []),
    wayTo(COMMANDS.openJobLog, folder),
  ];
  const tell = record.status === "succeeded" || record.status === "stopped" ? inform : warn;
  tell(endWords(value, record, placeWord(target)), ...ways);
}
