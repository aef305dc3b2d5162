import {
  backtestSkills,
  type BacktestHit,
  type BacktestReport,
  type BacktestRun,
} from "../../app/backtest.ts";
import { configuredSearch, searchOf, type RunSearch } from "../../app/run-corpora.ts";
import { readWorkspaceConfig } from "../../app/run/settings.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { revisionWords } from "../../model/revisions.ts";
import { selectionWords } from "../../model/selection.ts";
import { OUTCOMES, percent } from "../../model/outcomes.ts";
import {
  NOT_SEPARATING,
  separates,
  separationWords,
  totalWorth,
  WORTH_WORDS,
  worthWords,
} from "../../model/worth.ts";
import { counted } from "../../model/counted.ts";
import { answer, oneLine } from "./answer.ts";
import { findRun, MOST_RUNS } from "./find-run.ts";
import { findSkill } from "./find-skill.ts";
import type { BacktestInput } from "./inputs.ts";
import {
  AssistError,
  cancellable,
  need,
  type AssistAnswer,
  type AssistCall,
  type AssistWorld,
} from "./world.ts";

const STEPS_EACH = 5;

/** The search that the `hasp.yaml` of the workspace names; the first of several folders with one counts. */
async function usualSearch({ files, inside }: AssistWorld): Promise<RunSearch> {
  const file = await inside(CONFIG_FILE);
  if (file === undefined) return {};
  const folder = file.slice(0, -CONFIG_FILE.length);
  return configuredSearch((await readWorkspaceConfig(files, file)).value, (name) =>
    inside(`${folder}${name}`),
  );
}

/** The path of the corpus that the caller names; undefined where it names none. */
async function corpusAt({ inside }: AssistWorld, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const file = await inside(given);
  if (file !== undefined) return file;
  const message = `The workspace has no file ${JSON.stringify(given.slice(0, 80))}.`;
  throw new AssistError(message, "Name a file of passages of the workspace, or leave `corpus` out.");
}

async function openRuns(
  world: AssistWorld,
  named: readonly string[] | undefined,
  call: AssistCall,
): Promise<readonly BacktestRun[]> {
  const given = named ?? (await world.runFolders()).slice(0, MOST_RUNS).map(world.shown);
  if (given.length === 0)
    throw new AssistError(
      "The workspace has no recorded run to backtest on.",
      "A person makes one with `hasp import` or `hasp run`.",
    );
  const runs: BacktestRun[] = [];
  const usual = await usualSearch(world);
  for (const one of given) {
    const { folder, run, index, diagnostics } = await findRun(world, one, call);
    const search = await searchOf(run, world.inside, usual);
    runs.push({ run: world.shown(folder), folder, index, diagnostics, ...search });
  }
  return runs;
}

/** The steps to list: as many of each kind of episode, so that right ones are not hidden behind many wrong ones. */
function chosenHits(hits: readonly BacktestHit[], each: number): readonly BacktestHit[] {
  return OUTCOMES.flatMap((outcome) =>
    hits.filter((hit) => hit.outcome === outcome && hit.status !== "limited").slice(0, each),
  );
}

function hitLine({ run, episodeId, t, outcome, status, reason, diverged, worth }: BacktestHit): string {
  const after = diverged ? ", after the episode had diverged" : "";
  const value = worth === undefined ? "" : `, ${WORTH_WORDS[worth.value]}`;
  return `- ${outcome}: ${oneLine(run)} episode ${oneLine(episodeId, 100)} step ${t + 1}: ${status}${value}${after}. ${oneLine(reason, 200)}`;
}

function summary(report: BacktestReport): string[] {
  const [skill] = report.skills;
  if (skill === undefined) return [];
  const shown = OUTCOMES.filter((outcome) => report.episodes[outcome] > 0);
  const fired = shown.map((outcome) => {
    const [n, all] = [skill.counts[outcome].fired, report.episodes[outcome]];
    return `${n} of ${all} ${outcome} (${percent(n, all)})`;
  });
  const blind = report.notSeparating.includes(skill.skillId)
    ? [`It does not separate: ${NOT_SEPARATING}.`]
    : [];
  const foreign = report.foreign.map(
    ({ notice, episodes }) => `${oneLine(notice, 200)} (${counted(episodes, "episode")})`,
  );
  const worth = report.worth === undefined ? "" : worthWords(totalWorth(report.worth));
  const separation = report.worth?.separation.all;
  const revised = revisionWords(skill.revisions);
  return [
    `Fired in ${fired.length === 0 ? "none: the runs hold no episode" : fired.join(", ")} episodes.`,
    `Asked: ${selectionWords(report.selections)}.`,
    ...(worth === "" ? [] : [`Worth of the first change of an episode: ${worth}.`]),
    ...(separation === undefined ? [] : [`Of ${separationWords("all", separation)}.`]),
    ...(revised === "" ? [] : [`Drafts that it held back in the record, and their revisions: ${revised}.`]),
    `After an episode had diverged it fired on ${counted(skill.divergedSteps, "more step")}; ${counted(skill.errors, "error")}.`,
    ...blind,
    ...foreign,
  ];
}

/** On which recorded steps the skill would have acted, in right and in wrong episodes. Calls no model. */
export async function backtestSkill(
  world: AssistWorld,
  { skill, runs: named, steps = STEPS_EACH, corpus: given }: BacktestInput,
  call: AssistCall,
): Promise<AssistAnswer> {
  const skills = [await findSkill(world, skill)];
  const runs = await openRuns(world, named, call);
  const corpus = await corpusAt(world, given);
  const { signal } = call;
  const found = await cancellable(world, call, (judging) =>
    backtestSkills({ skills, runs, split: undefined, corpus, signal }, judging, ({ done, total, words }) =>
      call.onProgress(done, total, words),
    ),
  );
  const report = need(found);
  const [own] = report.skills;
  const hits = chosenHits(own?.hits ?? [], steps);
  return answer(
    [
      `${oneLine(own?.skillId ?? skill, 100)} on ${counted(runs.length, "run")}, no model called.`,
      ...summary(report),
      ...(hits.length === 0 ? [] : ["Steps, some of each kind:", ...hits.map(hitLine)]),
      ...found.diagnostics.flatMap(({ code, message }) =>
        code === "HASP598" ? [oneLine(message, 300)] : [],
      ),
      ...(found.diagnostics.length === 0
        ? []
        : [`${counted(found.diagnostics.length, "finding")} on the skill and the lines of the runs.`]),
    ],
    {
      skillId: own?.skillId,
      runs: runs.map(({ run }) => run),
      episodes: report.episodes,
      counts: own?.counts,
      worth: own?.worth,
      revisions: own?.revisions,
      divergedSteps: own?.divergedSteps,
      errors: own?.errors,
      separates: own?.worth && separates(own.worth),
      steps: hits.map(({ t, index: _, ...hit }) => ({ ...hit, step: t + 1 })),
    },
  );
}
