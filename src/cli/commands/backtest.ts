import {
  backtestSkills,
  type BacktestReport,
  type GroupBacktest,
  type SkillBacktest,
} from "../../app/backtest.ts";
import { counted } from "../../model/counted.ts";
import { isClean } from "../../model/diagnostic.ts";
import type { StandingOutcome } from "../../model/episode.ts";
import { OUTCOMES, percent } from "../../model/outcomes.ts";
import { revisionWords } from "../../model/revisions.ts";
import { selectionWords } from "../../model/selection.ts";
import {
  FIRES_ALWAYS,
  firesAlways,
  NOT_SEPARATING,
  SEPARATED,
  separationWords,
  totalWorth,
  WORTH_WORDS,
  worthWords,
} from "../../model/worth.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { interruptible } from "../interrupt.ts";
import {
  flag,
  needed,
  SKILL_FOLDERS,
  text,
  texts,
  TRIGGERS,
  whole,
  withDefault,
  type OptionsOf,
} from "../options.ts";
import { RECORDED_SKILLS, skillsOfRun } from "../recorded-skills.ts";
import { backtestRuns, openRunAt } from "../runs.ts";
import { readSkills, type Session } from "../session.ts";
import { chosenSplit, SEED, splitOption } from "../split-option.ts";
import { renderTable, right } from "../table.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../terminal.ts";

const share = (part: number, whole: number): string => (whole === 0 ? "" : ` (${percent(part, whole)})`);

const isAlways = ({ worth }: SkillBacktest): boolean => worth !== undefined && firesAlways(worth);

/** Its id, with a mark where the worth of its changes shows nothing. */
function markedId(skill: SkillBacktest, { notSeparating }: BacktestReport): string {
  const { skillId } = skill;
  if (notSeparating.includes(skillId)) return `${skillId} (!)`;
  return isAlways(skill) ? `${skillId} (=)` : skillId;
}

function row(skill: SkillBacktest, report: BacktestReport, outcomes: readonly StandingOutcome[]): string[] {
  const sum = (key: "retrieved" | "fired" | "applied" | "steps"): string =>
    String(outcomes.reduce((n, outcome) => n + skill.counts[outcome][key], 0));
  const fired = outcomes.map((outcome) => {
    const n = skill.counts[outcome].fired;
    return `${n}${share(n, report.episodes[outcome])}`;
  });
  return [
    markedId(skill, report),
    sum("retrieved"),
    sum("fired"),
    sum("applied"),
    sum("steps"),
    ...fired,
    skill.worth === undefined ? "" : worthWords(totalWorth(skill.worth)),
    String(skill.divergedSteps),
    String(skill.errors),
  ];
}

function printTable(terminal: Terminal, report: BacktestReport): void {
  const outcomes = OUTCOMES.filter((o) => report.episodes[o] > 0);
  const fired = outcomes.map((o) => `fired ${o}`);
  const figures = ["retrieved", "fired", "applied", "steps", ...fired, "worth", "diverged", "errors"];
  const rows = report.skills.map((skill) => row(skill, report, outcomes));
  for (const line of renderTable(["skill", ...figures.map(right)], rows)) terminal.line(line);
  terminal.line();
  const judged = outcomes.map((o) => `${report.episodes[o]} ${o}`).join(", ");
  const leftOut = report.leftOut === 0 ? "" : `; ${report.leftOut} left out by --split`;
  terminal.line(`episodes: ${judged === "" ? "none" : judged}${leftOut}`);
  terminal.line(`asked: ${selectionWords(report.selections)}`);
  for (const { notice, episodes } of report.foreign)
    terminal.line(`${notice} (${counted(episodes, "episode")})`);
  terminal.line(`library applied in ${groupText(report.library, report, outcomes)}`);
  terminal.line(
    `PFs that can modify an action (${report.modifiers.skillIds.length}) applied in ` +
      groupText(report.modifiers, report, outcomes),
  );
  for (const line of [...worthLines(report), ...revisionLines(report)]) terminal.line(line);
  if (report.notSeparating.length > 0) terminal.line(`(!) does not separate: ${NOT_SEPARATING}`);
  if (report.skills.some(isAlways)) terminal.line(`(=) ${FIRES_ALWAYS}`);
}

/** The worth of the first change of each episode, and whether it separates better than chance. */
function worthLines({ worth }: BacktestReport): readonly string[] {
  const words = worth === undefined ? "" : worthWords(totalWorth(worth));
  if (worth === undefined || words === "") return [];
  const separations = SEPARATED.flatMap((of) => {
    const found = worth.separation[of];
    return found === undefined ? [] : [`  ${separationWords(of, found)}`];
  });
  return [`worth of the first change of an episode: ${words}`, ...separations];
}

/** Counts of revised drafts, for the library and for each skill; no line without such drafts. */
function revisionLines({ skills, revisions }: BacktestReport): readonly string[] {
  const all = revisionWords(revisions);
  if (all === "") return [];
  const each = skills.flatMap(({ skillId, revisions: own }) => {
    const words = revisionWords(own);
    return words === "" ? [] : [`  ${skillId}: ${words}`];
  });
  return [`drafts held back in the record, and revised: ${all}`, ...each];
}

function groupText(
  group: GroupBacktest,
  report: BacktestReport,
  outcomes: readonly StandingOutcome[],
): string {
  const parts = outcomes.map((o) => `${group.applied[o]}${share(group.applied[o], report.episodes[o])} ${o}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Where it fired, grouped by skill: `episode#step`, steps 1-based. */
function printHits(terminal: Terminal, report: BacktestReport, most: number): void {
  for (const { skillId, hits: all } of report.skills) {
    const hits = all.filter((hit) => hit.status !== "limited");
    if (all.length === 0) continue;
    terminal.line();
    terminal.line(`${skillId}: ${hits.length} steps, limited on ${all.length - hits.length} more`);
    for (const hit of hits.slice(0, most)) {
      const mark = hit.diverged ? " (diverged)" : "";
      const worth = hit.worth === undefined ? "" : `  ${WORTH_WORDS[hit.worth.value]}`;
      terminal.line(
        `  ${hit.episodeId}#${hit.t + 1}  ${hit.outcome}  ${hit.status}${mark}${worth}  ${hit.reason}`,
      );
    }
    if (hits.length > most)
      terminal.line(`  … ${hits.length - most} more: --steps ${hits.length}, or --json for all`);
  }
}

const OPTIONS = {
  skills: SKILL_FOLDERS,
  triggers: TRIGGERS,
  recordedSkills: RECORDED_SKILLS,
  episodes: needed(texts("--episodes <run...>", "run folders")),
  steps: withDefault(text("--steps <n>", "steps to list for each skill"), "5"),
  split: splitOption("to tune on and 3/3 to report"),
  selected: flag(
    "--selected",
    "episodes that record no selection: ask the PFs that code selects for their question, not every PF",
  ),
  corpus: text(
    "--corpus <file>",
    "what changed searches are compared in (default: what the run searched, else that of hasp.yaml)",
  ),
  topK: whole("--top-k <n>", "results of a search that count (default: as many as the run listed)", 1),
  seed: SEED,
};

type Options = OptionsOf<typeof OPTIONS>;

async function skillsFor({ skills, recordedSkills, episodes }: Options, session: Session) {
  if (recordedSkills !== true) return { skills: await readSkills(skills, session), diagnostics: [] };
  const [run, ...more] = episodes;
  if (run === undefined || more.length > 0)
    throw new CliError("--recorded-skills takes one run.", "Backtest each run by itself, or name --skills.");
  return skillsOfRun(await openRunAt(run, session.files), session);
}

async function runBacktest({ options, terminal, session }: Call<typeof OPTIONS>): Promise<ExitCode> {
  const { episodes, split, seed, steps, selected, corpus, topK } = options;
  return interruptible(terminal, async (signal, on) => {
    const { skills, diagnostics: onLibrary } = await skillsFor(options, session);
    const runs = await backtestRuns(episodes, session.files);
    const order = {
      skills,
      runs,
      split: chosenSplit(split, seed),
      selected: selected === true,
      corpus,
      topK,
      signal,
    };
    const started = performance.now();
    const found = await backtestSkills(order, session, on);
    terminal.endProgress();
    const seconds = (performance.now() - started) / 1000;
    const diagnostics = [...onLibrary, ...found.diagnostics];
    // The last one of a backtest without a report ends the command.
    terminal.diagnostics(found.value === undefined ? diagnostics.slice(0, -1) : diagnostics);
    if (found.value === undefined) terminal.result({ diagnostics });
    const report = need(found);
    printTable(terminal, report);
    printHits(terminal, report, Number(steps));
    terminal.line();
    terminal.line(`${report.evaluations} PF evaluations in ${seconds.toFixed(1)} s, no model called`);
    if (signal.aborted) terminal.line("Interrupted: these are the episodes done so far.");
    if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
    terminal.result({ ...report, diagnostics, interrupted: signal.aborted });
    return isClean(diagnostics) ? EXIT.fine : EXIT.findings;
  });
}

/** `hasp backtest --skills <dir…> --episodes <run…>`. */
export const backtestCommand = defineCommand({
  name: "backtest",
  about:
    "Where would these skills have fired on recorded episodes, and in right or in wrong ones? Calls no model.",
  options: OPTIONS,
  json: "print the result as JSON, with every step",
  examples: [
    "hasp backtest --skills skills/web-search --episodes .hasp/runs/reflexion",
    "hasp backtest --skills skills/web-search --episodes .hasp/runs/fireact --split 3/3",
    "hasp backtest --recorded-skills --episodes a-run-from-elsewhere",
  ],
  run: runBacktest,
});
