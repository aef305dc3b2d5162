import type { JobSpec, Resources } from "../../model/job.ts";
import type { Target } from "../../model/target.ts";

/** The places on a target that a job uses; all absolute. */
export interface TargetPlace {
  /** The folder of the target. */
  readonly root: string;
  /** The folder of the job. */
  readonly folder: string;
  /** SHA-256 of its `job.json`. */
  readonly content: string;
  /** The folder of the program: `dist/hasp.cjs` and `trainer/`. */
  readonly program: string;
  readonly node: string;
  /** The Python with the trainer's packages; undefined: this job needs none. */
  readonly python: string | undefined;
}

/** Seconds before the limit at which a job is asked to write a checkpoint. */
const NOTICE_SECONDS = 300;
/** A job of an hour or less has less time for it. */
const SHORT_NOTICE_SECONDS = 60;

/** The name of a submission at the scheduler: the same each time it is tried, and no other's. */
export const submissionName = (id: string, number: number): string => `hasp-${id}-${number}`;

/** A word of `sh`. */
export const shellQuoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** `1-06:30:00` for 30.5 hours. */
export function timeLimit(hours: number): string {
  const minutes = Math.max(1, Math.ceil(hours * 60));
  const two = (value: number): string => String(value).padStart(2, "0");
  const days = Math.floor(minutes / 1_440);
  const rest = `${two(Math.floor((minutes % 1_440) / 60))}:${two(minutes % 60)}:00`;
  return days === 0 ? rest : `${days}-${rest}`;
}

const noticeFor = ({ hours }: Resources): number =>
  hours !== undefined && hours <= 1 ? SHORT_NOTICE_SECONDS : NOTICE_SECONDS;

/** The options of sbatch for what a job asks and where the target puts it, one each, as in `--time=24:00:00`. */
export function sbatchOptions(target: Target, resources: Resources): readonly string[] {
  const { gpus = 0, nodes, cpus, memoryGb, hours } = resources;
  const { partition, account, qos, constraint, gpu, options = [] } = target;
  const wanted: readonly (readonly [string, string | number | undefined])[] = [
    ["partition", partition],
    ["account", account],
    ["qos", qos],
    ["constraint", constraint],
    ["nodes", nodes],
    ["ntasks-per-node", nodes === undefined ? undefined : 1],
    ["cpus-per-task", cpus],
    ["mem", memoryGb === undefined ? undefined : `${Math.ceil(memoryGb * 1024)}M`],
    ["gres", gpus === 0 ? undefined : ["gpu", gpu, gpus].filter((part) => part !== undefined).join(":")],
    ["time", hours === undefined ? undefined : timeLimit(hours)],
  ];
  const given = wanted
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${name}=${value}`);
  return [...given, ...options];
}

/** The header of a job for SLURM: it may be requeued, and gets a signal before its time is over. */
function header(target: Target, spec: JobSpec, { folder }: TargetPlace, number: number): readonly string[] {
  const { resources = {}, tasks } = spec;
  const options = [
    `--job-name=${submissionName(spec.id, number)}`,
    `--output=${folder}/scheduler-${number}${tasks === undefined ? "" : "-%a"}.txt`,
    "--open-mode=append",
    "--requeue",
    `--signal=B:USR1@${noticeFor(resources)}`,
    ...(tasks === undefined ? [] : [`--array=1-${tasks}`]),
    ...sbatchOptions(target, resources),
  ];
  return options.map((option) => `#SBATCH ${option}`);
}

/** A second job of the same submission, which a lost answer of the scheduler may have made, does nothing. */
function claim({ folder }: TargetPlace, number: number): readonly string[] {
  const file = shellQuoted(`${folder}/claim-${number}`);
  return [
    `me=\${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}`,
    `(set -C; echo "$me" > ${file}) 2>/dev/null || [ "$(cat ${file})" = "$me" ] || exit 0`,
  ];
}

function variables({ root, python }: TargetPlace, target: Target): Readonly<Record<string, string>> {
  return {
    HF_HOME: `${root}/hub`,
    // Nodes of a cluster may have no way out; all models were downloaded before.
    ...(target.kind === "slurm" && { HF_HUB_OFFLINE: "1" }),
    ...(python !== undefined && { HASP_TRAINER_PYTHON: python }),
  };
}

/** The script that the target runs for a submission: it ends as the runner of the job. */
export function jobScript(target: Target, spec: JobSpec, place: TargetPlace, number: number): string {
  const isSlurm = target.kind === "slurm";
  const task = isSlurm && spec.tasks !== undefined ? ` --task "$SLURM_ARRAY_TASK_ID"` : "";
  const runner = [place.node, `${place.program}/dist/hasp.cjs`, "job-runner", place.folder].map(shellQuoted);
  const lines = [
    "#!/bin/sh",
    ...(isSlurm ? header(target, spec, place, number) : []),
    ...(isSlurm ? claim(place, number) : []),
    ...(spec.tasks !== undefined && isSlurm
      ? [`mkdir -p ${shellQuoted(`${place.folder}/tasks`)}/"$SLURM_ARRAY_TASK_ID"`]
      : []),
    ...(target.setup ?? []),
    ...Object.entries(variables(place, target)).map(
      ([name, value]) => `export ${name}=${shellQuoted(value)}`,
    ),
    `exec ${runner.join(" ")} --submission ${number}${task} --content ${place.content}`,
  ];
  return `${lines.join("\n")}\n`;
}
