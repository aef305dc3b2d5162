import * as vscode from "vscode";
import { patternsOfRun } from "../../app/judge-replay.ts";
import { contextRulesOf, domainNames, formulaDomains, programDomains } from "../../domains/registry.ts";
import type { Episode } from "../../model/episode.ts";
import { RequestError } from "../../protocol/connection.ts";
import type { OpenedRun } from "../../protocol/replay.ts";
import { changedKeys, contextAt } from "../../trace/context-at.ts";
import { readEpisode } from "../../trace/episode-file.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { need } from "../checked.ts";
import { answerCompare } from "../compare/answer.ts";
import { COMMANDS } from "../contributions.ts";
import { showFailure } from "../failure.ts";
import { sha256 } from "../../platform/sha256.ts";
import { isAllowable } from "../linked-path.ts";
import { answerNotes } from "../notes/answer.ts";
import { type FoundRun, isWatchedRun, type Runs } from "../runs/find-runs.ts";
import type { Searcher } from "../../platform/worker-search.ts";
import type { Judging } from "../../app/ports.ts";
import type { EditorServices } from "../services.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { nameOf, parentOf } from "../workspace/skill-folders.ts";
import { answerCommands, sourceIn } from "./answer-commands.ts";
import type { ViewConnection } from "./connection.ts";
import type { Place, RunSession } from "./editor.ts";
import { answerFacets } from "./facets.ts";
import { answerLive } from "./live.ts";
import { answerMessages } from "./messages.ts";
import type { RunSkillChoices } from "./run-skill-choices.ts";
import { openRunSkills, type RunSkills } from "./run-skills.ts";
import { answerSearch } from "./search.ts";
import { answerSignals } from "./signals.ts";
import { ofDomain, openSessionJudge, RESTRICTED, type SessionJudge } from "./session-judge.ts";
import { type ShownWhatIf, watchWhatIf } from "./what-if.ts";

export interface SessionServices
  extends
    Pick<Judging, "compiler" | "startHost">,
    Pick<EditorServices, "files" | "runs" | "library" | "log" | "notes"> {
  readonly searcher: Searcher;
  readonly runSkillChoices: RunSkillChoices;
}

/** The skills that judge a run: those with a PF, in the order they are asked. */
function judging(skills: readonly LocatedSkill[], run: FoundRun): readonly LocatedSkill[] {
  const priority = (skill: LocatedSkill): number => skill.skill?.priority ?? 0;
  return ofDomain(skills, run)
    .filter(({ pf }) => pf !== undefined)
    .toSorted((a, b) => priority(b) - priority(a) || a.skillId.localeCompare(b.skillId, "en"));
}

function watchElsewhere(file: vscode.Uri, runs: Runs): vscode.Disposable {
  if (isWatchedRun(file)) return vscode.Disposable.from();
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(parentOf(file), nameOf(file)),
  );
  const forget = (): void => runs.forget(file);
  return vscode.Disposable.from(watcher, watcher.onDidChange(forget), watcher.onDidCreate(forget));
}

/** Episodes of one run as they are read, the latest kept while a person stays on it, so that its judgement is found again. */
function openEpisodes(files: TraceFiles, run: () => Promise<FoundRun>) {
  let latest: { index: number; episode: Promise<Episode> } | undefined;

  async function read(index: number): Promise<Episode> {
    const { value, diagnostics } = await readEpisode(files, (await run()).index, index);
    return need({ value, diagnostics: diagnostics.slice(0, 1) });
  }

  return {
    at(index: number): Promise<Episode> {
      if (latest?.index !== index) latest = { index, episode: read(index) };
      const { episode } = latest;
      episode.catch(() => (latest = undefined));
      return episode;
    },
    forget: (): void => (latest = undefined),
  };
}

type JudgingSkills = Pick<OpenedRun, "skills" | "runSkills">;

function openedRun(run: FoundRun, judging: JudgingSkills): OpenedRun {
  const patterns = patternsOfRun(run.run);
  return {
    run: run.run,
    title: run.title,
    episodes: run.index.entries.map(({ head, bytes }) => ({ ...head, bytes })),
    diagnostics: run.diagnostics,
    ...judging,
    libraryNotice: vscode.workspace.isTrusted ? undefined : RESTRICTED,
    domains: domainNames(),
    ...(patterns !== undefined && { patterns }),
    formulaDomains: formulaDomains(),
    programDomains: programDomains(),
  };
}

/** The step context, and the keys that changed since the step before. Not those of all steps: each holds all that was read so far. */
function stepContext(episode: Episode, t: number) {
  if (episode.steps[t] === undefined) throw new RequestError(`The episode has no step ${t + 1}.`);
  const rules = contextRulesOf(episode.facts.domain);
  const context = contextAt(episode, t, rules);
  const changed = t === 0 ? [] : changedKeys(contextAt(episode, t - 1, rules), context);
  return { context, changed };
}

/** The skills that judge a run of which `state` tells whether its own do. */
async function judgingSkills(
  runSkills: RunSkills,
  todays: () => Promise<readonly LocatedSkill[]>,
): Promise<JudgingSkills> {
  const state = await runSkills.state();
  const titles =
    state === "judging"
      ? await runSkills.list()
      : (await todays()).map(({ skillId, skill }) => ({ skillId, title: skill?.title ?? skillId }));
  return { skills: titles, ...(state !== undefined && { runSkills: state }) };
}

/** Answers with the run and its episodes, and with what the library that judges decides on them. */
function answerEpisodes(
  connection: ViewConnection,
  session: {
    readonly opened: () => Promise<OpenedRun>;
    readonly episodeAt: (index: number) => Promise<Episode>;
    readonly judge: SessionJudge;
    /** The episode at this position is looked at. */
    readonly onShown: (index: number) => void;
  },
): void {
  const { opened, episodeAt, judge, onShown } = session;
  connection.handle("open", opened);
  connection.handle("readEpisode", ({ index }) => episodeAt(index));
  connection.handle("stepContext", async ({ index, t }) => stepContext(await episodeAt(index), t));
  connection.handle("judgeEpisode", async ({ index }) => {
    const episode = await episodeAt(index);
    const marks = await judge.now(episode, (current) => current.marks(episode));
    onShown(index);
    return marks;
  });
  connection.handle("judgeStep", async ({ index, t }) => {
    const episode = await episodeAt(index);
    return judge.now(episode, (current) => current.step(episode, t));
  });
}

/** Answers the view of one run file. Its sandbox starts with the first judgement and ends with the session. */
export function startRunSession(file: vscode.Uri, services: SessionServices): RunSession {
  const { files, runs, library, log, compiler, runSkillChoices: choices } = services;
  const runChanged = new vscode.EventEmitter<void>();
  const libraryChanged = new vscode.EventEmitter<void>();
  const foundWhatIf = new vscode.EventEmitter<ShownWhatIf>();
  const run = (): Promise<FoundRun> => runs.read(file);
  const episodes = openEpisodes(files, run);
  const runSkills = openRunSkills(file, { ports: { files, compiler, sha256 }, choices, run });
  const judge = openSessionJudge({
    ...services,
    run,
    episodeAt: (index) => episodes.at(index),
    inPlaceOfTodays: (episode) => runSkills.of(episode),
  });
  const whatIf = watchWhatIf(judge, (found) => foundWhatIf.fire(found));
  const skills = async (): Promise<readonly LocatedSkill[]> => judging(await library.list(), await run());
  const warnOf = (looking: Promise<void>): void =>
    void looking.catch((error: unknown) =>
      log.warn(`The episode that is shown could not be judged: ${String(error)}`),
    );
  const forgetJudge = (): void => {
    judge.forget();
    libraryChanged.fire();
    if (!choices.isChosen(file)) warnOf(whatIf.libraryChanged());
  };

  const held = vscode.Disposable.from(
    watchElsewhere(file, runs),
    runChanged,
    libraryChanged,
    foundWhatIf,
    judge,
    library.onDidChange(forgetJudge),
    vscode.workspace.onDidGrantWorkspaceTrust(forgetJudge),
    choices.onDidChange((changed) => {
      if (changed.toString() === file.toString()) forgetJudge();
    }),
    runs.onDidChangeRun((changed) => {
      if (changed.toString() !== file.toString()) return;
      episodes.forget();
      runChanged.fire();
    }),
  );
  return {
    onRunChanged: runChanged.event,
    onLibraryChanged: libraryChanged.event,
    onWhatIf: foundWhatIf.event,
    title: async () => (await run()).title,
    answer(connection) {
      answerEpisodes(connection, {
        opened: async () => openedRun(await run(), await judgingSkills(runSkills, skills)),
        episodeAt: (index) => episodes.at(index),
        judge,
        // An edit of today's library changes nothing where the run's own skills judge.
        onShown: (index) => {
          if (!choices.isChosen(file)) warnOf(whatIf.shown(index));
        },
      });
      answerFolder(connection, files, run, (index) => episodes.at(index));
      answerCommands(connection, file, async (skillId) => {
        const own = choices.isChosen(file) ? await runSkills.find(skillId) : undefined;
        return own ?? sourceIn(await skills(), skillId);
      });
      const judged = (episode: Episode) => judge.now(episode, (current) => current.judged(episode));
      answerFacets(connection, file, { files, runs, judged });
      answerSearch(connection, async () => (await run()).index, services.searcher);
      return answerOthers(connection, file, services);
    },
    dispose: () => held.dispose(),
  };
}

/** Answers from an episode together with other files in the folder of its run. */
function answerFolder(
  connection: ViewConnection,
  files: TraceFiles,
  run: () => Promise<FoundRun>,
  episodeAt: (index: number) => Promise<Episode>,
): void {
  const read = { folder: async () => (await run()).folder, episodeAt };
  answerMessages(connection, files, read);
  answerSignals(connection, files, read);
}

/** Answers with what is beside the run's episodes: other runs, episodes under way, notes. */
function answerOthers(
  connection: ViewConnection,
  file: vscode.Uri,
  services: SessionServices,
): vscode.Disposable {
  const { files, runs, log } = services;
  const reveal = (run: vscode.Uri, place: Place) =>
    vscode.commands.executeCommand(COMMANDS.revealStep.id, run, place);
  answerCompare(connection, file, { files, runs, reveal });
  const onFailedWrite = (error: unknown, repeat: () => Promise<unknown>): void => {
    if (isAllowable(error)) showFailure(log, "Writing the label failed", error, repeat);
  };
  return vscode.Disposable.from(
    answerLive(connection, file, services),
    answerNotes(connection, file, { ...services, onFailedWrite }),
  );
}
