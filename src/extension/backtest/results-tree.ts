import * as vscode from "vscode";
import type { BacktestHit, BacktestReport, SkillBacktest } from "../../analysis/backtest.ts";
import type { Outcome } from "../../model/episode.ts";
import type { PfStatus } from "../../model/intervention.ts";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import { createTree, type Row, row } from "../tree.ts";

/** What a backtest came to, and what it was about. */
export interface BacktestResult {
  readonly report: BacktestReport;
  /** Titles of the runs. */
  readonly runs: readonly string[];
  /** Milliseconds it took. */
  readonly took: number;
  readonly cancelled: boolean;
}

export interface ResultsTree extends vscode.Disposable {
  show(result: BacktestResult): Promise<void>;
  clear(): void;
}

/** The episodes that a skill should have touched first. */
const OUTCOMES: readonly Outcome[] = ["wrong", "halted", "correct", "unjudged"];

const OUTCOME_ICONS: Record<Outcome, vscode.ThemeIcon> = {
  wrong: new vscode.ThemeIcon("error", new vscode.ThemeColor("testing.iconFailed")),
  halted: new vscode.ThemeIcon("debug-stop", new vscode.ThemeColor("testing.iconQueued")),
  correct: new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed")),
  unjudged: new vscode.ThemeIcon("question"),
};

const STATUS_ICONS: Record<PfStatus, string> = {
  applied: "circle-filled",
  overridden: "arrow-swap",
  noop: "dash",
  limited: "circle-slash",
  error: "error",
  skipped: "circle-large-outline",
};

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function hitRow(hit: BacktestHit): Row {
  const place = { index: hit.index, t: hit.t };
  const diverged = hit.diverged ? "\nAn earlier step was modified, so this step might never have come." : "";
  return row(`${hit.episodeId} · step ${hit.t + 1}`, {
    description: `${hit.status}${hit.diverged ? ", diverged" : ""} · ${hit.reason}`,
    tooltip: `${hit.status}: ${hit.reason}${diverged}`,
    icon: new vscode.ThemeIcon(STATUS_ICONS[hit.status]),
    command: {
      command: COMMANDS.revealStep.id,
      title: "Open step",
      arguments: [vscode.Uri.parse(hit.run, true), place],
    },
  });
}

function outcomeRow(skill: SkillBacktest, outcome: Outcome): Row {
  const counts = skill.counts[outcome];
  const hits = skill.hits.filter((hit) => hit.outcome === outcome);
  const { retrieved, fired, applied, steps } = counts;
  return row(outcome, {
    description: `fired ${fired} of ${retrieved} · applied ${applied}`,
    tooltip: `Of ${retrieved} ${outcome} episodes it fired in ${fired}, on ${plural(steps, "step")}, and was applied in ${applied}.`,
    icon: OUTCOME_ICONS[outcome],
    ...(hits.length > 0 && { children: () => hits.map(hitRow) }),
  });
}

function skillRow(skill: SkillBacktest): Row {
  const seen = OUTCOMES.filter((outcome) => skill.counts[outcome].retrieved > 0);
  const fired = seen.map((outcome) => `${skill.counts[outcome].fired} ${outcome}`).join(" · ");
  const errors = skill.errors > 0 ? ` · ${plural(skill.errors, "error")}` : "";
  const diverged = `${plural(skill.divergedSteps, "diverged step")} counted apart.`;
  return row(skill.skillId, {
    description: `${fired === "" ? "no episodes" : fired}${errors}`,
    tooltip: `${skill.skillId} fired in episodes: ${fired === "" ? "none" : fired}.${skill.divergedSteps > 0 ? `\n${diverged}` : ""}`,
    icon: new vscode.ThemeIcon(skill.errors > 0 ? "error" : "beaker"),
    expanded: true,
    children: () => seen.map((outcome) => outcomeRow(skill, outcome)),
  });
}

function summary({ report, runs, took, cancelled }: BacktestResult): string {
  const seen = OUTCOMES.filter((outcome) => report.episodes[outcome] > 0);
  const counts = seen.map((outcome) => `${report.episodes[outcome]} ${outcome}`).join(", ");
  const total = seen.reduce((sum, outcome) => sum + report.episodes[outcome], 0);
  const about = runs.length === 1 ? runs[0] : plural(runs.length, "run");
  const where = `${plural(total, "episode")} of ${about}${counts === "" ? "" : `: ${counts}`}`;
  return `${cancelled ? "Cancelled after " : ""}${where}. ${(took / 1_000).toFixed(1)} s.`;
}

/** The view of the latest backtest: skill, then outcome, then step; a click on a step opens it in the replay. */
export function registerResultsTree(): ResultsTree {
  let rows: readonly Row[] = [];
  const tree = createTree(VIEWS.backtest.id, async () => rows);
  function set(next: readonly Row[], message: string | undefined): void {
    rows = next;
    // `message` is absent from the view only as an empty text.
    tree.view.message = message ?? "";
    tree.refresh();
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.hasBacktest, next.length > 0);
  }
  return {
    async show(result) {
      set(result.report.skills.map(skillRow), summary(result));
      const [first] = rows;
      if (first !== undefined) await tree.view.reveal(first, { focus: false, select: false });
    },
    clear: () => set([], undefined),
    dispose: () => tree.dispose(),
  };
}
