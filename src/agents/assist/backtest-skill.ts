import { backtest, modifiersOf, type BacktestHit, type BacktestReport } from "../../analysis/backtest.ts";
import { openLibrary } from "../../analysis/library.ts";
import { placedEpisodes } from "../../analysis/placed-episodes.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Outcome } from "../../model/episode.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { answer, counted, oneLine } from "./answer.ts";
import { findRun, MOST_RUNS } from "./find-run.ts";
import { findSkill } from "./find-skill.ts";
import type { BacktestInput } from "./inputs.ts";
import {
  AssistError,
  inSandbox,
  stopIfCancelled,
  type AssistAnswer,
  type AssistCall,
  type AssistWorld,
} from "./world.ts";

const OUTCOMES: readonly Outcome[] = ["wrong", "halted", "correct", "unjudged"];
const STEPS_EACH = 5;

async function openRuns(
  world: AssistWorld,
  named: readonly string[] | undefined,
  call: AssistCall,
): Promise<readonly OpenedRunFolder[]> {
  const given = named ?? (await world.runFolders()).slice(0, MOST_RUNS).map(world.shown);
  if (given.length === 0)
    throw new AssistError(
      "The workspace has no recorded run to backtest on.",
      "A person makes one with `hasp import` or `hasp run`.",
    );
  const runs: OpenedRunFolder[] = [];
  for (const run of given) runs.push(await findRun(world, run, call));
  return runs;
}

async function runBacktest(
  folder: SkillFolder,
  runs: readonly OpenedRunFolder[],
  world: AssistWorld,
  call: AssistCall,
  host: PfHost,
): Promise<{ report: BacktestReport; diagnostics: readonly Diagnostic[] }> {
  const library = await openLibrary([folder], host);
  if (library.active.length === 0)
    throw new AssistError(
      library.diagnostics[0]?.message ??
        "The skill has no Program Function, so there is nothing to backtest.",
      "Call the validate tool on it and mend what it finds.",
    );
  const total = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
  const unreadable: Diagnostic[] = [];
  const named = runs.map(({ folder: run, index }) => ({ run: world.shown(run), index }));
  const episodes = placedEpisodes(world.files, named, (found) => unreadable.push(...found));
  const report = await backtest(library, episodes, host, {
    modifiers: await modifiersOf(library, world.compiler),
    onProgress: (done) => call.onProgress(done, total, `${done} of ${total} episodes`),
    signal: call.signal,
  });
  stopIfCancelled(call);
  return { report, diagnostics: [...library.diagnostics, ...unreadable] };
}

const share = (part: number, whole: number): string =>
  whole === 0 ? "" : ` (${Math.round((100 * part) / whole)} %)`;

/** The steps to list: as many of each kind of episode, so that right ones are not hidden behind many wrong ones. */
function chosenHits(hits: readonly BacktestHit[], each: number): readonly BacktestHit[] {
  return OUTCOMES.flatMap((outcome) =>
    hits.filter((hit) => hit.outcome === outcome && hit.status !== "limited").slice(0, each),
  );
}

function hitLine({ run, episodeId, t, outcome, status, reason, diverged }: BacktestHit): string {
  const after = diverged ? ", after the episode had diverged" : "";
  return `- ${outcome}: ${oneLine(run)} episode ${oneLine(episodeId, 100)} step ${t + 1}: ${status}${after}. ${oneLine(reason, 200)}`;
}

function summary(report: BacktestReport): string[] {
  const [skill] = report.skills;
  if (skill === undefined) return [];
  const shown = OUTCOMES.filter((outcome) => report.episodes[outcome] > 0);
  const fired = shown.map((outcome) => {
    const [n, all] = [skill.counts[outcome].fired, report.episodes[outcome]];
    return `${n} of ${all} ${outcome}${share(n, all)}`;
  });
  const separates = report.notSeparating.includes(skill.skillId)
    ? [
        "It fires in no smaller share of the right episodes than of the others: its trigger does not separate.",
      ]
    : [];
  const foreign =
    report.foreign > 0 ? [`${counted(report.foreign, "episode")} of a domain that nobody here knows.`] : [];
  return [
    `Fired in ${fired.length === 0 ? "none: the runs hold no episode" : fired.join(", ")} episodes.`,
    `After an episode had diverged it fired on ${counted(skill.divergedSteps, "more step")}; ${counted(skill.errors, "error")}.`,
    ...separates,
    ...foreign,
  ];
}

/** On which recorded steps the skill would have acted, in right and in wrong episodes. Calls no model. */
export async function backtestSkill(
  world: AssistWorld,
  { skill, runs: named, steps = STEPS_EACH }: BacktestInput,
  call: AssistCall,
): Promise<AssistAnswer> {
  const folder = await findSkill(world, skill);
  const runs = await openRuns(world, named, call);
  const { report, diagnostics } = await inSandbox(world, call, (host) =>
    runBacktest(folder, runs, world, call, host),
  );
  const [own] = report.skills;
  const hits = chosenHits(own?.hits ?? [], steps);
  return answer(
    [
      `${oneLine(own?.skillId ?? skill, 100)} on ${counted(runs.length, "run")}, no model called.`,
      ...summary(report),
      ...(hits.length === 0 ? [] : ["Steps, some of each kind:", ...hits.map(hitLine)]),
      ...(diagnostics.length === 0 ? [] : [`${counted(diagnostics.length, "line")} could not be used.`]),
    ],
    {
      skillId: own?.skillId,
      runs: runs.map(({ folder: run }) => world.shown(run)),
      episodes: report.episodes,
      counts: own?.counts,
      divergedSteps: own?.divergedSteps,
      errors: own?.errors,
      separates: !report.notSeparating.includes(own?.skillId ?? ""),
      steps: hits.map(({ t, index: _, ...hit }) => ({ ...hit, step: t + 1 })),
    },
  );
}
