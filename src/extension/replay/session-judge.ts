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
import type { EpisodeJudging, LibraryJudgement } from "./what-if.ts";

export const RESTRICTED =
  'This workspace is not trusted, so no Program Function runs: you see what was recorded. "Workspaces: Manage Workspace Trust" changes that.';

interface Services extends Pick<Judging, "compiler" | "startHost"> {
  readonly library: LibrarySource;
  /** The run whose episodes are judged. */
  readonly run: () => Promise<FoundRun>;
  readonly episodeAt: (index: number) => Promise<Episode>;
}

/** Today's library as the judge of one run's episodes, in a sandbox that starts with the first judgement. */
export interface SessionJudge extends EpisodeJudging, vscode.Disposable {
  /** Runs `work` with the library as it stands in the editors; RequestError where the workspace is not trusted. */
  now<T>(work: (judge: ReplayJudge) => Promise<T>): Promise<T>;
  /** Reads the library anew at the next judgement. */
  forget(): void;
}

/** A judge, and whether what it read was saved. */
interface ReadJudge extends ReplayJudge {
  readonly isSaved: boolean;
}

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

export function openSessionJudge({ library, run, episodeAt, compiler, startHost }: Services): SessionJudge {
  const inTurn = serialQueue();
  let host: ReturnType<typeof startHost> | undefined;
  let judge: Promise<ReadJudge> | undefined;

  async function start(text: "edited" | "saved"): Promise<ReadJudge> {
    if (!vscode.workspace.isTrusted)
      throw new RequestError(RESTRICTED, "Manage workspace trust, then reload the run.");
    host ??= startHost();
    // One without a PF judges nothing, but may supersede another.
    const all = ofDomain(await library.list(), await run());
    const wasSaved = isSaved();
    const skills = await library.read(all, text);
    const asSaved = text === "saved" || (wasSaved && isSaved());
    return { ...(await openReplayJudge(skills, host, compiler)), isSaved: asSaved };
  }

  /** One after the other: they share a sandbox, and a library that is loaded while another judges would answer for it. */
  function withJudge<T>(work: (judge: ReadJudge) => Promise<T>): Promise<T> {
    return inTurn(async () => {
      const current = (judge ??= start("edited"));
      current.catch(() => (judge = undefined));
      return work(await current);
    });
  }

  return {
    now: withJudge,
    isSaved,
    async edited(index) {
      const episode = await episodeAt(index);
      return withJudge((current) => judgement(current, episode));
    },
    async saved(index) {
      const episode = await episodeAt(index);
      return withJudge(async (current) => {
        if (current.isSaved) return judgement(current, episode);
        // It takes the place of the other in the sandbox.
        judge = undefined;
        return judgement(await start("saved"), episode);
      });
    },
    forget: () => (judge = undefined),
    dispose: () => void host?.close(),
  };
}
