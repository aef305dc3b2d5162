import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { readTargets } from "../../jobs/targets.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { hostOf, type NamedTarget } from "../../model/target.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { allowTarget, isTargetAllowed } from "../../platform/remote/target-consent.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { askYes } from "../ask-yes.ts";
import { choose } from "../choose.ts";
import { type CommandContribution, COMMANDS, SETTINGS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { plainLine } from "../experiments/words.ts";
import { logFindings } from "../log-findings.ts";
import { warn } from "../notification.ts";
import { wayTo } from "../unmet.ts";
import { targetWords } from "./words.ts";

/** A target that a person, or a workspace, has named. */
export interface KnownTarget extends NamedTarget {
  /** The person's settings, or the `hasp.yaml` of a workspace folder. */
  readonly from: "settings" | "workspace";
}

/** The person's own setting: machine settings of a workspace are not even looked at. */
const ownSetting = (): unknown =>
  vscode.workspace.getConfiguration().inspect(SETTINGS.targets.key)?.globalValue ?? {};

/** The targets of the person's settings, and what is wrong with others. */
export const ownTargets = () => readTargets(ownSetting(), "settings.json");

async function workspaceTargets(files: NodeFiles, root: vscode.Uri): Promise<readonly NamedTarget[]> {
  const { readWorkspaceConfig } = await import("../../app/run/settings.ts");
  const file = vscode.Uri.joinPath(root, CONFIG_FILE).fsPath;
  // What is wrong in it is shown in the file itself.
  return (await readWorkspaceConfig(files, file)).value.targets;
}

/** All targets, the person's own first, with the findings about those that cannot be used. */
export async function knownTargets(
  files: NodeFiles,
): Promise<{ readonly targets: readonly KnownTarget[]; readonly diagnostics: readonly Diagnostic[] }> {
  const own = ownTargets();
  const roots = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const shared = await Promise.all(roots.map(({ uri }) => workspaceTargets(files, uri)));
  return {
    targets: [
      ...own.value.map((one): KnownTarget => ({ ...one, from: "settings" })),
      ...shared.flat().map((one): KnownTarget => ({ ...one, from: "workspace" })),
    ],
    diagnostics: own.diagnostics,
  };
}

/** Whether jobs may be sent to, and asked of, a target: one of the person's own settings, or one that they said yes to. */
export function isAllowed({ target }: Pick<NamedTarget, "target">): boolean {
  return ownTargets().value.some((own) => isDeepStrictEqual(own.target, target)) || isTargetAllowed(target);
}

/** All that decides what is started there, a row each. */
function aboutTarget({ target }: NamedTarget): readonly vscode.QuickPickItem[] {
  const { kind, folder, setup = [], python, environment, partition, account, options = [] } = target;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["kind", kind === "ssh" ? "ssh: jobs start at once" : "SLURM: jobs wait for a place"],
    ["host", hostOf(target)],
    ["folder", folder],
    ...setup.map((line) => ["setup line", line] as const),
    ["python", python],
    ["environment", environment],
    ["partition", partition],
    ["account", account],
    ...options.map((option) => ["option of sbatch", option] as const),
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : [{ label: `$(info) ${name}`, description: plainLine(value) }],
  );
}

/** Asks once whether jobs may go to a target that a workspace names. False: nothing is sent. */
export async function requireAllowed(named: NamedTarget, title: string): Promise<boolean> {
  if (isAllowed(named)) return true;
  const agreed = await askYes({
    title,
    question: `The target ${named.name} is of this workspace: may HASP start programs there?`,
    yes: "Allow this target",
    detail: "Kept for this user and for exactly this target; a change of it asks again",
    about: aboutTarget(named),
  });
  if (agreed) allowTarget(named.target);
  return agreed;
}

const OPEN_SETTINGS = {
  label: "Open Settings",
  command: "workbench.action.openSettings",
  arguments: [SETTINGS.targets.key],
};

/** Tells of targets that cannot be read, with the way to correct them. */
export function tellUnreadable(log: vscode.LogOutputChannel, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  logFindings(log, diagnostics);
  const [first] = diagnostics;
  const more = diagnostics.length > 1 ? ` ${diagnostics.length - 1} more in the log.` : "";
  warn(`${plainLine(first?.message ?? "")} ${first?.next ?? ""}${more}`, OPEN_SETTINGS);
}

const rowOf = (one: KnownTarget) => ({
  label: `$(server) ${one.name}`,
  description: targetWords(one),
  ...(one.from === "workspace" && {
    detail: `of ${CONFIG_FILE}${isAllowed(one) ? "" : "; asks for your yes"}`,
  }),
  value: one,
});

/** Rows of the targets for a list. */
export const targetRows = (targets: readonly KnownTarget[]) => targets.map(rowOf);

/** The target of this name, else the one that a person chooses. Unmet where there is none. */
export async function chooseTarget(
  { files, log }: { readonly files: NodeFiles; readonly log: vscode.LogOutputChannel },
  command: CommandContribution,
  name: unknown,
): Promise<KnownTarget | undefined> {
  const { targets, diagnostics } = await knownTargets(files);
  tellUnreadable(log, diagnostics);
  const named = typeof name === "string" ? targets.filter((one) => one.name === name) : targets;
  const [only] = named;
  if (only === undefined)
    throw new Unmet(
      typeof name === "string" ? `There is no target ${name}.` : "There is no target yet.",
      "Add one: a machine over ssh, or a SLURM cluster.",
      wayTo(COMMANDS.addTarget),
    );
  if (named.length === 1) return only;
  return choose(`HASP: ${command.title}`, "Target", targetRows(named), { matchOnDescription: true });
}

/** Keeps a target in the person's own settings, in place of one of the same name. */
export async function keepTarget({ name, target }: NamedTarget): Promise<void> {
  const setting = ownSetting();
  const others = typeof setting === "object" && setting !== null ? setting : {};
  await vscode.workspace
    .getConfiguration()
    .update(SETTINGS.targets.key, { ...others, [name]: target }, vscode.ConfigurationTarget.Global);
}
