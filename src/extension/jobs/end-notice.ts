import * as vscode from "vscode";
import type { JobRecord } from "../../model/job.ts";
import { COMMANDS } from "../contributions.ts";
import { inform, warn } from "../notification.ts";
import { wayTo } from "../unmet.ts";
import type { FoundJob } from "./jobs.ts";
import { endWords, placeWord } from "./words.ts";

const DASHBOARD = { label: "Open Dashboard", command: "hasp.openDashboard" };

/** Tells of the end of a job, with the ways to its results; does not wait for the answer. */
export async function tellEnd({ folder, report }: FoundJob, record: JobRecord): Promise<void> {
  const { value } = report;
  if (value === undefined) return;
  const { spec, target } = value;
  const wanted = spec.outputs ?? [];
  const isAway = target !== undefined && wanted.length > 0 && record.status !== "lost";
  const isTraining = (spec.metrics ?? []).length > 0;
  const known = isTraining ? await vscode.commands.getCommands(true) : [];
  const ways = [
    ...(isAway ? [wayTo(COMMANDS.fetchJob, folder)] : []),
    ...(known.includes(DASHBOARD.command) ? [{ ...DASHBOARD, arguments: [folder] }] : []),
    wayTo(COMMANDS.openJobLog, folder),
  ];
  const tell = record.status === "succeeded" || record.status === "stopped" ? inform : warn;
  tell(endWords(spec, record, placeWord(target)), ...ways);
}
