import { homedir } from "node:os";
import { join, sep } from "node:path";
import * as vscode from "vscode";
import { HOOK_HOSTS, type HookHost } from "../../agents/hook/event.ts";
import type { InstallScope, OnFailure } from "../../agents/hook/install/host-config.ts";
import { failureFor } from "../../agents/hook/install/failure-setting.ts";
import { HOST_CONFIGS } from "../../agents/hook/install/host-configs.ts";
import {
  applyInstall,
  applyUninstall,
  configFile,
  hookProgram,
  plannedInstall,
  type PlannedChange,
} from "../../platform/hook-install.ts";
import { workspaceOf } from "../../platform/hook-workspace.ts";
import { askYes } from "../ask-yes.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { inform } from "../notification.ts";
import { askInTurn, type WizardStep } from "../in-turn.ts";
import { choiceStep } from "../steps.ts";
import { clip } from "../../model/clip.ts";
import { requireTrust } from "../workspace/trust.ts";
import { firstRoot } from "../workspace/roots.ts";
import { askCli, type StatusAnswer, type TrustAnswer } from "./ask-cli.ts";
import { openDiffView, type DiffView } from "./diff-view.ts";
import { ensureLauncher } from "./launcher.ts";
import type { Services } from "../services.ts";

interface Draft {
  readonly root: string;
  readonly host?: HookHost;
  readonly scope?: InstallScope;
}

const TITLE = `HASP: ${COMMANDS.enforceIn.title}`;

const SCOPES: Readonly<Record<InstallScope, string>> = {
  user: "For you, in every project",
  local: "For you, in this project",
  project: "For all who work in this project",
};

const HOSTS = HOOK_HOSTS.map((host) => ({ label: HOST_CONFIGS[host].title, value: host }));

const hostStep: WizardStep<Draft> = choiceStep("host", () => ({
  placeholder: "Agent that the skills act in",
  choices: HOSTS,
}));

/** From the workspace or the home folder on, where the file lies below one of them. */
function briefPath(file: string): string {
  const home = `${homedir()}${sep}`;
  const inWorkspace = vscode.workspace.asRelativePath(file, false);
  return inWorkspace === file && file.startsWith(home) ? join("~", file.slice(home.length)) : inWorkspace;
}

function scopeStep(host: HookHost): WizardStep<Draft> {
  const { title, places, scope } = HOST_CONFIGS[host];
  const scopes = (Object.keys(SCOPES) as InstallScope[]).filter((one) => one in places);
  return choiceStep("scope", ({ root }) => ({
    placeholder: `Settings of ${title} that are changed`,
    choices: scopes.map((value) => ({
      label: SCOPES[value],
      description: briefPath(configFile(host, value, root) ?? ""),
      value,
    })),
    active: scope,
  }));
}

/** `hook.on_failure` of the workspace as far as it is trusted. */
async function onFailureIn(cli: string, root: string): Promise<OnFailure> {
  const { trusted, settings } = await askCli<TrustAnswer>(cli, root, ["hook", "trust"]);
  return (trusted ? settings?.onFailure : undefined) ?? "open";
}

function planned(
  root: string,
  host: HookHost,
  scope: InstallScope,
  launcher: string,
  onFailure: OnFailure,
): PlannedChange {
  const file = configFile(host, scope, root);
  if (file === undefined)
    throw new Failure(`${HOST_CONFIGS[host].title} has no such place.`, "Choose another one.");
  const { value, diagnostics } = plannedInstall(
    { host, scope, file },
    hookProgram([launcher], scope),
    onFailure,
  );
  // Hooks that are not ours stay; the status afterwards names them.
  if (value !== undefined) return value;
  const [first] = diagnostics;
  const line = (first?.range.start.line ?? 0) + 1;
  throw new Failure(
    `${file}, line ${line}: ${first?.message ?? "it cannot be read."}`,
    first?.next ?? "Fix the file.",
  );
}

/** Writes it, with a way back. */
function write(log: vscode.LogOutputChannel, change: PlannedChange): void {
  const backup = applyInstall(change);
  const { title, after = "" } = HOST_CONFIGS[change.host];
  log.info(`Wrote ${change.file}${backup === undefined ? "" : `; what stood there before: ${backup}`}`);
  const words = `${title} asks HASP from its next session on. ${after}`.trim();
  const undo = () => void applyUninstall({ ...change, before: change.after, after: change.before });
  inform(words, { label: "Undo", press: undo });
}

/** The skills that the workspace brings act only after a yes to exactly their content. */
async function askTrust(cli: string, root: string): Promise<void> {
  const { hash, trusted, changed, skills } = await askCli<TrustAnswer>(cli, root, ["hook", "trust"]);
  if (hash === undefined || trusted) return;
  const details = skills.map(({ skillId, may, file, onLoad }) => ({
    label: skillId,
    description: [
      `may ${may}`,
      ...onLoad.map((command) => `runs when it is loaded: ${clip(command, 80)}`),
    ].join(" · "),
    detail: file,
  }));
  const what = changed ? "This workspace's skills have changed" : "This workspace brings skills of its own";
  const question = `${what}: may exactly these act on the calls of your agents?`;
  if (await askYes({ title: TITLE, question, yes: "Let them act", about: details }))
    await askCli(cli, root, ["hook", "trust", "--yes"]);
}

async function showStatus(
  log: vscode.LogOutputChannel,
  cli: string,
  root: string,
  host: HookHost,
): Promise<boolean> {
  const location = vscode.ProgressLocation.Notification;
  const { title } = HOST_CONFIGS[host];
  const ask = () => askCli<StatusAnswer>(cli, root, ["hook", "status", "--host", host]);
  const status = await vscode.window.withProgress({ location, title: `Asking as ${title} would` }, ask);
  const there = status.places.filter(({ state }) => state !== "absent" && state !== "not-ours");
  for (const { file, state, problems, test } of there)
    log.info(
      `${title}: ${state} ${file} ${problems.join("; ")} ${test?.stdout.trim() ?? ""} ${test?.stderr.trim() ?? ""}`,
    );
  for (const { says } of status.shadows) log.warn(says);
  const notOurs = status.places.flatMap((place) => place.notOurs);
  for (const { file = "", code, message } of notOurs) log.warn(`${file} ${code} ${message}`);
  const failing = there.find(({ state, test }) => state !== "installed" || test?.works !== true);
  if (failing !== undefined || there.length === 0)
    throw new Failure(
      `${title} would get no answer: ${failing?.problems.join("; ") || "the hook did not run"}.`,
      "The log has its words.",
    );
  const ms = Math.max(...there.map(({ test }) => test?.ms ?? 0));
  const shadows = status.shadows.map(({ says }) => says).join(" ");
  const others = notOurs.map(({ file = "", message }) => `${briefPath(file)}: ${message}`).join(" ");
  inform([`${title} is answered in ${ms} ms.`, shadows, others].filter((one) => one !== "").join(" "));
  return true;
}

/** `HASP: Enforce In…`: has a coding agent ask HASP; the same as `hasp hook install`, `trust` and `status`. */
export function registerEnforceIn({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, context } = editorServices;
  const view: DiffView = openDiffView();
  const cli = vscode.Uri.joinPath(context.extensionUri, "dist", "hasp.cjs").fsPath;

  async function enforce(): Promise<boolean> {
    requireTrust("Letting skills act in your agents");
    const root = workspaceOf(firstRoot("that the agent works in").uri.fsPath);
    const draft = await askInTurn<Draft>(TITLE, { root }, ({ host }) =>
      host === undefined ? [hostStep] : [hostStep, scopeStep(host)],
    );
    if (draft?.host === undefined || draft.scope === undefined) return false;
    const { host, scope } = draft;
    const onFailure = failureFor(HOST_CONFIGS[host], scope, await onFailureIn(cli, root));
    const change = planned(root, host, scope, await ensureLauncher(context), onFailure);
    if (change.before !== change.after) {
      await view.show(change);
      const question = `Write this to ${briefPath(change.file)}?`;
      const agreed = await askYes({ title: TITLE, question, yes: "Write it" });
      await view.close();
      if (!agreed) return false;
      write(log, change);
    }
    await askTrust(cli, root);
    return showStatus(log, cli, root, host);
  }

  return vscode.Disposable.from(view, registerCommand(log, COMMANDS.enforceIn, enforce));
}
