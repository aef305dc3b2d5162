import * as vscode from "vscode";
import type { Progress } from "../../app/progress.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { need } from "../checked.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { describeCounts, type FoundRun, type Runs } from "../runs/find-runs.ts";
import { searchingRuns } from "../runs/searching-runs.ts";
import { inNotification } from "../notification.ts";
import type { Services } from "../services.ts";
import { isInFront, skillFolderIn } from "../workspace/choose-skill.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { requireTrust } from "../workspace/trust.ts";
import { noRun } from "../unmet.ts";
import { type BacktestResult, registerResultsTree, type ResultsTree } from "./results-tree.ts";

const TITLE = `HASP: ${COMMANDS.backtestSkill.title}`;

type Needed = Pick<Services, "editorServices" | "findings" | "judging">;

/** The argument of a call from code: folders of skills; without it a person picks. */
export interface BacktestArguments {
  readonly skills: readonly vscode.Uri[];
}

function isArguments(argument: unknown): argument is BacktestArguments {
  return typeof argument === "object" && argument !== null && "skills" in argument;
}

/** Folders the call is about: given by code, the row or file it was called on; undefined when it is about none. */
function impliedFolders(argument: unknown): readonly vscode.Uri[] | undefined {
  if (isArguments(argument)) return argument.skills;
  const folder = skillFolderIn(argument);
  return folder === undefined ? undefined : [folder];
}

async function askSkills(all: readonly LocatedSkill[]): Promise<readonly LocatedSkill[] | undefined> {
  const skills = all.filter(({ isDisabled }) => !isDisabled);
  const inFront = skills.filter(isInFront);
  const picks = skills.map((skill) => ({
    label: skill.skillId,
    description: skill.isBuiltIn ? `${skill.domain} · built in` : skill.domain,
    picked: inFront.length === 0 || inFront.includes(skill),
    skill,
  }));
  // The palette gives the focus back to the editor as it closes, maybe after this list has shown.
  const options = {
    title: TITLE,
    placeHolder: "Skills to backtest",
    canPickMany: true,
    ignoreFocusOut: true,
  } as const;
  return (await vscode.window.showQuickPick(picks, options))?.map((pick) => pick.skill);
}

async function askRuns(runs: readonly FoundRun[]): Promise<readonly FoundRun[] | undefined> {
  if (runs.length <= 1) return runs;
  const picks = runs.map((run) => ({
    label: run.title,
    description: describeCounts(run.counts),
    picked: true,
    run,
  }));
  const options = {
    title: TITLE,
    placeHolder: "Runs to backtest on",
    canPickMany: true,
    // As the question before closes, VS Code gives the focus back to a run editor.
    ignoreFocusOut: true,
  } as const;
  return (await vscode.window.showQuickPick(picks, options))?.map((pick) => pick.run);
}

async function implied(
  library: LibrarySource,
  folders: readonly vscode.Uri[],
): Promise<readonly LocatedSkill[]> {
  const wanted = new Set(folders.map((uri) => uri.path));
  const found = (await library.list()).filter((skill) => wanted.has(skill.uri.path));
  if (found.length > 0) return found;
  const message = `${folders[0]?.fsPath ?? "There"} is no skill of today's library with a Program Function.`;
  const next = "Choose a folder that holds a SKILL.md and a pf.ts, in a library that hasp.yaml names.";
  throw new Unmet(message, next);
}

async function recordedRuns(runs: Runs): Promise<readonly FoundRun[]> {
  const found = (await runs.list()).filter((run) => run.index.entries.length > 0);
  if (found.length === 0) throw noRun("to backtest on");
  return found;
}

/** The skills to judge, and the runs to judge them on. */
interface Chosen {
  readonly skills: readonly LocatedSkill[];
  readonly runs: readonly FoundRun[];
}

/** The skills that the argument names, on all runs; else those that a person picks, undefined when they leave. */
async function choose(
  { library, runs }: Services["editorServices"],
  argument: unknown,
): Promise<Chosen | undefined> {
  const found = await recordedRuns(runs);
  const folders = impliedFolders(argument);
  if (folders !== undefined) return { skills: await implied(library, folders), runs: found };
  const skills = await askSkills(await library.list());
  if (skills === undefined || skills.length === 0) return undefined;
  const chosen = await askRuns(found);
  return chosen === undefined || chosen.length === 0 ? undefined : { skills, runs: chosen };
}

/** Notes on corpora that are not searched, for the view: the rest is in the log. */
const isOnCorpus = ({ code }: Diagnostic): boolean => code === "HASP598";

async function backtest(
  { editorServices, findings, judging }: Needed,
  chosen: Chosen,
  signal: AbortSignal,
  on: (event: Progress) => void,
): Promise<BacktestResult> {
  const { log, library, status } = editorServices;
  const started = performance.now();
  const skills = await library.read(chosen.skills);
  const order = { skills, runs: await searchingRuns(judging, chosen.runs), split: undefined, signal };
  const { backtestSkills } = await import("../../app/backtest.ts");
  const found = await backtestSkills(order, judging, (event) => {
    on(event);
    status.showRunning("Backtest", event.done / event.total);
  });
  for (const { file, message } of found.diagnostics) log.warn(`${file ?? ""} ${message}`);
  const report = need(found);
  const took = performance.now() - started;
  // A cancelled backtest says nothing of the rest.
  findings.recorded.backtested(signal.aborted ? undefined : { skills, report });
  const notes = found.diagnostics.filter(isOnCorpus).map(({ message }) => message);
  return { report, runs: chosen.runs.map(({ title }) => title), took, notes, cancelled: signal.aborted };
}

/** Runs a backtest and shows what it came to. */
async function showBacktest(services: Needed, chosen: Chosen, results: ResultsTree): Promise<BacktestResult> {
  const { status } = services.editorServices;
  const { skills } = chosen;
  const setRunning = (on: boolean): Thenable<unknown> =>
    vscode.commands.executeCommand("setContext", CONTEXT_KEYS.backtestRunning, on);
  const title = `Backtesting ${skills.length === 1 ? (skills[0]?.skillId ?? "") : `${skills.length} skills`}`;
  void setRunning(true);
  status.showRunning("Backtest", undefined);
  try {
    const result = await inNotification(title, (signal, on) => backtest(services, chosen, signal, on));
    await results.show(result);
    services.findings.latest.set(result);
    return result;
  } finally {
    void setRunning(false);
    status.showIdle();
  }
}

/** `HASP: Backtest Skill` and its results. */
export function registerBacktest(services: Needed): vscode.Disposable {
  const { editorServices, findings } = services;
  const { log } = editorServices;
  const results = registerResultsTree();
  return vscode.Disposable.from(
    results,
    registerCommand(log, COMMANDS.backtestSkill, async (argument?: unknown) => {
      requireTrust("A backtest runs Program Functions, which");
      const chosen = await choose(editorServices, argument);
      return chosen === undefined ? undefined : showBacktest(services, chosen, results);
    }),
    registerCommand(log, COMMANDS.clearBacktest, async () => {
      results.clear();
      findings.latest.set(undefined);
      findings.recorded.backtested();
    }),
  );
}
