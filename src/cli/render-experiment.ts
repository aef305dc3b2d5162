import { percentOf } from "../model/percent.ts";
import { repliesText } from "../model/replies.ts";
import { shellLine } from "../platform/shell-word.ts";
import { hasLearnedNothing, NOTHING_TO_LEARN } from "../training/planned.ts";
import type { Evaluation } from "../training/order.ts";
import type { Plan, PlannedJob } from "../training/planned.ts";
import type { ExperimentReport } from "../training/report.ts";
import { parseJson } from "../model/read-json.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";
import { metricsLine } from "./jobs.ts";
import { renderTable, right } from "./table.ts";

const points = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;

/** EM, F1 and replies before and after, with Program Functions off and on; changes in points with their 95% interval. */
export function evaluationLines(evaluations: readonly Evaluation[]): readonly string[] {
  if (evaluations.length === 0) return [];
  const columns = [
    "training",
    "PFs",
    ...["questions", "EM", "F1", "change of EM (95%)"].map(right),
    "replies",
  ];
  const rows = evaluations.map(({ when, pfs, questions, em, f1, change, replies }) => [
    when,
    pfs,
    String(questions),
    percentOf(em),
    percentOf(f1),
    change === undefined ? "" : `${points(change.value)} (${points(change.low)} to ${points(change.high)})`,
    repliesText(replies) ?? "",
  ]);
  const remarks = evaluations.flatMap(({ remarks: found = [] }) => found.map(formatDiagnostic));
  return [...renderTable(columns, rows), ...remarks];
}

function jobLines(
  { title, spec, folder, file }: PlannedJob,
  index: number,
  total: number,
): readonly string[] {
  const { serve } = spec;
  const adapter = serve?.adapter === undefined ? "" : ` with ${serve.adapter}`;
  return [
    `[${index + 1}/${total}] ${title}`,
    `    job    ${folder}`,
    ...(serve === undefined ? [] : [`    serve  ${serve.model}${adapter}`]),
    ...spec.commands.map(({ program, args }) => `    run    ${shellLine([program, ...args])}`),
    ...(file === undefined ? [] : [`    with   ${JSON.stringify(parseJson(file.text))}`]),
  ];
}

/** A plan for people: each job with its commands. */
export const planLines = ({ jobs }: Plan): readonly string[] =>
  jobs.flatMap((job, i) => jobLines(job, i, jobs.length));

const STATUS_WORDS = { prepared: "to do" } as const;

/** How far an experiment is, and what it found. */
export function reportLines(report: ExperimentReport): readonly string[] {
  const { stages, evaluations, adapter } = report;
  const rows = stages.map((stage, i) => {
    const { title, record, metrics } = stage;
    const last = metrics.at(-1);
    const status = record.status === "prepared" ? STATUS_WORDS.prepared : record.status;
    const found = hasLearnedNothing(stage) ? NOTHING_TO_LEARN : last && metricsLine(last);
    return [`${i + 1}/${stages.length}`, title, status, found ?? ""];
  });
  const results = evaluationLines(evaluations);
  return [
    `${report.name.toUpperCase()} of ${report.model} in ${report.folder}, begun ${report.createdAt}`,
    ...renderTable(["", "job", "status", "last metrics"], rows),
    ...(results.length === 0 ? [] : ["", ...results]),
    ...(adapter === undefined ? [] : ["", `adapter: ${adapter}`]),
  ];
}
