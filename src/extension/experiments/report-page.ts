import { counted } from "../../model/counted.ts";
import { repliesText } from "../../model/replies.ts";
import type { Evaluation } from "../../training/order.ts";
import { hasLearnedNothing, NOTHING_TO_LEARN } from "../../training/planned.ts";
import type { ExperimentReport } from "../../training/report.ts";
import { asPage, asText, list, sentence, table } from "../../model/markdown-page.ts";
import {
  changeWords,
  countWords,
  durationOf,
  evaluationTitle,
  EXPERIMENT_WORDS,
  experimentWords,
  metricsLines,
  percent,
  plainLine,
  stageTitle,
  statusWord,
  type Work,
} from "./words.ts";

function evaluationRow(evaluation: Evaluation): readonly string[] {
  const { em, f1, questions, change, replies } = evaluation;
  return [
    evaluationTitle(evaluation),
    percent(em),
    percent(f1),
    String(questions),
    change === undefined ? "" : changeWords(change),
    repliesText(replies) ?? "",
  ];
}

function evaluationPart(evaluations: readonly Evaluation[]): readonly string[] {
  const columns = ["evaluation", "EM", "F1", "questions", "change of the EM since before", "replies"];
  const rows = table(columns, evaluations.map(evaluationRow), [1, 2, 3]);
  if (rows.length === 0) return [];
  return [
    "## Evaluation",
    "",
    "Questions that no row of the training data is about; intervals are over questions.",
    "",
    ...rows,
    ...remarksPart(evaluations),
  ];
}

function remarksPart(evaluations: readonly Evaluation[]): readonly string[] {
  const remarks = evaluations.flatMap(({ remarks: found = [] }) => found);
  return remarks.length === 0
    ? []
    : [...list(remarks.map(({ message, next = "" }) => plainLine(`${message} ${next}`))), ""];
}

function jobsPart({ stages }: ExperimentReport, now: string): readonly string[] {
  const rows = stages.map((stage, i) => {
    const { record, metrics } = stage;
    const last = metrics.at(-1);
    return [
      String(i + 1),
      stageTitle(stage),
      hasLearnedNothing(stage) ? `${statusWord(record)}, ${NOTHING_TO_LEARN}` : statusWord(record),
      durationOf(record, now) ?? "",
      last === undefined ? "" : `${last.step}`,
      last === undefined ? "" : countWords(last.num_tokens),
    ];
  });
  return ["## Jobs", "", ...table(["", "job", "status", "duration", "steps", "tokens"], rows, [0, 3, 4, 5])];
}

function trainingPart({ stages }: ExperimentReport): readonly string[] {
  return stages.flatMap((stage) => {
    const lines = metricsLines(stage.metrics);
    return lines.length === 0 ? [] : [`### ${asText(stageTitle(stage))}`, "", ...list(lines), ""];
  });
}

function failurePart({ stages }: ExperimentReport): readonly string[] {
  const failed = stages.find(({ record }) => record.status === "failed");
  const lines = failed?.record.lastLines ?? [];
  if (failed === undefined || lines.length === 0) return [];
  return [`## Last lines of ${asText(stageTitle(failed))}`, "", ...list(lines.map(plainLine)), ""];
}

/** A path as it is below the folder of the experiment. */
const belowFolder = ({ folder }: ExperimentReport, path: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

/** Inputs of the page beside the folder of the experiment. */
export interface PageContext {
  readonly work: Work | undefined;
  /** Lines on internalised skills; none before the evaluations are done. */
  readonly internalised: readonly string[];
  /** ISO 8601. */
  readonly now: string;
}

/** An experiment as a page of Markdown. */
export function reportPage(
  name: string,
  report: ExperimentReport,
  { work, internalised, now }: PageContext,
): string {
  const { label, sentence: about } = EXPERIMENT_WORDS[report.name];
  const trainings = trainingPart(report);
  return asPage([
    `# Experiment ${asText(name)}`,
    "",
    asText(sentence(experimentWords(report, work))),
    "",
    ...list([
      `${label}: ${about}`,
      `student: ${plainLine(report.model)}`,
      ...(report.adapter === undefined ? [] : [`adapter: ${plainLine(belowFolder(report, report.adapter))}`]),
      `${counted(report.stages.length, "job")}, begun ${report.createdAt.slice(0, 16).replace("T", " ")} UTC`,
    ]),
    "",
    ...evaluationPart(report.evaluations),
    ...internalised,
    ...failurePart(report),
    ...jobsPart(report, now),
    ...(trainings.length === 0 ? [] : ["## Trainings", "", ...trainings]),
  ]);
}
