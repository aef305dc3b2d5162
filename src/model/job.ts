import { z } from "./zod.ts";

/** The programs that a job may start; a backend knows how each is started on its machine. */
export const JOB_PROGRAMS = ["hasp", "python"] as const;
export type JobProgram = (typeof JOB_PROGRAMS)[number];

/** Stands in an argument for the policy that the job serves, such as `http://127.0.0.1:8123/v1#student`. */
export const STUDENT = "{student}";

/**
 * The variable in which commands of a job find the address of its student, such as `http://127.0.0.1:8123/v1#student`: `served:<name>` as a model
 * spec means the model there, under a name that does not change with the port.
 */
export const STUDENT_ADDRESS = "HASP_STUDENT";

/** The variable with the key that a student asks of each request; only its server gets it. */
export const STUDENT_KEY = "HASP_STUDENT_KEY";

/** The variable in which commands of a job find the path of a file with that key. */
export const STUDENT_KEY_FILE = "HASP_STUDENT_KEY_FILE";

const commandSchema = z.object({
  program: z.enum(JOB_PROGRAMS),
  args: z.array(z.string()),
  /** Exit codes after which the job continues; absent: 0 alone. */
  exitCodes: z.array(z.number().int()).optional(),
  /** Of a training, on each machine: one for each GPU; absent: 1. */
  processes: z.number().int().positive().optional(),
  /** A sentence for people, such as "Roll out the train split". */
  about: z.string(),
});
export type JobCommand = z.infer<typeof commandSchema>;

const servedSchema = z.object({
  /** Folder or name of the model. */
  model: z.string(),
  /** Folder of a LoRA adapter on it. */
  adapter: z.string().optional(),
  engine: z.enum(["auto", "vllm", "transformers"]),
  /** Seconds until it must answer; 1800 by default, since a large model is loaded, and may be downloaded, in many minutes. */
  readySeconds: z.number().positive().optional(),
});
/** A student that a job serves while its commands run (SPEC §8). */
export type ServedStudent = z.infer<typeof servedSchema>;

/** What a job asks of a scheduler; what is absent is the scheduler's own default. */
export const resourcesSchema = z.object({
  /** Of each node. */
  gpus: z.number().int().nonnegative().optional(),
  nodes: z.number().int().positive().optional(),
  /** Cores of each node. */
  cpus: z.number().int().positive().optional(),
  /** Memory of each node, in GB. */
  memoryGb: z.number().positive().optional(),
  /** After so many hours the job is asked to write a checkpoint, and queued again. */
  hours: z.number().positive().optional(),
});
export type Resources = z.infer<typeof resourcesSchema>;

/** Stand in an argument for the number of the task, from 1, and for that of all tasks. */
export const TASK = "{task}";
export const TASKS = "{tasks}";

/** `job.json` of a job folder: all that a backend needs to execute it, without any secret. */
export const jobSpecSchema = z.object({
  schema: z.literal("hasp.job/1"),
  /** Made before the first attempt to submit: submitting the same id twice is harmless. Lower case, digits and dashes. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/),
  title: z.string(),
  /** The folder in which the commands run, absolute or relative to the job folder; paths in their arguments are relative to it. */
  cwd: z.string(),
  /** Run one after the other; the first that fails ends the job. */
  commands: z.array(commandSchema).min(1),
  serve: servedSchema.optional(),
  /** Variables of every command; never a key. */
  env: z.record(z.string(), z.string()),
  /** Names of variables that the submitting process hands over, such as those of keys. One that is not set is left out. */
  passEnv: z.array(z.string()),
  /** `metrics.jsonl` of each training in the order in which they run, relative to `cwd`. */
  metrics: z.preprocess((one) => (typeof one === "string" ? [one] : one), z.array(z.string())).optional(),
  /** Files and folders that the commands read, as their arguments name them; a target gets copies of them. */
  inputs: z.array(z.string()).optional(),
  /** Files and folders that the commands write, relative to `cwd`; a target's are brought here at the end. */
  outputs: z.array(z.string()).optional(),
  /** Those of the inputs that are JSON and name others of the inputs. */
  configs: z.array(z.string()).optional(),
  /** Models of the hub that a target downloads before the job begins. */
  models: z.array(z.string()).optional(),
  /** Jobs of one group run in one folder on a target, so that each finds what the others wrote; absent: the job alone. */
  group: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,99}$/)
    .optional(),
  /** Ids of jobs that must have succeeded before this one begins. */
  after: z.array(z.string()).optional(),
  /** The commands run once for each of so many tasks, side by side where a scheduler has the room. */
  tasks: z.number().int().positive().max(10_000).optional(),
  resources: resourcesSchema.optional(),
  /** Seconds that a command gets to end by itself when the job is stopped; 60 by default, in which a trainer writes a checkpoint. */
  graceSeconds: z.number().positive().optional(),
});
export type JobSpec = z.infer<typeof jobSpecSchema>;

/**
 * `prepared`: written, not submitted. `lost`: neither alive nor ended, as after a power cut; submitting it again resumes it.
 * `stopped`: a person ended it, and what it wrote is usable.
 */
export const JOB_STATUSES = [
  "prepared",
  "submitted",
  "running",
  "succeeded",
  "failed",
  "stopped",
  "lost",
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const hasEnded = (status: JobStatus): boolean =>
  status === "succeeded" || status === "failed" || status === "stopped";

/** Tasks of a job by how far they are. */
export interface TaskCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly running: number;
  readonly failed: number;
}

/** How far a job is. */
export interface JobRecord {
  readonly status: JobStatus;
  /** Only of a job with tasks. */
  readonly tasks?: TaskCounts;
  /** Why nothing newer is known, such as a link that is down. A sentence for people. */
  readonly unreachable?: string;
  /** 1 for the first; absent where none began. */
  readonly attempt?: number;
  /** ISO 8601 in UTC. */
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** The command that runs or ran last, 0-based. */
  readonly command?: number;
  /** Of the command that failed. */
  readonly exitCode?: number;
  /** The signal that ended it: a failure, unless a person stopped the job. */
  readonly signal?: string;
  /** A sentence for people: why it failed, was stopped or is lost. */
  readonly reason?: string;
  /** The last lines of its log that are not empty, where it failed. */
  readonly lastLines?: readonly string[];
}

/** Null where the trainer has no number: not logged, NaN, or infinite. */
const measured = z.number().nullable().default(null);

/** A line of `metrics.jsonl`: the seven scalars of SPEC §8, every few optimizer steps. */
export const metricsSchema = z.object({
  step: z.number().int(),
  /** 1-based; the learning rate warms up anew in each. */
  iteration: z.number().int(),
  loss: measured,
  grad_norm: measured,
  learning_rate: measured,
  /** Nats per corrected target token. */
  entropy: measured,
  /** Tokens seen so far, earlier iterations included. */
  num_tokens: measured,
  /** Share of the corrected target tokens that the model would have chosen. */
  mean_token_accuracy: measured,
  epoch: measured,
});
export type TrainingMetrics = z.infer<typeof metricsSchema>;

export type JobEvent =
  | { readonly kind: "log"; readonly line: string }
  /** A step that is not after the last one's: training resumed from a checkpoint, and later points are measured anew. */
  | { readonly kind: "metrics"; readonly metrics: TrainingMetrics }
  /** Metrics that cannot be read, or are not numbers. A sentence for people. */
  | { readonly kind: "trouble"; readonly message: string }
  | { readonly kind: "status"; readonly record: JobRecord };

/**
 * Executes jobs on some machine. `folder` holds `job.json`; its `id` tells jobs apart. A job that cannot be used or started is a refusal
 * (app/refusal.ts), which `checked` turns into diagnostics.
 */
export interface JobBackend {
  readonly name: string;
  /**
   * Starts the job once; a job that runs or has succeeded is left alone, one that failed, was stopped or is lost starts again. When the signal
   * aborts, it rejects with the signal's reason, and the next call continues.
   */
  submit(folder: string, signal?: AbortSignal): Promise<void>;
  status(folder: string): Promise<JobRecord>;
  /**
   * Log lines and changes of status from the start of the job's present attempt, and the metrics that its training kept from the attempts
   * before, until the job ends, is lost or `signal` aborts. Each once, none left out; the last event is the status at the end.
   */
  follow(folder: string, signal: AbortSignal): AsyncIterable<JobEvent>;
  /** Asks the job to end at a clean boundary; after a grace period it is killed. Resolves when it has ended, also where nothing ran. */
  cancel(folder: string): Promise<void>;
  /** Brings what the job wrote to its places here. What is here already is not sent again. The signal as for `submit`. */
  fetch(folder: string, signal?: AbortSignal): Promise<void>;
}
