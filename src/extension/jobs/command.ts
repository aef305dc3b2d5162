import * as vscode from "vscode";
import { registerCommand } from "../commands.ts";
import { type CommandContribution, COMMANDS } from "../contributions.ts";
import type { RunBundles } from "../questions/order.ts";
import { attachJob, cancelJob, copyJobId, deleteJob, fetchJob, submitAgain } from "./actions.ts";
import { addTarget } from "./add-target.ts";
import { openLog } from "./open-log.ts";
import { submitTrainingJob } from "./submit/command.ts";
import { testTarget } from "./test-target.ts";

/** `HASP: Submit Training Job`, targets, and the commands of the view of jobs. */
export function registerJobs(bundles: RunBundles): vscode.Disposable {
  const { log, jobs } = bundles.editorServices;
  const on = (
    command: CommandContribution,
    run: (argument?: unknown) => Promise<unknown>,
  ): vscode.Disposable => registerCommand(log, command, run);
  return vscode.Disposable.from(
    on(COMMANDS.submitTrainingJob, (argument) => submitTrainingJob(bundles, argument)),
    on(COMMANDS.addTarget, (argument) => addTarget(bundles, argument)),
    on(COMMANDS.testTarget, (argument) => testTarget(bundles, argument)),
    on(COMMANDS.cancelJob, (argument) => cancelJob(bundles, argument)),
    on(COMMANDS.fetchJob, (argument) => fetchJob(bundles, argument)),
    on(COMMANDS.submitJobAgain, (argument) => submitAgain(bundles, argument)),
    on(COMMANDS.attachJob, (argument) => attachJob(bundles, argument)),
    on(COMMANDS.openJobLog, (argument) => openLog(jobs, argument)),
    on(COMMANDS.deleteJob, (argument) => deleteJob(bundles, argument)),
    on(COMMANDS.copyJobId, (argument) => copyJobId(bundles, argument)),
  );
}
