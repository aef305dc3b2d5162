import { counted } from "../../model/counted.ts";
import { printableLine } from "../../model/printable.ts";
import type { InternalisedReport } from "../../model/internalised.ts";
import { internalisedReasons, internalisedTables, type ReportTable } from "./words.ts";

/** Text of runs and skills: it may neither leave its cell nor become markup. */
const escaped = (text: string): string => printableLine(text).replaceAll(/[\\`*_{}[\]<>#|!~&]/g, "\\$&");

function tableLines({ title, columns, rows }: ReportTable): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return [`## ${title}`, "", line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line), ""];
}

/** The report as a page of Markdown. */
export function internalisedMarkdown(report: InternalisedReport): string {
  const { questions, episodes } = report;
  return [
    "# Internalised skills",
    "",
    `${counted(questions, "question")}, ${counted(episodes, "episode")} a run. Triggered: a Program Function was applied, or had`,
    "nothing to change. Silent: it was applied on the question before training, and is not after it.",
    "",
    ...internalisedTables(report).flatMap(tableLines),
    "## Why",
    "",
    ...internalisedReasons(report).map((line) => `- ${escaped(line)}`),
    "",
  ].join("\n");
}
