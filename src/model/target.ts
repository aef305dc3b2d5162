import { consentInLine } from "./consent-commands.ts";
import { z } from "./zod.ts";

/** How jobs are started on a target: by a runner at once, or by SLURM when it has a place for them. */
export const TARGET_KINDS = ["ssh", "slurm"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** Names of targets: they stand in commands and file names. */
export const TARGET_NAME = /^[a-zA-Z0-9][\w.-]{0,63}$/;

const line = z.string().refine((text) => !/[\r\n\0]/.test(text), "must be a single line");

/** A machine or a cluster that jobs are sent to. It holds no secret: ssh brings the person's own keys. */
export const targetSchema = z.strictObject({
  kind: z.enum(TARGET_KINDS),
  /** As `ssh` takes it: an alias of `~/.ssh/config`, or `user@host`. Absent: this very machine. */
  host: line
    .regex(/^[^-\s][^\s]*$/, "must be a host as `ssh` takes it, and must not begin with `-`")
    .optional(),
  /** The folder that gets everything: programs, environments, models, jobs. `~/` is the home folder there. */
  folder: line.regex(/^(?:\/|~\/)[^\0]*$/, "must be an absolute path, or one below `~/`").default("~/hasp"),
  /** Lines of `sh` before anything else, such as `module load python/3.12`. */
  setup: z
    .array(line.refine((text) => consentInLine(text) === undefined, "must not give a consent of a person"))
    .optional(),
  /** A Python 3.11 to 3.13 that environments are made with; absent: the first on the PATH there. */
  python: line.optional(),
  /** The Python of an environment that has the trainer's packages already; none is made then. */
  environment: line.optional(),
  partition: line.optional(),
  account: line.optional(),
  qos: line.optional(),
  /** The kind of GPU as the cluster names it, such as `l40s`; absent: any. */
  gpu: line.optional(),
  constraint: line.optional(),
  /** More options of `sbatch`, such as `--exclude=node7`. */
  options: z.array(line.regex(/^--?\w/, "must be an option of sbatch, such as `--exclude=node7`")).optional(),
});
export type Target = z.infer<typeof targetSchema>;

/** A target by the name that a person gave it. */
export interface NamedTarget {
  readonly name: string;
  readonly target: Target;
}

/** The place in words: `gpu-cluster`, or `this machine`. */
export const hostOf = ({ host }: Target): string => host ?? "this machine";
