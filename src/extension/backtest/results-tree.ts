import * as vscode from "vscode";
import type { BacktestHit, BacktestReport, GroupBacktest, SkillBacktest } from "../../app/backtest.ts";
import type { StandingOutcome } from "../../model/episode.ts";
import type { PfStatus } from "../../model/intervention.ts";
import { OUTCOMES, percent } from "../../model/outcomes.ts";
import { counted } from "../../model/counted.ts";
import { revisionWords, type Revisions } from "../../model/revisions.ts";
import { selectionWords } from "../../model/selection.ts";
import {
  FIRES_ALWAYS,
  firesAlways,
  NOT_SEPARATING,
  SEPARATED,
  SEPARATED_WORDS,
  separationValue,
  separationWords,
  totalWorth,
  WORTH_WORDS,
  worthWords,
  type GroupWorth,
} from "../../model/worth.ts";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import { OUTCOME_ICONS } from "../outcome-icons.ts";
import { createTree, type Row, row } from "../tree.ts";

/** The result of a backtest, and its subject. */
export interface BacktestResult {
  readonly report: BacktestReport;
  /** Titles of the runs. */
  readonly runs: readonly string[];
  /** Milliseconds it took. */
  readonly took: number;
  /** Sentences on what its worth lacks. */
  readonly notes: readonly string[];
  readonly cancelled: boolean;
}

export type ResultsTree = ReturnType<typeof registerResultsTree>;

const STATUS_ICONS: Record<PfStatus, string> = {
  applied: "circle-filled",
  overridden: "arrow-swap",
  noop: "dash",
  limited: "circle-slash",
  error: "error",
  skipped: "circle-large-outline",
};

function hitRow(hit: BacktestHit): Row {
  const place = { index: hit.index, t: hit.t };
  const diverged = hit.diverged ? "\nAn earlier step was modified, so this step might never have come." : "";
  const worth = hit.worth === undefined ? "" : `, ${WORTH_WORDS[hit.worth.value]}`;
  const why = hit.worth === undefined ? "" : `\n${WORTH_WORDS[hit.worth.value]}: ${hit.worth.why}`;
  return row(`${hit.episodeId} · step ${hit.t + 1}`, {
    description: `${hit.status}${worth}${hit.diverged ? ", diverged" : ""} · ${hit.reason}`,
    tooltip: `${hit.status}: ${hit.reason}${why}${diverged}`,
    icon: new vscode.ThemeIcon(STATUS_ICONS[hit.status]),
    command: {
      command: COMMANDS.revealStep.id,
      title: "Open step",
      arguments: [vscode.Uri.parse(hit.run, true), place],
    },
  });
}

function outcomeRow(skill: SkillBacktest, outcome: StandingOutcome): Row {
  const counts = skill.counts[outcome];
  const hits = skill.hits.filter((hit) => hit.outcome === outcome);
  const { retrieved, fired, applied, steps } = counts;
  return row(outcome, {
    description: `fired ${fired} of ${retrieved} · applied ${applied}`,
    tooltip: `Of ${retrieved} ${outcome} episodes it fired in ${fired}, on ${counted(steps, "step")}, and was applied in ${applied}.`,
    icon: OUTCOME_ICONS[outcome],
    ...(hits.length > 0 && { children: () => hits.map(hitRow) }),
  });
}

/** One row for each separation of the changes. */
function separationRows(worth: GroupWorth): readonly Row[] {
  return SEPARATED.flatMap((of) => {
    const found = worth.separation[of];
    if (found === undefined) return [];
    return row(SEPARATED_WORDS[of], {
      description: separationValue(found),
      tooltip: separationWords(of, found),
      icon: new vscode.ThemeIcon("graph"),
    });
  });
}

/** The worth of the changes of a skill or a library; no row without a change. */
function worthRows(worth: GroupWorth | undefined): readonly Row[] {
  if (worth === undefined) return [];
  const words = worthWords(totalWorth(worth));
  if (words === "") return [];
  const separations = separationRows(worth);
  return [
    row("worth", {
      description: words,
      tooltip: `Worth of the first change of each episode on its record: ${words}.`,
      icon: new vscode.ThemeIcon("law"),
      ...(separations.length > 0 && { children: () => separations }),
    }),
  ];
}

/** What became of the answers that were held back in the record; no row without one. */
function revisionRows(revisions: Revisions | undefined): readonly Row[] {
  const words = revisionWords(revisions);
  if (words === "") return [];
  return [
    row("revised drafts", {
      description: words,
      tooltip: `Answers that were held back when the episodes were recorded: the verdict of the draft beside that of the revision. ${words}.`,
      icon: new vscode.ThemeIcon("git-compare"),
    }),
  ];
}

/** With more skills than these, a list of names comes first. */
const MOST_EXPANDED = 3;

function skillRow(skill: SkillBacktest, { notSeparating, skills }: BacktestReport): Row {
  const seen = OUTCOMES.filter((outcome) => skill.counts[outcome].retrieved > 0);
  const fired = seen.map((outcome) => `${skill.counts[outcome].fired} ${outcome}`).join(" · ");
  const blind = notSeparating.includes(skill.skillId);
  const always = skill.worth !== undefined && firesAlways(skill.worth);
  const errors = skill.errors > 0 ? ` · ${counted(skill.errors, "error")}` : "";
  const lines = [
    `${skill.skillId} fired in episodes: ${fired === "" ? "none" : fired}.`,
    ...(blind ? [`It does not separate: ${NOT_SEPARATING}.`] : []),
    ...(always ? [`It ${FIRES_ALWAYS}.`] : []),
    ...(skill.divergedSteps > 0 ? [`${counted(skill.divergedSteps, "diverged step")} counted apart.`] : []),
  ];
  const icon = skill.errors > 0 ? "error" : blind ? "warning" : "beaker";
  return row(skill.skillId, {
    description: `${blind ? "does not separate · " : ""}${always ? `${FIRES_ALWAYS} · ` : ""}${fired === "" ? "no episodes" : fired}${errors}`,
    tooltip: lines.join("\n"),
    icon: new vscode.ThemeIcon(icon),
    expanded: skills.length <= MOST_EXPANDED,
    children: () => [
      ...worthRows(skill.worth),
      ...revisionRows(skill.revisions),
      ...seen.map((outcome) => outcomeRow(skill, outcome)),
    ],
  });
}

/** A group of PFs, which counts once for an episode however many of them fired. */
interface Group {
  readonly label: string;
  readonly about: string;
  readonly icon: string;
  readonly counts: GroupBacktest;
  readonly worth?: GroupWorth;
  readonly revisions?: Revisions;
}

function groupRow(
  { label, about, icon, counts, worth, revisions }: Group,
  { episodes }: BacktestReport,
): Row {
  const seen = OUTCOMES.filter((outcome) => episodes[outcome] > 0);
  const shareOf = (count: number, outcome: StandingOutcome): string =>
    `${count} of ${episodes[outcome]} (${percent(count, episodes[outcome])})`;
  const shares = seen.map((outcome) => ({
    outcome,
    fired: shareOf(counts.fired[outcome], outcome),
    applied: shareOf(counts.applied[outcome], outcome),
  }));
  const applied = seen.map((outcome) => `${counts.applied[outcome]} of ${episodes[outcome]} ${outcome}`);
  const lines = shares.map((one) => `${one.outcome}: fired in ${one.fired}, applied in ${one.applied}`);
  return row(`${label} (${counts.skillIds.length})`, {
    description: applied.length === 0 ? "no episodes" : `applied ${applied.join(" · ")}`,
    tooltip: [about, ...lines, counts.skillIds.join(", ")].join("\n"),
    icon: new vscode.ThemeIcon(icon),
    children: () => [
      ...worthRows(worth),
      ...revisionRows(revisions),
      ...shares.map((one) =>
        row(one.outcome, {
          description: `fired ${one.fired} · applied ${one.applied}`,
          icon: OUTCOME_ICONS[one.outcome],
        }),
      ),
    ],
  });
}

/** For one skill they would say the same twice. */
function groupRows(report: BacktestReport): readonly Row[] {
  if (report.skills.length < 2) return [];
  const groups: readonly Group[] = [
    {
      label: "Library",
      about: "Episodes in which any of these Program Functions did something.",
      icon: "library",
      counts: report.library,
      ...(report.worth && { worth: report.worth }),
      ...(report.revisions && { revisions: report.revisions }),
    },
    {
      label: "Modifying PFs",
      about: "Episodes in which any Program Function did something that can modify an action.",
      icon: "edit",
      counts: report.modifiers,
    },
  ];
  return groups.filter(({ counts }) => counts.skillIds.length > 0).map((group) => groupRow(group, report));
}

/** The library as a whole, then each skill. */
function resultRows(report: BacktestReport): readonly Row[] {
  return [...groupRows(report), ...report.skills.map((skill) => skillRow(skill, report))];
}

function summary({ report, runs, took, notes, cancelled }: BacktestResult): string {
  const seen = OUTCOMES.filter((outcome) => report.episodes[outcome] > 0);
  const counts = seen.map((outcome) => `${report.episodes[outcome]} ${outcome}`).join(", ");
  const total = seen.reduce((sum, outcome) => sum + report.episodes[outcome], 0);
  const about = runs.length === 1 ? runs[0] : counted(runs.length, "run");
  const where = `${counted(total, "episode")} of ${about}${counts === "" ? "" : `: ${counts}`}`;
  const asked = total === 0 ? "" : ` Asked: ${selectionWords(report.selections)}.`;
  const text = `${cancelled ? "Cancelled after " : ""}${where}.${asked} ${(took / 1_000).toFixed(1)} s.${notes.map((note) => ` ${note}`).join("")}`;
  // VS Code draws links in this text, and files of the workspace choose titles and names in it.
  return text.replaceAll("](", "] (");
}

/** The view of the latest backtest: the library as a whole, then skill, then outcome, then step; a click on a step opens it in the replay. */
export function registerResultsTree() {
  let rows: readonly Row[] = [];
  const tree = createTree(VIEWS.backtest.id, async () => rows);
  async function set(next: readonly Row[]): Promise<void> {
    rows = next;
    // `message` is absent from the view only as an empty text.
    tree.view.message = "";
    await tree.refresh();
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.hasBacktest, next.length > 0);
  }
  return {
    async show(result: BacktestResult): Promise<void> {
      await set(resultRows(result.report));
      const [first] = rows;
      if (first !== undefined) await tree.view.reveal(first, { focus: false, select: false });
      // VS Code makes room for a message only where rows are already in sight: set before, it hides the last rows.
      tree.view.message = summary(result);
    },
    clear: (): void => void set([]),
    dispose: (): void => tree.dispose(),
  };
}
