import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode, Outcome, Step } from "../model/episode.ts";
import {
  IMPORT_SCHEMA,
  type ImportCounts,
  type ImportedFile,
  type ImportReport,
  noImportCounts,
} from "../model/import-report.ts";
import { noOutcomes } from "../model/outcomes.ts";
import { clip } from "../model/clip.ts";
import { describeUnread } from "./find-sources.ts";
import type { ImportLedger, LedgerEntry } from "./formats/ledger.ts";
import { TOLD_ELSEWHERE } from "./formats/otel/shared-logs.ts";
import { findingCounter, kindCounter } from "./import-counters.ts";
import { nothingFound, oddities } from "./import-findings.ts";
import type { ImportSource } from "./import-source.ts";
import { diagnosticLog, type DiagnosticLog } from "./line-diagnostics.ts";

/** What an import has read so far, and what it found. */
export interface ImportAccount {
  /** A finding outside of a file's account. */
  found(finding: Diagnostic): void;
  /** Opens the account of a file. `isNamed`: a person named it, and no search found it. */
  file(source: Pick<ImportSource, "file" | "format">, isNamed: boolean): FileAccount;
  /** The first findings, in order; a report counts all of them. */
  diagnostics(): readonly Diagnostic[];
  /** Episodes of all files so far. */
  episodes(): number;
  formats(): readonly string[];
  report(head: Pick<ImportReport, "createdAt" | "order">, unread: readonly string[]): ImportReport;
}

/** The account of one file. */
export interface FileAccount {
  readonly log: DiagnosticLog;
  /** `read`: as it is written. */
  count(read: Episode): void;
  /** After the last episode; finds what is odd about the file as a whole. */
  close(ledger: ImportLedger): void;
}

/** Entries of ledgers that are kept by file; after that only the counts over all files. */
const ENTRIES_KEPT = 300_000;
/** Abandoned branches that a report lists. */
const BRANCHES_LISTED = 50;
const QUESTION_CHARS = 120;

/** The file told what stands in episodes of another one. */
const isToldElsewhere = ({ mapped }: ImportLedger): boolean => mapped.some(({ to }) => to === TOLD_ELSEWHERE);

export function openAccount(): ImportAccount {
  const totals = noImportCounts();
  const outcomes: Record<Outcome, number> = noOutcomes();
  const files: ImportedFile[] = [];
  const formats = new Map<string, ImportReport["formats"][number]>();
  const unknown = kindCounter();
  const dropped = kindCounter();
  const findings = findingCounter();
  const branches: ImportReport["branches"] = [];
  let entries = 0;

  const kept = (of: readonly LedgerEntry[]): LedgerEntry[] => {
    entries += of.length;
    return entries > ENTRIES_KEPT ? [] : [...of];
  };

  function openFile({ file, format }: Pick<ImportSource, "file" | "format">, isNamed: boolean): FileAccount {
    const log = diagnosticLog(file);
    const counts = noImportCounts();
    let firstEpisode: string | undefined;
    return {
      log,
      count(episode) {
        firstEpisode ??= episode.id;
        countEpisode(counts, episode);
        totals.episodes++;
        outcomes[episode.outcome]++;
        if (episode.outcome === "abandoned" && branches.length < BRANCHES_LISTED)
          branches.push(asBranch(episode));
      },
      close(ledger) {
        for (const finding of oddities(file, counts, ledger.unknown)) log.add(() => finding);
        const isIdle = counts.episodes === 0 && !isToldElsewhere(ledger);
        const nothing = isIdle ? nothingFound({ file, format }, ledger, log.list(), isNamed) : [];
        const found = [...log.list(), ...nothing];
        for (const finding of found) findings.add(finding);
        const ofFormat = formats.get(format) ?? { format, files: 0, ...noImportCounts() };
        formats.set(format, ofFormat);
        ofFormat.files++;
        addCounts(ofFormat, counts);
        addCounts(totals, { ...counts, episodes: 0 });
        for (const entry of ledger.unknown) unknown.add(entry, file);
        for (const entry of ledger.dropped) dropped.add(entry, file);
        files.push({
          file,
          format,
          ...(firstEpisode !== undefined && { firstEpisode }),
          ...counts,
          problems: found.filter(({ severity }) => severity === "error" || severity === "warning").length,
          mapped: kept(ledger.mapped),
          kept: kept(ledger.kept),
          dropped: kept(ledger.dropped),
          unknown: kept(ledger.unknown),
        });
      },
    };
  }

  return {
    found: (finding) => findings.add(finding),
    file: openFile,
    diagnostics: () => findings.kept(),
    episodes: () => totals.episodes,
    formats: () => [...formats.keys()],
    report: ({ createdAt, order }, unread) => ({
      schema: IMPORT_SCHEMA,
      createdAt,
      order,
      ...totals,
      outcomes,
      formats: [...formats.values()],
      files,
      unread: describeUnread(unread),
      unknown: unknown.list(),
      dropped: dropped.list(),
      findings: findings.list(),
      branches,
    }),
  };
}

function addCounts(to: ImportCounts, counts: ImportCounts): void {
  for (const name of Object.keys(noImportCounts()) as (keyof ImportCounts)[]) to[name] += counts[name];
}

function countEpisode(counts: ImportCounts, { outcome, origin, question, steps }: Episode): void {
  counts.episodes++;
  counts.steps += steps.length;
  counts.invalidSteps += steps.filter((step) => step.executed.type === "invalid").length;
  if (outcome === "abandoned") {
    counts.abandoned++;
    counts.abandonedSteps += steps.length;
  }
  if (origin?.as === "sub_agent") counts.subAgents++;
  if (steps.length === 0) counts.withoutStep++;
  if (question.trim() === "") counts.withoutQuestion++;
  for (const [t, step] of steps.entries()) if (beginsTurn(step, steps[t - 1])) counts[promptOf(step)]++;
}

/** Calls of one turn are steps of their own, and the first of them has the prompt. */
function beginsTurn({ extra }: Step, before: Step | undefined): boolean {
  const turn = extra?.["turn"];
  return turn === undefined || turn !== before?.extra?.["turn"];
}

function promptOf({ proposals: [proposal] }: Step): "exactPrompts" | "transcriptPrompts" | "withoutPrompt" {
  if (proposal?.messages === undefined) return "withoutPrompt";
  return proposal.fromTranscript === true ? "transcriptPrompts" : "exactPrompts";
}

function asBranch({ id, question, steps, origin }: Episode): ImportReport["branches"][number] {
  return {
    episode: id,
    question: clip(question, QUESTION_CHARS),
    steps: steps.length,
    ...(origin !== undefined && { origin }),
  };
}
