import * as vscode from "vscode";
import { domainOfRecord } from "../../domains/registry.ts";
import { serialQueue } from "../../model/serial-queue.ts";
import { openReplayJudge, type ReplayJudge } from "../../app/judge-replay.ts";
import type { Judging } from "../../app/ports.ts";
import type { Episode } from "../../model/episode.ts";
import { RequestError } from "../../protocol/connection.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { isSkillFile, nameOf } from "../workspace/skill-folders.ts";
import type { EpisodeLibrary } from "./run-skills.ts";
import type { EpisodeJudging, LibraryJudgement } from "./what-if.ts";

export const RESTRICTED =
  'This workspace is not trusted, so no Program Function runs: you see what was recorded. "Workspaces: Manage Workspace Trust" changes that.';

interface Services extends Pick<Judging, "compiler" | "startHost"> {
  readonly library: LibrarySource;
  /** The run whose episodes are judged. */
  readonly run: () => Promise<FoundRun>;
  readonly episodeAt: (index: number) => Promise<Episode>;
  /** The library that judges the episode in place of today's; undefined: today's does. */
  readonly inPlaceOfTodays: (episode: Episode) => EpisodeLibrary | undefined;
}

/** A library as the judge of one run's episodes, in a sandbox that starts with the first judgement. */
export interface SessionJudge extends EpisodeJudging, vscode.Disposable {
  /**
   * Runs `work` with the library that judges the episode: today's as it stands in the editors, or the one in its place. RequestError where
   * the workspace is not trusted.
   */
  now<T>(episode: Episode, work: (judge: ReplayJudge) => Promise<T>): Promise<T>;
  /** Reads the library anew at the next judgement. */
  forget(): void;
}

/** A judge, and whether what it read was saved. */
interface ReadJudge extends ReplayJudge {
  readonly isSaved: boolean;
}

/** The name of today's library, beside those of `EpisodeLibrary`. */
const TODAY = "today";

/** The skills of the domain that the run is read as, where that is known. */
export function ofDomain(skills: readonly LocatedSkill[], { run }: FoundRun): readonly LocatedSkill[] {
  if (run === undefined) return skills;
  const { name } = domainOfRecord({ domain: run.domain, actionTypes: [] });
  return skills.filter(({ domain }) => domain === name);
}

/** Nothing that decides is being edited. */
function isSaved(): boolean {
  return vscode.workspace.textDocuments.every(
    ({ isDirty, uri }) => !isDirty || !isSkillFile(uri) || nameOf(uri) === "cases.yaml",
  );
}

async function judgement(judge: ReplayJudge, episode: Episode): Promise<LibraryJudgement> {
  return { judged: await judge.judged(episode), library: judge.fingerprint };
}

export function openSessionJudge(services: Services): SessionJudge {
  const { library, run, episodeAt, inPlaceOfTodays, compiler, startHost } = services;
  const inTurn = serialQueue();
  let host: ReturnType<typeof startHost> | undefined;
  let latest: { readonly name: string; readonly judge: Promise<ReadJudge> } | undefined;
  let isClosed = false;

  function trustedHost(): ReturnType<typeof startHost> {
    // What was asked before the view closed may come here after it, and nobody would close a sandbox that starts now.
    if (isClosed) throw new RequestError("This run is closed.");
    if (!vscode.workspace.isTrusted)
      throw new RequestError(RESTRICTED, "Manage workspace trust, then reload the run.");
    return (host ??= startHost());
  }

  async function startToday(text: "edited" | "saved"): Promise<ReadJudge> {
    const sandbox = trustedHost();
    // One without a PF judges nothing, but may supersede another.
    const all = ofDomain(await library.list(), await run());
    const wasSaved = isSaved();
    const skills = await library.read(all, text);
    const asSaved = text === "saved" || (wasSaved && isSaved());
    return { ...(await openReplayJudge(skills, sandbox, compiler)), isSaved: asSaved };
  }

  async function startOther(other: EpisodeLibrary): Promise<ReadJudge> {
    const sandbox = trustedHost();
    return { ...(await openReplayJudge(await other.read(), sandbox, compiler)), isSaved: true };
  }

  /** One after the other: they share a sandbox, and a library that is loaded while another judges would answer for it. */
  function withJudge<T>(
    other: EpisodeLibrary | undefined,
    work: (judge: ReadJudge) => Promise<T>,
  ): Promise<T> {
    return inTurn(async () => {
      const name = other?.name ?? TODAY;
      if (latest?.name !== name)
        latest = { name, judge: other === undefined ? startToday("edited") : startOther(other) };
      const { judge } = latest;
      judge.catch(() => (latest = undefined));
      return work(await judge);
    });
  }

  return {
    now: async (episode, work) => withJudge(inPlaceOfTodays(episode), work),
    isSaved,
    async edited(index) {
      const episode = await episodeAt(index);
      return withJudge(undefined, (current) => judgement(current, episode));
    },
    async saved(index) {
      const episode = await episodeAt(index);
      return withJudge(undefined, async (current) => {
        if (current.isSaved) return judgement(current, episode);
        // It takes the place of the other in the sandbox.
        latest = undefined;
        return judgement(await startToday("saved"), episode);
      });
    },
    forget: () => (latest = undefined),
    dispose: () => {
      isClosed = true;
      void host?.close();
    },
  };
}
