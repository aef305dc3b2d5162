import * as vscode from "vscode";
import { takeTurns } from "../../agents/serve/turns.ts";
import { contextRulesOf } from "../../domains/registry.ts";
import type { Episode } from "../../model/episode.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { Searcher } from "../../platform/worker-search.ts";
import { RequestError } from "../../protocol/connection.ts";
import type { OpenedRun } from "../../protocol/replay.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import { changedKeys, contextAt, type ContextRules } from "../../trace/context-at.ts";
import { readEpisode } from "../../trace/episode-file.ts";
import { answerCompare } from "../compare/answer.ts";
import { COMMANDS } from "../contributions.ts";
import { showFailure } from "../failure.ts";
import { isAllowable } from "../linked-path.ts";
import { answerNotes } from "../notes/answer.ts";
import type { NoteStore } from "../notes/store.ts";
import { type FoundRun, isWatchedRun, type Runs } from "../runs/find-runs.ts";
import { shownFile } from "../workspace/built-in.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { isSkillFile, nameOf, parentOf } from "../workspace/skill-folders.ts";
import type { Place, RunSession } from "./editor.ts";
import { answerFacets } from "./facets.ts";
import { type Judge, openJudge } from "./judge.ts";
import { answerLive } from "./live.ts";
import { answerSearch } from "./search.ts";
import { type LibraryJudgement, type ShownWhatIf, watchWhatIf } from "./what-if.ts";

export interface SessionServices {
  readonly files: NodeFiles;
  readonly runs: Runs;
  readonly library: LibrarySource;
  readonly compiler: Compiler;
  readonly startHost: () => PfHost;
  readonly log: vscode.LogOutputChannel;
  readonly notes: NoteStore;
  readonly searcher: Searcher;
}

const RESTRICTED =
  'This workspace is not trusted, so no Program Function runs: you see what was recorded. "Workspaces: Manage Workspace Trust" changes that.';

/** The skills of the run's domain, where that is known. */
function ofDomain(skills: readonly LocatedSkill[], { run }: FoundRun): readonly LocatedSkill[] {
  return skills.filter(({ domain }) => run === undefined || domain === run.domain);
}

/** The skills that judge a run: those with a PF, in the order they are asked. */
function judging(skills: readonly LocatedSkill[], run: FoundRun): readonly LocatedSkill[] {
  const priority = (skill: LocatedSkill): number => skill.skill?.priority ?? 0;
  return ofDomain(skills, run)
    .filter(({ pf }) => pf !== undefined)
    .toSorted((a, b) => priority(b) - priority(a) || a.skillId.localeCompare(b.skillId, "en"));
}

function rulesOf(episode: Episode): ContextRules {
  return contextRulesOf(episode.facts.domain);
}

async function openSource(
  skills: readonly LocatedSkill[],
  skillId: string,
  line: number | undefined,
): Promise<void> {
  const skill = skills.find((s) => s.skillId === skillId);
  if (skill === undefined)
    throw new RequestError(
      `There is no skill ${skillId} in today's library.`,
      "It may have been renamed or removed since.",
    );
  const file = line === undefined ? skill.skillMd : (skill.pf ?? skill.skillMd);
  const at = Math.max(0, (line ?? 1) - 1);
  const selection = new vscode.Range(at, 0, at, 0);
  await vscode.window.showTextDocument(shownFile(skill, file), {
    viewColumn: vscode.ViewColumn.Beside,
    selection,
  });
}

function watchElsewhere(file: vscode.Uri, runs: Runs): vscode.Disposable {
  if (isWatchedRun(file)) return vscode.Disposable.from();
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(parentOf(file), nameOf(file)),
  );
  const forget = (): void => runs.forget(file);
  return vscode.Disposable.from(watcher, watcher.onDidChange(forget), watcher.onDidCreate(forget));
}

/** Nothing that decides is being edited. */
function isSaved(): boolean {
  return vscode.workspace.textDocuments.every(
    ({ isDirty, uri }) => !isDirty || !isSkillFile(uri) || nameOf(uri) === "cases.yaml",
  );
}

/** A judge, and whether what it read stood so on disk. */
interface SessionJudge extends Judge {
  readonly isSaved: boolean;
}

/** Answers the view of one run file. Its sandbox starts with the first judgement and ends with the session. */
export function startRunSession(file: vscode.Uri, services: SessionServices): RunSession {
  const { files, runs, library, compiler, startHost, log } = services;
  const runChanged = new vscode.EventEmitter<void>();
  const libraryChanged = new vscode.EventEmitter<void>();
  const foundWhatIf = new vscode.EventEmitter<ShownWhatIf>();
  const inTurn = takeTurns();
  let host: PfHost | undefined;
  let judge: Promise<SessionJudge> | undefined;
  let latest: { index: number; episode: Promise<Episode> } | undefined;

  async function skills(): Promise<readonly LocatedSkill[]> {
    return judging(await library.list(), await runs.read(file));
  }

  async function open(): Promise<OpenedRun> {
    const run = await runs.read(file);
    const active = judging(await library.list(), run);
    return {
      run: run.run,
      title: run.title,
      episodes: run.index.entries.map((entry) => entry.head),
      diagnostics: run.diagnostics,
      skills: active.map(({ skillId, skill }) => ({ skillId, title: skill?.title ?? skillId })),
      libraryNotice: vscode.workspace.isTrusted ? undefined : RESTRICTED,
    };
  }

  async function readAt(index: number): Promise<Episode> {
    const run = await runs.read(file);
    const { value, diagnostics } = await readEpisode(files, run.index, index);
    if (value !== undefined) return value;
    const [first] = diagnostics;
    throw new RequestError(first?.message ?? "The episode cannot be read.", first?.next);
  }

  /** The same object while a person stays on an episode, so that its judgement is found again. */
  function episodeAt(index: number): Promise<Episode> {
    if (latest?.index !== index) latest = { index, episode: readAt(index) };
    const { episode } = latest;
    episode.catch(() => (latest = undefined));
    return episode;
  }

  async function startJudge(text: "edited" | "saved"): Promise<SessionJudge> {
    if (!vscode.workspace.isTrusted)
      throw new RequestError(RESTRICTED, "Manage workspace trust, then reload the run.");
    host ??= startHost();
    // One without a PF judges nothing, but may supersede another.
    const all = ofDomain(await library.list(), await runs.read(file));
    const wasSaved = isSaved();
    const skills = await library.read(all, text);
    const asSaved = text === "saved" || (wasSaved && isSaved());
    return { ...(await openJudge(skills, host, compiler)), isSaved: asSaved };
  }

  /** One after the other: they share a sandbox, and a library that is loaded while another judges would answer for it. */
  function withJudge<T>(work: (judge: SessionJudge) => Promise<T>): Promise<T> {
    return inTurn(async () => {
      const current = (judge ??= startJudge("edited"));
      current.catch(() => (judge = undefined));
      return work(await current);
    });
  }

  async function judgement(current: Judge, episode: Episode): Promise<LibraryJudgement> {
    return { judged: await current.judged(episode, rulesOf(episode)), library: current.fingerprint };
  }

  async function judgedAsEdited(index: number): Promise<LibraryJudgement> {
    const episode = await episodeAt(index);
    return withJudge((current) => judgement(current, episode));
  }

  async function judgedAsSaved(index: number): Promise<LibraryJudgement> {
    const episode = await episodeAt(index);
    return withJudge(async (current) => {
      if (current.isSaved) return judgement(current, episode);
      // It takes the place of the other in the sandbox.
      judge = undefined;
      return judgement(await startJudge("saved"), episode);
    });
  }

  const whatIf = watchWhatIf({ edited: judgedAsEdited, saved: judgedAsSaved, isSaved }, (found) =>
    foundWhatIf.fire(found),
  );
  const warnOf = (looking: Promise<void>): void => {
    looking.catch((error: unknown) =>
      log.warn(`The episode that is shown could not be judged: ${String(error)}`),
    );
  };
  const forgetJudge = (): void => {
    judge = undefined;
    libraryChanged.fire();
    warnOf(whatIf.libraryChanged());
  };
  const held = vscode.Disposable.from(
    watchElsewhere(file, runs),
    runChanged,
    libraryChanged,
    foundWhatIf,
    library.onDidChange(forgetJudge),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      forgetJudge();
      runChanged.fire();
    }),
    runs.onDidChangeRun((changed) => {
      if (changed.toString() !== file.toString()) return;
      latest = undefined;
      runChanged.fire();
    }),
  );

  return {
    onRunChanged: runChanged.event,
    onLibraryChanged: libraryChanged.event,
    onWhatIf: foundWhatIf.event,
    title: async () => (await runs.read(file)).title,
    answer(connection) {
      connection.handle("open", open);
      connection.handle("readEpisode", ({ index }) => episodeAt(index));
      connection.handle("stepContext", async ({ index, t }) => {
        const episode = await episodeAt(index);
        if (episode.steps[t] === undefined) throw new RequestError(`The episode has no step ${t + 1}.`);
        // Not those of all steps: each holds all that was read so far.
        const context = contextAt(episode, t, rulesOf(episode));
        const changed = t === 0 ? [] : changedKeys(contextAt(episode, t - 1, rulesOf(episode)), context);
        return { context, changed };
      });
      connection.handle("judgeEpisode", async ({ index }) => {
        const episode = await episodeAt(index);
        const marks = await withJudge((current) => current.marks(episode, rulesOf(episode)));
        warnOf(whatIf.shown(index));
        return marks;
      });
      connection.handle("judgeStep", async ({ index, t }) => {
        const episode = await episodeAt(index);
        return withJudge((current) => current.step(episode, t, rulesOf(episode)));
      });
      connection.handle("openSource", async ({ skillId, line }) => {
        await openSource(await skills(), skillId, line);
        return null;
      });
      connection.handle("fillRun", async ({ with: command }) => {
        await vscode.commands.executeCommand(COMMANDS[command].id);
        return null;
      });
      connection.handle("stepCommand", async ({ command, index, t, skillId }) => {
        const step = { run: file, episode: index, t, ...(skillId !== undefined && { skillId }) };
        // A wizard may stay open for long: the view does not wait for its end.
        void vscode.commands.executeCommand(COMMANDS[command].id, step);
        return null;
      });
      connection.handle("newSkillFromPattern", async ({ pattern, index }) => {
        const argument = { run: file, pattern, ...(index !== undefined && { episode: index }) };
        // As above.
        void vscode.commands.executeCommand(COMMANDS.newSkillFromPattern.id, argument);
        return null;
      });
      connection.handle("openLog", async () => {
        await vscode.commands.executeCommand(COMMANDS.openLog.id);
        return null;
      });
      connection.handle("openHelp", async (place) => {
        await vscode.commands.executeCommand(COMMANDS.help.id, place);
        return null;
      });
      const reveal = (run: vscode.Uri, place: Place) =>
        vscode.commands.executeCommand(COMMANDS.revealStep.id, run, place);
      const judgeNow = (episode: Episode) =>
        withJudge((current) => current.judged(episode, rulesOf(episode)));
      answerFacets(connection, file, { files, runs, judged: judgeNow });
      answerSearch(connection, async () => (await runs.read(file)).index, services.searcher);
      answerCompare(connection, file, { files: services.files, runs: services.runs, reveal });
      return vscode.Disposable.from(
        answerLive(connection, file, services),
        answerNotes(connection, file, {
          ...services,
          onFailedWrite: (error, repeat) => {
            if (isAllowable(error)) showFailure(services.log, "Writing the label failed", error, repeat);
          },
        }),
      );
    },
    dispose() {
      held.dispose();
      void host?.close();
    },
  };
}
