import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import { checked } from "../../app/refusal.ts";
import { isOver } from "../../jobs/follow.ts";
import type { JobEvent, JobRecord } from "../../model/job.ts";
import { tryLock } from "../../platform/process-lock.ts";
import { writePath } from "../../platform/write-path.ts";
import { plainLine } from "../experiments/words.ts";
import { logFindings } from "../log-findings.ts";
import { backendsFor, type JobBundles } from "./backends.ts";
import { tellEnd } from "./end-notice.ts";
import { type FoundJob, type JobWork, type Jobs, recordOf } from "./jobs.ts";
import { isAllowed } from "./targets.ts";
import { isUnderWay } from "./words.ts";

/** Jobs that one window follows at once: each holds a connection. */
const MOST_FOLLOWED = 8;
/** Milliseconds until a job whose target refuses us is asked for again. */
const AGAIN_MS = 60_000;

/** Changes what a window shows of its work on a job; without anything left the job is shown as its folder has it. */
export function showWork(jobs: Pick<Jobs, "running" | "setRunning">, folder: vscode.Uri, change: JobWork) {
  const work = { ...jobs.running(folder)?.work, ...change };
  const isIdle = Object.values(work).every((value) => value === undefined);
  jobs.setRunning(folder, isIdle ? undefined : { work });
}

/** Follows jobs that are not over, one follower for each on this machine, and tells of their end. */
export class JobFollower implements vscode.Disposable {
  private readonly followed = new Set<string>();
  /** Jobs that another window follows. */
  private readonly elsewhere = new Set<string>();
  private readonly closing = new AbortController();
  private readonly bundles: JobBundles;

  constructor(bundles: JobBundles) {
    this.bundles = bundles;
  }

  /** Whether this window follows a job, or may. */
  private fits({ folder, report, work }: FoundJob): boolean {
    const { value } = report;
    if (value === undefined || this.followed.has(folder.toString()) || work?.doing !== undefined)
      return false;
    if (!isUnderWay(value.record)) return false;
    return value.target === undefined || (value.isOwn && isAllowed(value.target));
  }

  isWaiting(): boolean {
    return this.elsewhere.size > 0;
  }

  /** Follows what is not followed yet. */
  async look(): Promise<void> {
    this.elsewhere.clear();
    if (!vscode.workspace.isTrusted || this.closing.signal.aborted) return;
    const { jobs, log } = this.bundles.editorServices;
    for (const found of await jobs.list()) {
      if (this.followed.size >= MOST_FOLLOWED || this.closing.signal.aborted) return;
      if (!this.fits(found)) continue;
      const key = found.folder.toString();
      this.followed.add(key);
      void this.follow(found)
        .catch((error: unknown) => log.error(`Following ${found.name} failed`, String(error)))
        .finally(() => this.followed.delete(key));
    }
  }

  private async follow({ folder, name }: FoundJob): Promise<void> {
    const { jobs, log } = this.bundles.editorServices;
    const attempt = tryLock(writePath(`${folder.fsPath}/follow.lock`));
    // Another window follows it: what it writes into the folder is shown here, too.
    if (attempt.lock === undefined) {
      this.elsewhere.add(folder.toString());
      return;
    }
    this.elsewhere.delete(folder.toString());
    const { lost } = attempt.lock;
    const signal = AbortSignal.any([this.closing.signal, lost]);
    try {
      jobs.forget(folder);
      const now = await jobs.read(folder);
      if (!isUnderWay(now.report.value?.record)) return;
      log.info(`Following job ${name}`);
      const end = await this.untilEnd(folder, signal);
      if (end === undefined) return;
      jobs.forget(folder);
      log.info(`Job ${name} ended: ${end.status}`);
      tellEnd(await jobs.read(folder), end);
    } finally {
      attempt.lock.release();
      if (!this.closing.signal.aborted) showWork(jobs, folder, { metrics: undefined, record: undefined });
    }
  }

  /** The record of the end; undefined where the window closes before. */
  private async untilEnd(folder: vscode.Uri, signal: AbortSignal): Promise<JobRecord | undefined> {
    const { jobs, log } = this.bundles.editorServices;
    while (!signal.aborted) {
      let last: JobRecord | undefined;
      const { diagnostics } = await checked(async () => {
        const backend = await backendsFor(this.bundles).of(folder.fsPath);
        for await (const event of backend.follow(folder.fsPath, signal))
          last = this.hear(folder, event) ?? last;
        return true;
      });
      if (last !== undefined && isOver(last)) return last;
      if (signal.aborted) return undefined;
      logFindings(log, diagnostics);
      const why = diagnostics.at(-1)?.message;
      const known = recordOf(await jobs.read(folder));
      if (why !== undefined && known !== undefined)
        showWork(jobs, folder, { record: { ...known, unreachable: why } });
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }

  /** The record in an event that changes it. */
  private hear(folder: vscode.Uri, event: JobEvent): JobRecord | undefined {
    const { jobs, log } = this.bundles.editorServices;
    switch (event.kind) {
      case "log":
        return undefined;
      case "trouble":
        log.warn(plainLine(event.message));
        return undefined;
      case "metrics":
        showWork(jobs, folder, { metrics: event.metrics });
        return undefined;
      case "status":
        jobs.forget(folder);
        showWork(jobs, folder, { record: event.record });
        return event.record;
    }
  }

  dispose(): void {
    this.closing.abort();
  }
}
