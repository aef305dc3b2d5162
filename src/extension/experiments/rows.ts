import * as vscode from "vscode";
import { counted } from "../../model/counted.ts";
import type { Evaluation } from "../../training/order.ts";
import type { ExperimentReport, StageReport } from "../../training/report.ts";
import { COMMANDS } from "../contributions.ts";
import { JOB_ICONS } from "../jobs/rows.ts";
import { placeOf } from "../questions/places.ts";
import { EPISODES } from "../runs/find-runs.ts";
import { STATE_ICONS } from "../state-icons.ts";
import { type Row, row } from "../tree.ts";
import { type Experiments, type FoundExperiment, rootOf } from "./experiments.ts";
import type { ServedPolicy } from "./served-policy.ts";
import {
  evaluationLines,
  evaluationTitle,
  evaluationWords,
  EXPERIMENT_WORDS,
  experimentWords,
  type ExperimentState,
  isAlive,
  shortTitle,
  metricsLines,
  plainLine,
  STAGE_SENTENCES,
  stageInFront,
  stageTitle,
  stageWords,
  stateOf,
  statusWord,
  type Work,
  workWords,
} from "./words.ts";

const EXPERIMENT_ICONS: Readonly<Record<ExperimentState, vscode.ThemeIcon>> = {
  running: STATE_ICONS.running,
  detached: STATE_ICONS.detached,
  done: STATE_ICONS.done,
  unfinished: STATE_ICONS.paused,
};

/** Sources of the rows. */
export interface RowSources {
  readonly experiments: Pick<Experiments, "list">;
  readonly served: Pick<ServedPolicy, "chosen" | "answering" | "isServed">;
  /** ISO 8601. */
  readonly now: () => string;
}

/** The address of a path that a report names: relative to the workspace folder, or absolute. */
export function uriIn(root: vscode.Uri, path: string): vscode.Uri {
  return vscode.Uri.file(placeOf(root, path).path);
}

function stageRow(stage: StageReport, iterations: number, root: vscode.Uri, now: string): Row {
  const { record, metrics } = stage;
  const title = stageTitle(stage);
  const hasLog = record.status !== "prepared";
  const folder = uriIn(root, stage.folder);
  return row(shortTitle(stage, iterations), {
    description: stageWords(stage, now),
    tooltip: [
      `${title}: ${statusWord(record)}`,
      STAGE_SENTENCES[stage.stage],
      ...metricsLines(metrics),
      ...(record.lastLines ?? []).map(plainLine),
      ...(hasLog ? [folder.fsPath] : []),
    ].join("\n"),
    icon: JOB_ICONS[record.status],
    ...(hasLog && {
      contextValue: stage.stage === "train" ? "hasp.job.training" : "hasp.job",
      subject: folder,
      command: { command: COMMANDS.openJobLog.id, title: COMMANDS.openJobLog.title, arguments: [folder] },
    }),
  });
}

function evaluationRow(evaluation: Evaluation, root: vscode.Uri): Row {
  const file = vscode.Uri.joinPath(uriIn(root, evaluation.run), EPISODES);
  return row(evaluationTitle(evaluation), {
    description: evaluationWords(evaluation),
    tooltip: [...evaluationLines(evaluation), "Opens the episodes."].join("\n"),
    icon: new vscode.ThemeIcon("graph"),
    contextValue: "hasp.evaluation",
    subject: file,
    command: { command: COMMANDS.openRun.id, title: COMMANDS.openRun.title, arguments: [file] },
  });
}

function adapterRow(adapter: vscode.Uri, { served }: RowSources): Row {
  const place = vscode.workspace.asRelativePath(adapter, false);
  const isServed = served.answering()?.student.adapter === adapter.fsPath;
  return row("Adapter", {
    description: isServed ? "served" : place,
    tooltip: [
      isServed ? "This window serves it." : "The weights that the last training wrote.",
      adapter.fsPath,
    ].join("\n"),
    icon: new vscode.ThemeIcon(isServed ? "broadcast" : "package"),
    contextValue: `hasp.adapter${isServed ? ".served" : ""}`,
    subject: adapter,
  });
}

function resultRows({ evaluations, adapter }: ExperimentReport, root: vscode.Uri, sources: RowSources) {
  const measured = row("Evaluation", {
    description: "exact match on held-out questions",
    tooltip: "Exact match before and after the training, with Program Functions off and on.",
    icon: new vscode.ThemeIcon("law"),
    expanded: true,
    children: () => evaluations.map((one) => evaluationRow(one, root)),
  });
  return [
    ...(evaluations.length === 0 ? [] : [measured]),
    ...(adapter === undefined ? [] : [adapterRow(uriIn(root, adapter), sources)]),
  ];
}

/** One that has just begun, or whose file cannot be read. */
function unreadRow({ folder, name, report, work }: FoundExperiment): Row {
  if (work !== undefined) {
    const description = `running · ${workWords(work)}`;
    const contextValue = "hasp.experiment.running";
    return row(name, {
      description,
      icon: STATE_ICONS.running,
      contextValue,
      subject: folder,
      expanded: true,
      children: () => [],
    });
  }
  const why = plainLine(report.diagnostics.at(-1)?.message ?? "It cannot be read.");
  const icon = new vscode.ThemeIcon("warning");
  return row(name, { description: why, tooltip: `${why}\n${folder.fsPath}`, icon, subject: folder });
}

/** Commands of the menu of an experiment, by its state. */
function contextOf({ adapter }: ExperimentReport, state: ExperimentState, work: Work | undefined): string {
  const stopping = work?.isStopping === true ? ".stopping" : "";
  return `hasp.experiment.${state}${stopping}${adapter === undefined ? "" : ".adapter"}`;
}

/** Time of a running job is counted by the row that shows it. */
function liveStage(stage: StageReport, work: Work | undefined): StageReport {
  const isFollowed = work !== undefined && isAlive(stage.record) && work.metrics !== undefined;
  return isFollowed && stage.metrics.length === 0 ? { ...stage, metrics: [work.metrics] } : stage;
}

function experimentRow(found: FoundExperiment, isFirst: boolean, sources: RowSources): Row {
  const { folder, name, report: read, work } = found;
  const root = rootOf(folder);
  const report = read.value;
  if (report === undefined) return unreadRow(found);
  const state = stateOf(report, work);
  const iterations = Math.max(0, ...report.stages.map(({ iteration }) => iteration));
  const words = experimentWords(report, work);
  const { label, sentence } = EXPERIMENT_WORDS[report.name];
  const hasFailed = state === "unfinished" && stageInFront(report.stages)?.record.status === "failed";
  return row(name, {
    description: `${report.name.toUpperCase()} · ${words}`,
    tooltip: [
      `${name}: ${words}`,
      `${label}: ${sentence}`,
      `student: ${plainLine(report.model)}`,
      counted(report.stages.length, "job"),
      `begun ${new Date(report.createdAt).toLocaleString()}`,
      folder.fsPath,
    ].join("\n"),
    icon: hasFailed ? STATE_ICONS.failed : EXPERIMENT_ICONS[state],
    contextValue: contextOf(report, state, work),
    subject: folder,
    expanded: isFirst,
    children: () => [
      ...report.stages.map((stage) => stageRow(liveStage(stage, work), iterations, root, sources.now())),
      ...resultRows(report, root, sources),
    ],
  });
}

/** A student that is served from here, or is the policy without being served. */
function policyRows({ served }: RowSources): readonly Row[] {
  const answering = served.answering();
  const student = answering?.student ?? served.chosen();
  if (student === undefined) return [];
  const { title, adapter } = student;
  const place = answering === undefined ? "its server is not running" : `served at ${answering.address}`;
  return [
    row("Policy", {
      description: `adapter of ${title} · ${place}`,
      tooltip:
        answering === undefined
          ? `The policy is the adapter of ${title}, and its server is not running. Serve it again, or configure another model.`
          : `The adapter of ${title} is ${place}${served.isServed() ? " and is the policy of Run Questions" : ""}. It ends with this window.`,
      icon: new vscode.ThemeIcon(answering === undefined ? "debug-disconnect" : "broadcast"),
      contextValue: answering === undefined ? "hasp.adapter" : "hasp.adapter.served",
      ...(adapter !== undefined && { subject: vscode.Uri.file(adapter) }),
    }),
  ];
}

/** The served policy, then an experiment a row: its jobs, evaluations and adapter. */
export async function experimentRows(sources: RowSources): Promise<readonly Row[]> {
  const found = await sources.experiments.list();
  return [...policyRows(sources), ...found.map((one, i) => experimentRow(one, i === 0, sources))];
}
