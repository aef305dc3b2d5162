import process from "node:process";
import * as vscode from "vscode";
import { type JobBuild, jobBuild } from "../../platform/local-jobs.ts";
import { trainerFolder, trainerPython } from "../../platform/trainer-python.ts";
import { askYes } from "../ask-yes.ts";
import { COMMANDS, SETTINGS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { inform } from "../notification.ts";
import { readSetting } from "../settings.ts";
import { wayTo } from "../unmet.ts";
import { requireTrust } from "../workspace/trust.ts";

/** The build of this extension, of which jobs run parts. */
export const buildOf = ({ extensionUri }: Pick<vscode.ExtensionContext, "extensionUri">): JobBuild =>
  jobBuild(vscode.Uri.joinPath(extensionUri, "dist", "hasp.cjs").fsPath);

/** The Python that trains and serves, or why there is none. */
export const pythonHere = () =>
  trainerPython({ environment: process.env, setting: readSetting(SETTINGS.trainerPython) });

/** The Python that trains and serves; unmet without one, with the way to install it. */
export function requireTrainer(): string {
  const { value, diagnostics } = pythonHere();
  if (value !== undefined) return value;
  throw new Unmet(
    diagnostics.at(-1)?.message ?? "The trainer is not installed.",
    "Install it: Python packages of about 6 GB, of this user and outside the workspace. Or name a Python in the setting hasp.trainer.python.",
    wayTo(COMMANDS.installTrainer),
    {
      label: "Open Settings",
      command: "workbench.action.openSettings",
      arguments: [SETTINGS.trainerPython.key],
    },
  );
}

const IS_ELECTRON = process.versions["electron"] !== undefined;

/** Runs the installation as a task, whose terminal shows it; answers its exit code, undefined where it was ended. */
async function runTask({ cli }: JobBuild): Promise<number | undefined> {
  const title = COMMANDS.installTrainer.title;
  const env = IS_ELECTRON ? { ELECTRON_RUN_AS_NODE: "1" } : {};
  const execution = new vscode.ProcessExecution(process.execPath, [cli, "trainer", "install", "--yes"], {
    env,
  });
  const task = new vscode.Task({ type: "process" }, vscode.TaskScope.Workspace, title, "HASP", execution);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: false, clear: true };
  const ended = new Promise<number | undefined>((resolve) => {
    const listener = vscode.tasks.onDidEndTaskProcess(({ execution: { task: one }, exitCode }) => {
      if (one.name !== title) return;
      listener.dispose();
      resolve(exitCode);
    });
  });
  await vscode.tasks.executeTask(task);
  return ended;
}

/** Installs what the person agrees to. True once it is there, false where they leave. */
export async function installTrainer(context: vscode.ExtensionContext): Promise<boolean> {
  requireTrust("The trainer is installed by a task, which");
  const build = buildOf(context);
  const { INSTALLED_GB, isInstalled } = await import("../../platform/trainer-install.ts");
  if (isInstalled(build.trainer)) {
    inform(`The trainer is installed already, in ${trainerFolder()}.`, wayTo(COMMANDS.runExperiment));
    return true;
  }
  const agreed = await askYes({
    title: `HASP: ${COMMANDS.installTrainer.title}`,
    question: `PyTorch, Transformers, TRL, PEFT and what they need: ${INSTALLED_GB} GB for this user`,
    yes: "Download and install",
    detail: `into ${trainerFolder()}`,
  });
  if (!agreed) return false;
  const code = await runTask(build);
  if (code === undefined) throw new vscode.CancellationError();
  if (code !== 0)
    throw new Failure(
      `The installation ended with code ${code}.`,
      "Its terminal says why; the same command tries again.",
    );
  inform("The trainer is installed.", wayTo(COMMANDS.runExperiment));
  return true;
}
