import { z } from "../../model/zod.ts";

/** A job or a task as the scheduler sees it. */
const entrySchema = z.object({
  id: z.string(),
  task: z.number().int().nullable(),
  state: z.string(),
  reason: z.string(),
  exitCode: z.number().int().nullable(),
  signal: z.number().int().nullable(),
});
export type SchedulerEntry = z.infer<typeof entrySchema>;

/** A job as its target sees it. */
const sightSchema = z.object({
  /** Whether the folder of the job is there. */
  isThere: z.boolean(),
  submission: z
    .object({ number: z.number().int(), job: z.string().optional(), isCancelled: z.boolean().optional() })
    .nullable(),
  /** Whether its runner lives; null under a scheduler, which knows it better. */
  isAlive: z.boolean().nullable(),
  entries: z.array(entrySchema),
  /** Why the scheduler could not be asked. */
  problem: z.object({ code: z.string(), message: z.string() }).nullish(),
});
export type Sight = z.infer<typeof sightSchema>;

export const seenSchema = z.object({ seen: sightSchema, key: z.string() });
export const grownSchema = z.object({
  file: z.number().int(),
  offset: z.number().int(),
  size: z.number().int(),
});
export const missingSchema = z.object({
  missing: z.array(z.object({ hash: z.string(), have: z.number().int() })),
});
export const stagedSchema = z.object({ folder: z.string(), work: z.string() });
export const submittedSchema = z.object({ number: z.number().int(), job: z.string() });
export const manifestSchema = z.object({ path: z.string(), size: z.number().int(), hash: z.string() });
export const pieceSchema = z.object({ path: z.string(), isWhole: z.boolean().optional() });
/** A model that the trainer has downloaded. */
export const fetchedSchema = z.object({ model: z.string(), bytes: z.number() });
export const lineSchema = z.object({ line: z.string() });
/** What keeps a training from the GPUs of a machine; none where nothing does. */
export const describedSchema = z.object({
  problems: z.array(z.object({ message: z.string(), next: z.string() })),
});
export const rehearsedSchema = z.object({ words: z.string(), hasNode: z.boolean() });
export const preparedSchema = z.object({ python: z.string(), node: z.string() });

const gpuSchema = z.object({ name: z.string(), memoryMb: z.number(), driver: z.string() });

/** A target as it is found. */
export const probeSchema = z.object({
  /** The folder of the target, absolute. */
  root: z.string(),
  host: z.string(),
  system: z.string(),
  machine: z.string(),
  /** Of the Python that answers. */
  version: z.array(z.number()),
  /** A Python that the trainer runs with; null: there is none. */
  python: z.string().nullable(),
  /** A Node 22 or later; null: there is none. */
  node: z.string().nullable(),
  /** Why the folder cannot be used. */
  fault: z.string().nullable(),
  freeBytes: z.number(),
  /** `slurm 22.05.8`; null: it is not installed. */
  slurm: z.string().nullable(),
  isSlurmUp: z.boolean(),
  /** Null where there is no nvidia-smi, as on a login node. */
  gpus: z.array(gpuSchema).nullable(),
  /** Seconds since 1970 by the clock there. */
  time: z.number(),
});
export type Probe = z.infer<typeof probeSchema>;
