import { counted } from "../model/counted.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { originWords } from "../model/episode-links.ts";
import {
  type ImportCounts,
  type ImportedFile,
  type ImportedKind,
  type ImportFinding,
  type ImportReport,
  isOdd,
  type LedgerEntry,
} from "../model/import-report.ts";
import { countOutcomes, formatDiagnostic } from "./format-diagnostic.ts";
import { renderTable, right } from "./table.ts";

/** Findings that are listed one by one; of more, each code is listed with its first places. */
const FEW_FINDINGS = 10;
const PLACES = 3;
const KINDS = 8;
const FILES = 20;
const BRANCHES = 5;
const ENDINGS = 5;
/** Names of files of no known format. */
const NAMES = 3;

const grouped = (n: number): string => n.toLocaleString("en");
/** `1 step`, `3,023 steps`. */
const many = (n: number, word: string): string => `${grouped(n)} ${word}${n === 1 ? "" : "s"}`;

/** The first of the lines, and how many more there are. */
function firstOf(lines: readonly string[], most: number, what: string, all = lines.length): string[] {
  const shown = lines.slice(0, most);
  const more = all - shown.length;
  return more <= 0 ? shown : [...shown, `  … ${grouped(more)} more ${what}${more === 1 ? "" : "s"}`];
}

const part = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", title, ...lines];

/** The mapping of one file, for each of the four fates a line. */
function mappingLines({ file, format, episodes, ...fates }: ImportedFile): string[] {
  const lines = [`${file}: ${format}, ${counted(episodes, "episode")}`];
  for (const fate of ["mapped", "kept", "dropped", "unknown"] as const) {
    const arrow = fate === "mapped" || fate === "kept" ? "→" : "—";
    const words = fates[fate].map((entry) => entryWords(entry, arrow)).join("; ");
    if (words !== "") lines.push(`  ${fate.padEnd(7)}  ${words}`);
  }
  return lines;
}

const entryWords = ({ what, to, times }: LedgerEntry, arrow: string): string =>
  `${what}${times > 1 ? ` ×${times}` : ""} ${arrow} ${to}`;

/** `120 exact, 3100 from a transcript, 80 without`. */
function promptWords({ exactPrompts, transcriptPrompts, withoutPrompt }: ImportCounts): string {
  return `${grouped(exactPrompts)} exact, ${grouped(transcriptPrompts)} from a transcript, ${grouped(withoutPrompt)} without`;
}

function totals(report: ImportReport): string[] {
  const { episodes, outcomes, steps, abandoned, abandonedSteps, subAgents, invalidSteps } = report;
  const more = [
    abandoned > 0 &&
      `${grouped(abandoned)} abandoned branch${abandoned === 1 ? "" : "es"} with ${many(abandonedSteps, "step")}`,
    subAgents > 0 && `${many(subAgents, "episode")} of sub-agents`,
  ].filter((words) => words !== false);
  return [
    countOutcomes(episodes, outcomes),
    [many(steps, "step"), ...more].join(", "),
    `prompts of the agent's turns: ${promptWords(report)}`,
    ...(invalidSteps > 0 ? [`${many(invalidSteps, "step")} without a readable action: "invalid"`] : []),
  ];
}

function filesLines({ files, unread }: ImportReport): string[] {
  const read = `${many(files.length, "file")} read`;
  if (unread.files === 0) return [read];
  const endings = unread.endings.slice(0, ENDINGS).map(({ ending, files: n }) => `${grouped(n)} ${ending}`);
  const more = unread.endings.length > ENDINGS ? ", …" : "";
  return [
    `${read}, ${many(unread.files, "file")} of no known format left out: ${endings.join(", ")}${more}`,
    ...firstOf(
      unread.first.map((file) => `  ${file}`),
      NAMES,
      "file",
      unread.files,
    ),
  ];
}

function formatTable({ formats }: ImportReport): string[] {
  if (formats.length < 2) return [];
  const columns = ["format", ...["files", "episodes", "steps", "abandoned", "sub-agents"].map(right)];
  const rows = formats.map(({ format, files, episodes, steps, abandoned, subAgents }) => [
    format,
    ...[files, episodes, steps, abandoned, subAgents].map(grouped),
  ]);
  return ["", ...renderTable(columns, rows)];
}

const kindLine = ({ what, to, times, files, first }: ImportedKind): string =>
  `  ${grouped(times)} × ${what}: ${to}; ${files === 1 ? `in ${first}` : `in ${grouped(files)} files, first in ${first}`}`;

function findingLines({ code, severity, next, times, files, places }: ImportFinding): string[] {
  const where = files > 1 ? ` in ${grouped(files)} files` : "";
  return [
    `${severity}  ${code}  ${grouped(times)} ×${where}`,
    ...places
      .slice(0, PLACES)
      .map(({ file, line, message }) => `  ${file ?? ""}${line === undefined ? "" : `:${line}`}  ${message}`),
    ...(times > PLACES ? [`  … ${grouped(times - PLACES)} more (--verbose lists them)`] : []),
    ...(next === undefined ? [] : [`    → ${next}`]),
  ];
}

function oddFiles({ files }: ImportReport): string[] {
  const odd = files.filter(isOdd);
  if (odd.length === 0 || files.length === 1) return [];
  const columns = ["file", "format", ...["episodes", "steps", "problems", "unknown kinds"].map(right)];
  const rows = odd.map(({ file, format, episodes, steps, problems, unknown }) => [
    file,
    format,
    ...[episodes, steps, problems, unknown.length].map(grouped),
  ]);
  const [head = "", ...lines] = renderTable(columns, rows.slice(0, FILES));
  const more = odd.length > FILES ? [`… ${grouped(odd.length - FILES)} more files`] : [];
  return ["", `Files to look at: ${odd.length} of ${files.length}`, head, ...lines, ...more];
}

function branchLines({ branches, abandoned }: ImportReport): string[] {
  const lines = branches.map(({ episode, question, steps, origin }) => {
    const from = origin === undefined ? "" : `, ${originWords(origin, origin.episode, "abandoned")}`;
    return `  ${episode}: ${counted(steps, "step")}${from}: ${question}`;
  });
  const shown = lines.slice(0, BRANCHES);
  return abandoned > shown.length && shown.length > 0
    ? [...shown, `  … ${grouped(abandoned - shown.length)} more`]
    : shown;
}

/** Findings of an import: one by one where there are few, else by code with the first places of each. */
export function importFindings(
  diagnostics: readonly Diagnostic[],
  findings: readonly ImportFinding[],
  verbose: boolean,
): string[] {
  if (verbose || diagnostics.length <= FEW_FINDINGS)
    return diagnostics.flatMap((finding) => formatDiagnostic(finding).split("\n"));
  return findings.flatMap(findingLines);
}

/** The findings of a report that was kept. */
export const storedFindings = (findings: readonly ImportFinding[]): string[] =>
  part("Findings", findings.flatMap(findingLines));

/** `3 errors, 1 warning` of all findings of an import. */
export function findingCounts(findings: readonly ImportFinding[]): string {
  const count = (severity: string): number =>
    findings.filter((one) => one.severity === severity).reduce((sum, { times }) => sum + times, 0);
  return `${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}`;
}

/** The report of an import as a page of text; with `verbose`, what became of each file. */
export function importPage(report: ImportReport, verbose: boolean): string[] {
  const { files, unknown, dropped } = report;
  const all = verbose || files.length === 1;
  return [
    ...(all ? files.flatMap(mappingLines) : []),
    ...(files.length === 1 && report.unread.files === 0 ? [] : filesLines(report)),
    ...totals(report),
    ...formatTable(report),
    ...part("Abandoned branches", branchLines(report)),
    ...(all
      ? []
      : [
          ...part(
            "Of kinds that HASP does not know, and in no episode",
            firstOf(unknown.map(kindLine), KINDS, "kind"),
          ),
          ...part("Of known kinds, and needed in no episode", firstOf(dropped.map(kindLine), KINDS, "kind")),
        ]),
    ...oddFiles(report),
  ];
}
