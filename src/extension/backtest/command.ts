import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import type { RecordedHints } from "../diagnostics/recorded.ts";
import { Unmet } from "../failure.ts";
import { describeCounts, type FoundRun, type Runs } from "../runs/find-runs.ts";
import type { Status } from "../status.ts";
import { subjectOf } from "../tree.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { isSkillFile, parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { noRun } from "../unmet.ts";
import type { LatestBacktest } from "./latest.ts";
import { type BacktestResult, registerResultsTree } from "./results-tree.ts";
import { type BacktestServices, runBacktest } from "./run-backtest.ts";

interface Services extends BacktestServices {
  readonly log: vscode.LogOutputChannel;
  readonly files: NodeFiles;
  readonly library: LibrarySource;
  readonly runs: Runs;
  readonly status: Status;
  readonly latest: LatestBacktest;
  readonly recorded: RecordedHints;
}

/** What the command takes from code: folders of skills; without, a person picks. */
export interface BacktestArguments {
  readonly skills: readonly vscode.Uri[];
}

function isArguments(argument: unknown): argument is BacktestArguments {
  return typeof argument === "object" && argument !== null && "skills" in argument;
}

/** Folders the call is about: given by code, the row or file it was called on; undefined when it is about none. */
function impliedFolders(argument: unknown): readonly vscode.Uri[] | undefined {
  if (isArguments(argument)) return argument.skills;
  const subject = subjectOf(argument);
  if (subject === undefined) return undefined;
  return [isSkillFile(subject) ? parentOf(subject) : subject];
}

async function askSkills(all: readonly LocatedSkill[]): Promise<readonly LocatedSkill[] | undefined> {
  const skills = all.filter(({ isDisabled }) => !isDisabled);
  const active = vscode.window.activeTextEditor?.document.uri.path ?? "";
  const own = skills.filter((skill) => active.startsWith(`${skill.uri.path}/`));
  const picks = skills.map((skill) => ({
    label: skill.skillId,
    description: skill.isBuiltIn ? `${skill.domain} · built in` : skill.domain,
    picked: own.length === 0 || own.includes(skill),
    skill,
  }));
  const options = {
    title: "HASP: Backtest Skill",
    placeHolder: "Skills to backtest",
    canPickMany: true,
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
    title: "HASP: Backtest Skill",
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
  const next = "Choose a folder that holds a SKILL.md and a pf.ts, in a library that hasp.yaml names.";
  if (found.length === 0)
    throw new Unmet(
      `${folders[0]?.fsPath ?? "There"} is no skill of today's library with a Program Function.`,
      next,
    );
  return found;
}

/** `HASP: Backtest Skill` and its results. */
export function registerBacktest(services: Services): vscode.Disposable {
  const { log, library, runs, status, latest, recorded } = services;
  const results = registerResultsTree();

  async function recordedRuns(): Promise<readonly FoundRun[]> {
    const found = (await runs.list()).filter((run) => run.index.entries.length > 0);
    if (found.length === 0) throw noRun("to backtest on");
    return found;
  }

  function inProgress(
    skills: readonly LocatedSkill[],
    chosen: readonly FoundRun[],
  ): Thenable<BacktestResult> {
    const what = skills.length === 1 ? (skills[0]?.skillId ?? "") : `${skills.length} skills`;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Backtesting ${what}`,
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const started = performance.now();
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      let shown = 0;
      const onProgress = (done: number, total: number): void => {
        const percent = Math.floor((100 * done) / Math.max(1, total));
        if (percent === shown) return;
        progress.report({ message: `${done} of ${total} episodes`, increment: percent - shown });
        status.showRunning("Backtest", done / total);
        shown = percent;
      };
      const folders = await library.read(skills);
      const request = { skills: folders, runs: chosen, signal: stop.signal, onProgress };
      const { report, diagnostics } = await runBacktest(services, request);
      for (const { file, message } of diagnostics) log.warn(`${file ?? ""} ${message}`);
      const took = performance.now() - started;
      // What was cut short says nothing of the rest.
      recorded.backtested(stop.signal.aborted ? undefined : { skills: folders, report });
      return { report, runs: chosen.map((run) => run.title), took, cancelled: stop.signal.aborted };
    });
  }

  async function backtestSkill(argument?: unknown): Promise<BacktestResult | undefined> {
    requireTrust("A backtest runs Program Functions, which");
    const found = await recordedRuns();
    const folders = impliedFolders(argument);
    const skills =
      folders === undefined ? await askSkills(await library.list()) : await implied(library, folders);
    if (skills === undefined || skills.length === 0) return undefined;
    const chosen = folders === undefined ? await askRuns(found) : found;
    if (chosen === undefined || chosen.length === 0) return undefined;
    return showing(() => inProgress(skills, chosen));
  }

  async function showing(run: () => Thenable<BacktestResult>): Promise<BacktestResult> {
    const setRunning = (on: boolean): Thenable<unknown> =>
      vscode.commands.executeCommand("setContext", CONTEXT_KEYS.backtestRunning, on);
    void setRunning(true);
    status.showRunning("Backtest", undefined);
    try {
      const result = await run();
      await results.show(result);
      latest.set(result);
      return result;
    } finally {
      void setRunning(false);
      status.showIdle();
    }
  }

  return vscode.Disposable.from(
    results,
    registerCommand(log, COMMANDS.backtestSkill, backtestSkill),
    registerCommand(log, COMMANDS.clearBacktest, async () => {
      results.clear();
      latest.set(undefined);
      recorded.backtested();
    }),
  );
}
