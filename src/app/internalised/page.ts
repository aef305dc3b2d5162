import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { InternalisedReport } from "../../model/internalised.ts";
import { asPage, asText, list, table } from "../../model/markdown-page.ts";
import { internalisedReasons, internalisedTables, type ReportTable } from "./words.ts";

/** The report as lines of Markdown. `heading`: the signs before its title; its parts have one more. */
export function internalisedPart(report: InternalisedReport, heading: "#" | "##"): readonly string[] {
  const { questions, episodes } = report;
  const tablePart = ({ title, columns, rows }: ReportTable): readonly string[] =>
    rows.length === 0 ? [] : [`${heading}# ${asText(title)}`, "", ...table(columns, rows)];
  return [
    `${heading} Internalised skills`,
    "",
    `${counted(questions, "question")}, ${counted(episodes, "episode")} a run. Triggered: a Program Function was applied, or had`,
    "nothing to change. Silent: it was applied on the question before training, and is not after it.",
    "",
    ...internalisedTables(report).flatMap(tablePart),
    `${heading}# Why`,
    "",
    ...list(internalisedReasons(report)),
    "",
  ];
}

/** Why there is no report, such as a library that evolved between the runs. */
export const notInternalisedPart = (
  diagnostics: readonly Diagnostic[],
  heading: "#" | "##",
): readonly string[] => [
  `${heading} Internalised skills`,
  "",
  ...list(
    diagnostics.slice(-1).map(({ message, next = "" }) => `Not compared: ${message} ${next}`.trimEnd()),
  ),
  "",
];

/** The report as a page of Markdown. */
export const internalisedMarkdown = (report: InternalisedReport): string =>
  asPage(internalisedPart(report, "#"));
