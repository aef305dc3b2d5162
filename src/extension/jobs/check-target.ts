import process from "node:process";
import * as vscode from "vscode";
import { abortable } from "../../jobs/remote/ports.ts";
import type { Probe } from "../../jobs/remote/replies.ts";
import { shellQuoted } from "../../jobs/remote/script.ts";
import { testTarget, type TargetCheck } from "../../jobs/remote/test-target.ts";
import { counted } from "../../model/counted.ts";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import { hostOf, type NamedTarget } from "../../model/target.ts";
import { remotePorts } from "../../platform/remote/remote-jobs.ts";
import { buildOf } from "../experiments/trainer.ts";
import { plainLine } from "../experiments/words.ts";
import { OPEN_LOG } from "../failure.ts";
import { type Button, inNotification, type WayOut } from "../notification.ts";
import type { JobBundles } from "./backends.ts";

/** A target as it was found. */
export interface CheckedTarget {
  readonly probe: Probe;
  /** Why nothing could be trained or served there, although other jobs can run. */
  readonly remark: Diagnostic | undefined;
}

/** Looks at a target, and has SLURM look at a tiny job. Nothing is written there but its folder. */
async function look(
  { editorServices: { context } }: Pick<JobBundles, "editorServices">,
  named: NamedTarget,
  signal: AbortSignal,
): Promise<Checked<CheckedTarget>> {
  const ports = remotePorts({ build: buildOf(context), environment: process.env, on: () => undefined });
  const { probe, checks } = await testTarget(abortable(ports.link(named.target), signal), named);
  const problemOf = (wanted: (name: TargetCheck["name"]) => boolean): Diagnostic | undefined =>
    checks.find(({ name, problem }) => wanted(name) && problem !== undefined)?.problem;
  const problem = problemOf((name) => name !== "training");
  if (probe === undefined || problem !== undefined)
    return { value: undefined, diagnostics: problem === undefined ? [] : [problem] };
  return { value: { probe, remark: problemOf((name) => name === "training") }, diagnostics: [] };
}

/** Tests a target under a notification that can be cancelled; a cancelled test ends with a CancellationError. */
export async function checkTarget(
  bundles: Pick<JobBundles, "editorServices">,
  named: NamedTarget,
): Promise<Checked<CheckedTarget>> {
  return inNotification(`Testing ${named.name} on ${hostOf(named.target)}`, async (signal) => {
    const found = await look(bundles, named, signal);
    signal.throwIfAborted();
    return found;
  });
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`;

/** `2 GPUs (NVIDIA L40S, 48 GB, driver 550.54)`. */
function gpuWords(gpus: Probe["gpus"]): string {
  const [first] = gpus ?? [];
  if (gpus === null || first === undefined) return "no GPU on the machine that answers";
  const { name, memoryMb, driver } = first;
  return `${counted(gpus.length, "GPU")} (${plainLine(name)}, ${Math.round(memoryMb / 1024)} GB, driver ${plainLine(driver)})`;
}

/** The facts of a target that a person chooses it by, a part each. */
export function probeFacts({
  version,
  python,
  node,
  slurm,
  gpus,
  freeBytes,
  root,
}: Probe): readonly string[] {
  const trainer =
    python === null ? `Python ${version.join(".")}, too old to train with` : `Python at ${python}`;
  return [
    plainLine(trainer),
    node === null ? "Node comes with the first job" : `Node at ${plainLine(node)}`,
    ...(slurm === null ? [] : [plainLine(slurm).replace(/^slurm(?:-wlm)?/, "SLURM")]),
    gpuWords(gpus),
    `${gigabytes(freeBytes)} free in ${plainLine(root)}`,
  ];
}

/** A terminal with the command ready; the person starts it, compares keys and types passwords. */
function openTerminal(host: string): void {
  const terminal = vscode.window.createTerminal({ name: `ssh ${host}` });
  terminal.show();
  terminal.sendText(`ssh ${shellQuoted(host)}`, false);
}

/** Failures that a person settles in a terminal: a host key to look at, a login to set up. */
const BY_HAND = new Set(["HASP771", "HASP772", "HASP774", "HASP780"]);

/** Buttons that help with a failed test. */
export function waysFor(
  { target }: NamedTarget,
  { code }: Pick<Diagnostic, "code">,
): readonly (WayOut | Button)[] {
  const { host } = target;
  const terminal = { label: "Open Terminal", press: () => openTerminal(host ?? "") };
  return [...(host !== undefined && BY_HAND.has(code) ? [terminal] : []), OPEN_LOG];
}

/** The finding that ended a test. */
export function whyOf({ diagnostics }: Checked<unknown>): Pick<Diagnostic, "code" | "message" | "next"> {
  return (
    diagnostics.at(-1) ?? { code: "HASP780", message: "The target cannot be asked.", next: OPEN_LOG.label }
  );
}
