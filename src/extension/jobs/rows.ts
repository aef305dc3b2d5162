import { dirname } from "node:path";
import * as vscode from "vscode";
import { isOver } from "../../jobs/follow.ts";
import { taskFolder } from "../../jobs/job-folder.ts";
import type { JobRecord, JobStatus } from "../../model/job.ts";
import { jobStatusWord, resourceWords } from "../../model/job-words.ts";
import type { NamedTarget } from "../../model/target.ts";
import { shellLine } from "../../platform/shell-word.ts";
import { COMMANDS } from "../contributions.ts";
import { metricsLines, plainLine } from "../experiments/words.ts";
import { STATE_ICONS } from "../state-icons.ts";
import { type Row, row } from "../tree.ts";
import type { JobReport } from "./job-report.ts";
import { type FoundJob, type Jobs, recordOf } from "./jobs.ts";
import { isUnderWay, placeWord, stateWords, targetWords } from "./words.ts";

export const JOB_ICONS: Readonly<Record<JobStatus, vscode.ThemeIcon>> = {
  prepared: STATE_ICONS.notYet,
  submitted: new vscode.ThemeIcon("watch"),
  running: STATE_ICONS.running,
  succeeded: STATE_ICONS.done,
  failed: STATE_ICONS.failed,
  stopped: STATE_ICONS.paused,
  lost: STATE_ICONS.detached,
};

const UNREACHABLE = new vscode.ThemeIcon("cloud-offline");

/** Sources of the rows. */
export interface JobRowSources {
  readonly jobs: Pick<Jobs, "list">;
  /** Whether a person lets this window ask a target. */
  readonly isAllowed: (target: NamedTarget) => boolean;
  /** Whether this window serves the adapter of a folder. */
  readonly isServed: (adapter: string) => boolean;
  /** ISO 8601. */
  readonly now: () => string;
}

/** Whether a window follows the job by itself: all that is asked of a target is this user's. */
const isFollowed = (target: NamedTarget | undefined, isOwn: boolean, isAllowed: boolean): boolean =>
  target === undefined || (isOwn && isAllowed);

/** Commands that fit a job, as parts of the context of its row. */
function contextOf(
  { target, hasLog, outputs, spec, isOwn }: JobReport,
  record: JobRecord,
  { work }: FoundJob,
  isAllowed: boolean,
): string {
  const isAlive = isUnderWay(record);
  const isBusy = work?.doing !== undefined;
  const fits: readonly (readonly [string, boolean])[] = [
    ["attach", isAlive && !isFollowed(target, isOwn, isAllowed)],
    ["cancel", isAlive && isAllowed && !isBusy],
    ["submit", !isAlive && record.status !== "succeeded" && !isBusy],
    [
      "fetch",
      target !== undefined &&
        isAllowed &&
        !isBusy &&
        (spec.outputs ?? []).length > 0 &&
        ["running", "succeeded", "failed", "stopped", "lost"].includes(record.status),
    ],
    ["log", hasLog],
    ["trains", (spec.metrics ?? []).length > 0 && record.status !== "prepared"],
    ["fetched", outputs.length > 0],
    ["delete", !isAlive && !isBusy],
  ];
  return `hasp.remoteJob.${record.status}.${fits.flatMap(([name, does]) => (does ? [name] : [])).join(".")}`;
}

function tooltipOf(found: FoundJob, report: JobReport, record: JobRecord, now: string): string {
  const { spec, target, number, knownAt } = report;
  const resources = resourceWords(spec.resources ?? {});
  const when = (label: string, at: string | undefined): readonly string[] =>
    at === undefined ? [] : [`${label} ${new Date(at).toLocaleString()}`];
  return [
    `${plainLine(spec.title)}: ${stateWords(found, now)}`,
    `job ${spec.id}`,
    target === undefined
      ? "runs on this machine"
      : `target ${target.name}: ${targetWords(target)}${number === undefined ? "" : `, number ${number}`}`,
    ...(resources === "" ? [] : [resources]),
    ...when("begun", record.startedAt),
    ...when("ended", record.endedAt),
    ...(record.attempt === undefined || record.attempt < 2 ? [] : [`attempt ${record.attempt}`]),
    ...(record.reason === undefined ? [] : [plainLine(record.reason)]),
    ...(record.exitCode === undefined ? [] : [`exit code ${record.exitCode}`]),
    ...(record.unreachable === undefined ? [] : [plainLine(record.unreachable)]),
    ...(target === undefined ? [] : when("last news", knownAt)),
    ...metricsLines(report.metrics),
    ...(record.lastLines ?? []).map(plainLine),
    found.folder.fsPath,
  ].join("\n");
}

/** The status of a command by how far its job is. */
function commandStatus(record: JobRecord, index: number): JobStatus {
  const { command, status } = record;
  if (status === "succeeded") return "succeeded";
  if (command === undefined || index > command) return "prepared";
  return index < command ? "succeeded" : status;
}

function commandRows({ spec }: JobReport, record: JobRecord): readonly Row[] {
  return spec.commands.map((command, index) => {
    const status = commandStatus(record, index);
    return row(plainLine(command.about), {
      description: jobStatusWord({ status }).replace("not submitted", "not yet"),
      tooltip: plainLine(shellLine([command.program, ...command.args])),
      icon: JOB_ICONS[status],
    });
  });
}

/** Rows of tasks that are shown: an array may have thousands. */
const MOST_TASKS = 100;

async function taskRows(folder: vscode.Uri, total: number): Promise<readonly Row[]> {
  const { readState, recordOf: written } = await import("../../jobs/state-file.ts");
  const { nodeFiles } = await import("../../platform/files.ts");
  const files = nodeFiles();
  const shown = Array.from({ length: Math.min(total, MOST_TASKS) }, (_, i) => i + 1);
  const rows = await Promise.all(
    shown.map(async (task) => {
      const at = vscode.Uri.file(taskFolder(folder.fsPath, task));
      const record = written((await readState(files, at.fsPath)).value);
      const hasBegun = record.attempt !== undefined;
      return row(`Task ${task}`, {
        description: hasBegun ? jobStatusWord(record) : "not yet",
        tooltip: [at.fsPath, ...(record.lastLines ?? []).map(plainLine)].join("\n"),
        icon: JOB_ICONS[hasBegun ? record.status : "prepared"],
        ...(hasBegun && { contextValue: "hasp.job", subject: at, command: openLog(at) }),
      });
    }),
  );
  const left = total - shown.length;
  return left === 0 ? rows : [...rows, row(`${left} more tasks`, { description: "in the job's folder" })];
}

const openLog = (folder: vscode.Uri): vscode.Command => ({
  command: COMMANDS.openJobLog.id,
  title: COMMANDS.openJobLog.title,
  arguments: [folder],
});

function targetRow(target: NamedTarget, isAllowed: boolean): Row {
  const words = targetWords(target);
  return row("Target", {
    description: `${target.name} · ${words}`,
    tooltip: [
      `${target.name}: ${words}`,
      ...(target.target.setup ?? []).map((line) => `setup: ${plainLine(line)}`),
      ...(isAllowed ? [] : ["Nobody has allowed it on this machine yet: Attach to Job asks."]),
    ].join("\n"),
    icon: new vscode.ThemeIcon(isAllowed ? "server" : "lock"),
    contextValue: "hasp.target",
  });
}

function adapterRow(adapter: string, isServed: boolean): Row {
  const folder = vscode.Uri.file(adapter);
  return row("Adapter", {
    description: isServed ? "served" : vscode.workspace.asRelativePath(folder, false),
    tooltip: [isServed ? "This window serves it." : "The weights that the job has trained.", adapter].join(
      "\n",
    ),
    icon: new vscode.ThemeIcon(isServed ? "broadcast" : "package"),
    contextValue: `hasp.adapter${isServed ? ".served" : ""}`,
    subject: folder,
  });
}

/** A row for an output that is here; that of a run opens it. */
function outputRow(output: string, runs: readonly string[]): Row {
  const uri = vscode.Uri.file(output);
  const look = { description: "here", tooltip: output, contextValue: "hasp.output", subject: uri };
  const name = vscode.workspace.asRelativePath(uri, false);
  const run = runs.find((file) => dirname(file) === output);
  if (run === undefined)
    return row(name, { ...look, icon: new vscode.ThemeIcon(/\.\w+$/.test(output) ? "file" : "folder") });
  const { id, title } = COMMANDS.openRun;
  return row(name, {
    ...look,
    icon: new vscode.ThemeIcon("history"),
    command: { command: id, title, arguments: [vscode.Uri.file(run)] },
  });
}

function outputRows(report: JobReport, record: JobRecord, { isServed }: JobRowSources): readonly Row[] {
  const { spec, outputs, runs, adapters, target, isFetched } = report;
  const isAway = (spec.outputs ?? []).length > 0 && !isFetched && target !== undefined && isOver(record);
  const away = row("Outputs", {
    description: "at the target: Fetch Outputs brings them here",
    icon: new vscode.ThemeIcon("cloud"),
  });
  return [
    ...outputs.map((output) => outputRow(output, runs)),
    ...(isAway ? [away] : []),
    ...adapters.map((adapter) => adapterRow(adapter, isServed(adapter))),
  ];
}

/** One whose file cannot be read. */
function unreadRow({ folder, name, report, work }: FoundJob): Row {
  const why = work?.doing ?? plainLine(report.diagnostics.at(-1)?.message ?? "It cannot be read.");
  const icon = work === undefined ? new vscode.ThemeIcon("warning") : STATE_ICONS.running;
  return row(name, { description: why, tooltip: `${why}\n${folder.fsPath}`, icon, subject: folder });
}

function iconOf({ work }: FoundJob, record: JobRecord): vscode.ThemeIcon {
  if (work?.doing !== undefined) return STATE_ICONS.running;
  return record.unreachable === undefined || isOver(record) ? JOB_ICONS[record.status] : UNREACHABLE;
}

function jobRow(found: FoundJob, isFirst: boolean, sources: JobRowSources): Row {
  const report = found.report.value;
  const record = recordOf(found);
  if (report === undefined || record === undefined) return unreadRow(found);
  const { spec, target } = report;
  const isAllowed = target === undefined || sources.isAllowed(target);
  const now = sources.now();
  const waits = isUnderWay(record) && !isFollowed(target, report.isOwn, isAllowed) ? "not attached · " : "";
  return row(plainLine(spec.title), {
    description: `${placeWord(target)} · ${waits}${stateWords(found, now)}`,
    tooltip: tooltipOf(found, report, record, now),
    icon: iconOf(found, record),
    contextValue: contextOf(report, record, found, isAllowed),
    subject: found.folder,
    expanded: isFirst,
    children: async () => [
      ...(spec.tasks === undefined ? commandRows(report, record) : await taskRows(found.folder, spec.tasks)),
      ...(target === undefined ? [] : [targetRow(target, isAllowed)]),
      ...outputRows(report, record, sources),
    ],
  });
}

/** A row for each job, the newest first. */
export async function jobRows(sources: JobRowSources): Promise<readonly Row[]> {
  const found = await sources.jobs.list();
  return found.map((one, i) => jobRow(one, i === 0, sources));
}
