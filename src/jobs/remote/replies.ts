import { sha256Schema } from "../../model/foreign-schemas.ts";
import { printable, printableLine } from "../../model/printable.ts";
import { z } from "../../model/zod.ts";
import { ReplyError, TargetRefusal, type RemoteFrame } from "./ports.ts";

/** Most characters of what a target sent, in a message. */
const MOST_SHOWN = 120;

/** A value that a target sent, short and on one line. */
export function shown(value: unknown): string {
  const text = printableLine((JSON.stringify(value) ?? "nothing").slice(0, 4 * MOST_SHOWN));
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** Words of a target for people, as long as they may be. */
const words = (most: number) => z.string().transform((text) => printableLine(text).slice(0, most));

const MOST_PATH = 4_096;
/** A path there goes into the scripts of jobs. */
const path = z
  .string()
  .max(MOST_PATH)
  .refine((text) => text !== "" && printableLine(text) === text && !/[\n\t]/.test(text), "must be a path");
const absolute = path.refine((text) => text.startsWith("/"), "must be an absolute path");

const count = z.number().int().nonnegative();
const integer = z.number().int();

/** The number of a job at the scheduler; `runner` where a runner was started over ssh, and empty where it is not known. */
const jobNumber = z.string().regex(/^(?:\d{1,20}|runner)?$/, "must be the number of a job");

/** A job or a task as the scheduler sees it. */
const entrySchema = z.object({
  id: words(40),
  task: count.nullable(),
  state: words(100),
  reason: words(500),
  exitCode: integer.nullable(),
  signal: integer.nullable(),
});
export type SchedulerEntry = z.infer<typeof entrySchema>;

/** A job as its target sees it. */
export const sightSchema = z.object({
  /** Whether the folder of the job is there. */
  isThere: z.boolean(),
  submission: z
    .object({ number: count, job: jobNumber.optional(), isCancelled: z.boolean().optional() })
    .nullable(),
  /** Whether its runner lives; null under a scheduler, which knows it better. */
  isAlive: z.boolean().nullable(),
  entries: z.array(entrySchema),
  /** Why the scheduler could not be asked. */
  problem: z.object({ code: words(40), message: words(1_000) }).nullish(),
});
export type Sight = z.infer<typeof sightSchema>;

/** The last frame of a sight. `key`: that of all of it; `isMore`: some of the files have more than one reply takes. */
export const seenSchema = z.object({ key: sha256Schema, isMore: z.boolean() });
export const grownSchema = z.object({ file: count, offset: count });
export const missingSchema = z.object({
  missing: z.array(z.object({ hash: sha256Schema, have: count })),
});
export const stagedSchema = z.object({ folder: absolute, work: absolute });
export const submittedSchema = z.object({ number: count, job: jobNumber });
/** An output by its name there, which `placeOfOutput` checks. */
export const manifestSchema = z.object({ path: z.string(), size: count, hash: z.string() });
export const pieceSchema = z.object({ path: z.string(), isWhole: z.boolean().optional() });
/** A model that the trainer has downloaded. */
export const fetchedSchema = z.object({ model: z.string(), bytes: z.number() });
export const lineSchema = z.object({ line: words(2_000) });
/** What keeps a training from the GPUs of a machine; none where nothing does. */
export const describedSchema = z.object({
  problems: z.array(z.object({ message: words(1_000), next: words(1_000) })),
});
export const rehearsedSchema = z.object({ hasNode: z.boolean() });
export const preparedSchema = z.object({ python: path, node: path });

const gpuSchema = z.object({ name: words(200), memoryMb: z.number(), driver: words(100) });

/** A target as it is found. */
export const probeSchema = z.object({
  /** The folder of the target, absolute. */
  root: absolute,
  host: words(255),
  system: words(100),
  machine: words(100),
  /** Of the Python that answers. */
  version: z.array(z.number()).max(5),
  /** A Python that the trainer runs with; null: there is none. */
  python: path.nullable(),
  /** A Node 22 or later; null: there is none. */
  node: path.nullable(),
  /** Why the folder cannot be used. */
  fault: words(500).nullable(),
  freeBytes: z.number(),
  /** `slurm 22.05.8`; null: it is not installed. */
  slurm: words(100).nullable(),
  isSlurmUp: z.boolean(),
  /** Null where there is no nvidia-smi, as on a login node. */
  gpus: z.array(gpuSchema).max(1_000).nullable(),
  /** Seconds since 1970 by the clock there. */
  time: z.number(),
});
export type Probe = z.infer<typeof probeSchema>;

/** The answer to a request in its form; throws a ReplyError that shows what came instead. */
export function readReply<T>(schema: z.ZodType<T>, value: unknown, op: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.map(String).join(".") ?? "";
  const field = place === "" ? "" : ` (${printableLine(place).slice(0, MOST_SHOWN)} is wrong)`;
  throw new ReplyError("form", `it answers ${op} with ${shown(value)}${field}`);
}

const refusedSchema = z.object({
  code: words(40),
  message: z.string().transform((text) => printable(text).slice(0, 2_000)),
});

/** Why a target does not do what was asked; undefined where it does. */
export function refusalIn({ header }: RemoteFrame): TargetRefusal | undefined {
  const { refused } = header;
  if (refused === undefined) return undefined;
  const { code, message } = readReply(refusedSchema, refused, "a request");
  return new TargetRefusal(code, message);
}

/** The answer of a target that sends nothing before the end of its reply. */
export const noAnswer = (op: string): ReplyError => new ReplyError("form", `it answers ${op} with nothing`);
