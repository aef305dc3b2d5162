import { Command, InvalidArgumentError } from "commander";
import {
  backtestSkills,
  type BacktestOrder,
  type BacktestReport,
  type BacktestRun,
  type GroupBacktest,
  type SkillBacktest,
} from "../../app/backtest.ts";
import type { Outcome } from "../../model/episode.ts";
import { OUTCOMES, percent } from "../../model/outcomes.ts";
import { parseSplit, SPLIT_SEED, type QuestionSplit } from "../../trace/question-split.ts";
import { need } from "../checked.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { wholeNumber } from "../numbers.ts";
import { openRunAt } from "../runs.ts";
import { inSession, readSkills, type Session } from "../session.ts";
import { renderTable } from "../table.ts";
import { EXIT, openTerminal, type Terminal, type SetExit } from "../terminal.ts";

const share = (part: number, whole: number): string => (whole === 0 ? "" : ` (${percent(part, whole)})`);

function row(skill: SkillBacktest, report: BacktestReport, outcomes: readonly Outcome[]): string[] {
  const sum = (key: "retrieved" | "fired" | "applied" | "steps"): string =>
    String(outcomes.reduce((n, outcome) => n + skill.counts[outcome][key], 0));
  const fired = outcomes.map((outcome) => {
    const n = skill.counts[outcome].fired;
    return `${n}${share(n, report.episodes[outcome])}`;
  });
  return [
    report.notSeparating.includes(skill.skillId) ? `${skill.skillId} (!)` : skill.skillId,
    sum("retrieved"),
    sum("fired"),
    sum("applied"),
    sum("steps"),
    ...fired,
    String(skill.divergedSteps),
    String(skill.errors),
  ];
}

function printTable(terminal: Terminal, report: BacktestReport): void {
  const outcomes = OUTCOMES.filter((o) => report.episodes[o] > 0);
  const right = (title: string) => ({ title, align: "right" as const });
  const columns = [
    { title: "skill" },
    ...[
      "retrieved",
      "fired",
      "applied",
      "steps",
      ...outcomes.map((o) => `fired ${o}`),
      "diverged",
      "errors",
    ].map(right),
  ];
  for (const line of renderTable(
    columns,
    report.skills.map((skill) => row(skill, report, outcomes)),
  ))
    terminal.line(line);
  terminal.line();
  const counted = outcomes.map((o) => `${report.episodes[o]} ${o}`).join(", ");
  const leftOut = report.leftOut === 0 ? "" : `; ${report.leftOut} left out by --split`;
  terminal.line(`episodes: ${counted === "" ? "none" : counted}${leftOut}`);
  for (const { notice, episodes } of report.foreign)
    terminal.line(`${notice} (${episodes === 1 ? "1 episode" : `${episodes} episodes`})`);
  terminal.line(`library applied in ${groupText(report.library, report, outcomes)}`);
  terminal.line(
    `PFs that can modify an action (${report.modifiers.skillIds.length}) applied in ` +
      groupText(report.modifiers, report, outcomes),
  );
  if (report.notSeparating.length > 0)
    terminal.line("(!) fires in no smaller share of the right episodes than of the others");
}

function groupText(group: GroupBacktest, report: BacktestReport, outcomes: readonly Outcome[]): string {
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
      terminal.line(`  ${hit.episodeId}#${hit.t + 1}  ${hit.outcome}  ${hit.status}${mark}  ${hit.reason}`);
    }
    if (hits.length > most)
      terminal.line(`  … ${hits.length - most} more: --steps ${hits.length}, or --json for all`);
  }
}

type Parts = Omit<QuestionSplit, "seed">;

interface Options {
  readonly skills?: string[];
  readonly episodes: string[];
  readonly steps: string;
  readonly split?: Parts;
  readonly seed: number;
  readonly json?: boolean;
}

function partsOption(text: string): Parts {
  const parts = parseSplit(text);
  if (parts === undefined)
    throw new InvalidArgumentError("Write 3/3, or 1,2/3 for two of three parts; they are counted from 1.");
  return parts;
}

async function orderOf(options: Options, session: Session, signal: AbortSignal): Promise<BacktestOrder> {
  const skills = await readSkills(options.skills, session);
  const runs: BacktestRun[] = [];
  for (const given of options.episodes) {
    const { folder, index, diagnostics } = await openRunAt(given, session.files);
    runs.push({ run: folder, index, diagnostics });
  }
  return { skills, runs, split: options.split && { ...options.split, seed: options.seed }, signal };
}

async function runBacktest(options: Options): Promise<0 | 1> {
  const terminal = openTerminal(options.json === true);
  const interrupt = cancelOnInterrupt();
  return inSession(async (session) => {
    const order = await orderOf(options, session, interrupt.signal);
    const started = performance.now();
    const found = await backtestSkills(order, session, ({ done, total, words }) =>
      terminal.progress(done, total, words),
    );
    terminal.endProgress();
    const seconds = (performance.now() - started) / 1000;
    const { diagnostics } = found;
    // The last one of a backtest without a report ends the command.
    terminal.diagnostics(found.value === undefined ? diagnostics.slice(0, -1) : diagnostics);
    if (found.value === undefined) terminal.result({ diagnostics });
    const report = need(found);
    printTable(terminal, report);
    printHits(terminal, report, Number(options.steps));
    terminal.line();
    terminal.line(`${report.evaluations} PF evaluations in ${seconds.toFixed(1)} s, no model called`);
    if (interrupt.signal.aborted) terminal.line("Interrupted: these are the episodes done so far.");
    if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
    terminal.result({ ...report, diagnostics, interrupted: interrupt.signal.aborted });
    return diagnostics.some((d) => d.severity === "error") ? EXIT.findings : EXIT.fine;
  }).finally(() => interrupt.release());
}

/** `hasp backtest --skills <dir…> --episodes <run…>`. */
export function backtestCommand(setExit: SetExit): Command {
  return new Command("backtest")
    .description(
      "Where would these skills have fired on recorded episodes, and in right or in wrong ones? Calls no model.",
    )
    .option("--skills <dir...>", "skill folders or folders above them (default: the libraries of hasp.yaml)")
    .requiredOption("--episodes <run...>", "run folders")
    .option("--steps <n>", "steps to list for each skill", "5")
    .option(
      "--split <parts/of>",
      "only episodes whose question falls into these parts, e.g. 1,2/3 to tune on and 3/3 to report",
      partsOption,
    )
    .option("--seed <n>", "deals the questions out to the parts", wholeNumber(0), SPLIT_SEED)
    .option("--json", "print the result as JSON, with every step")
    .addHelpText(
      "after",
      helpText(
        "hasp backtest --skills skills/web-search --episodes .hasp/runs/reflexion",
        "hasp backtest --skills skills/web-search --episodes .hasp/runs/fireact --split 3/3",
      ),
    )
    .action(async (options: Options) => {
      setExit(await runBacktest(options));
    });
}
