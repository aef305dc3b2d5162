import * as vscode from "vscode";
import { coalesce } from "../coalesce.ts";
import { CONTEXT_KEYS, SETTINGS, VIEWS } from "../contributions.ts";
import type { Services } from "../services.ts";
import { createTree, type Row } from "../tree.ts";
import { JOBS_PLACE } from "./jobs.ts";

/** Milliseconds between two looks at the duration of a running job, and for jobs that another window may have let go. */
const TICK = 10_000;

type Bundles = Pick<Services, "editorServices" | "modelServices">;

interface Following extends vscode.Disposable {
  readonly look: () => void;
  /** Whether another window follows a job that this one would. */
  readonly isWaiting: () => boolean;
}

/** Follows jobs once there are any. A window without jobs loads nothing for it. */
function followJobs(bundles: Bundles): Following {
  const { log } = bundles.editorServices;
  let follower: (vscode.Disposable & { look(): Promise<void>; isWaiting(): boolean }) | undefined;
  let isClosed = false;
  const lookOnce = coalesce(async () => {
    if (isClosed || !vscode.workspace.isTrusted) return;
    if (follower === undefined) {
      const some = await vscode.workspace.findFiles(`**/${JOBS_PLACE}/*/job.json`, undefined, 1);
      if (some.length === 0) return;
      const { JobFollower } = await import("./follower.ts");
      if (isClosed) return;
      follower = new JobFollower(bundles);
    }
    await follower.look();
  });
  return {
    look: () =>
      void lookOnce().catch((error: unknown) => log.error("Looking for jobs failed", String(error))),
    isWaiting: () => follower?.isWaiting() ?? false,
    dispose() {
      isClosed = true;
      follower?.dispose();
    },
  };
}

/** Tells of targets in the settings that cannot be used, as soon as they are written. */
async function checkSetting({ editorServices: { log } }: Bundles): Promise<void> {
  const { ownTargets, tellUnreadable } = await import("./targets.ts");
  tellUnreadable(log, ownTargets().diagnostics);
}

/** The view of jobs. Jobs that are not over are followed while the window is open. */
export function registerJobsTree(bundles: Bundles): vscode.Disposable {
  const { jobs, clock } = bundles.editorServices;
  const { served } = bundles.modelServices;
  // The words of the rows come with the schemas of jobs, which most windows never need.
  const rows = async (): Promise<readonly Row[]> => {
    if ((await jobs.list()).length === 0) return [];
    const { jobRows } = await import("./rows.ts");
    const { isAllowed } = await import("./targets.ts");
    const isServed = (adapter: string): boolean => served.answering()?.student.adapter === adapter;
    return jobRows({ jobs, isAllowed, isServed, now: () => clock.now() });
  };
  const tree = createTree(VIEWS.jobs.id, rows, CONTEXT_KEYS.noJobs);
  const following = followJobs(bundles);
  const update = (): void => {
    following.look();
    void tree.refresh();
  };
  const ticking = setInterval(() => {
    if (jobs.isAnyRunning() && tree.view.visible) void tree.refresh();
    if (following.isWaiting()) following.look();
  }, TICK);
  following.look();
  return vscode.Disposable.from(
    tree,
    following,
    new vscode.Disposable(() => clearInterval(ticking)),
    jobs.onDidChange(update),
    jobs.onDidBegin(() => void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.noJobs, false)),
    served.onDidChange(() => void tree.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(SETTINGS.targets.key)) return;
      void checkSetting(bundles);
      update();
    }),
  );
}
