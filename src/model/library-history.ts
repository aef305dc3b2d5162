import { candidateDecisionSchema, GATES, heldOutWorthSchema, refusalSchema } from "./evolution.ts";
import { sha256Schema } from "./foreign-schemas.ts";
import { recordNameSchema } from "./record-path.ts";
import { saidSchema, scoresSchema } from "./review.ts";
import { z } from "./zod.ts";

const share = z.number().min(0).max(1);
const version = z.number().int().positive();

/** All that was measured of a candidate, so that a decision can be read on its own. */
export const candidateScoresSchema = z.object({
  /** Executable checks passed, as a share. */
  exec: share,
  compiles: z.boolean(),
  refusals: z.array(refusalSchema).optional(),
  /** Of the teacher's review; absent without one. */
  review: scoresSchema.optional(),
  qSkill: share.optional(),
  said: saidSchema.optional(),
  worth: heldOutWorthSchema.optional(),
  deltaEm: z.number().optional(),
  reward: z.number().optional(),
});
export type CandidateScores = z.infer<typeof candidateScoresSchema>;

/** The evolution that a skill comes from: the field `evolved` of its `metadata.json`. */
export const evolvedSkillSchema = z.object({
  evolution: z.string(),
  epoch: z.number().int().nonnegative(),
  candidate: z.string(),
  gate: z.enum(GATES),
  /** Worth on held-out questions was asked for. */
  worthOn: z.boolean(),
  newCategory: z.boolean(),
  decision: candidateDecisionSchema,
  scores: candidateScoresSchema,
});
export type EvolvedSkill = z.infer<typeof evolvedSkillSchema>;

export const HISTORY_KINDS = [
  "admitted",
  "undecided",
  "rejected",
  "retired",
  "restored",
  "rolled_back",
  "override",
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

export const HISTORY_WORDS: Readonly<Record<HistoryKind, string>> = {
  admitted: "admitted",
  undecided: "undecided",
  rejected: "rejected",
  retired: "retired",
  restored: "restored",
  rolled_back: "rolled back",
  override: "override",
};

/** One decision or change of a library of generated skills. */
export const historyEntrySchema = z.object({
  /** Unique in a history. The same event has the same key when an evolution is resumed, and is recorded once. */
  key: z.string(),
  /** ISO 8601 in UTC. */
  when: z.string(),
  kind: z.enum(HISTORY_KINDS),
  by: z.enum(["gate", "person"]),
  /** A sentence. */
  reason: z.string(),
  evolution: z.string().optional(),
  epoch: z.number().int().nonnegative().optional(),
  candidate: z.string().optional(),
  skillId: z.string().optional(),
  version: version.optional(),
  gate: z.enum(GATES).optional(),
  worthOn: z.boolean().optional(),
  /** Of an override: whether the person accepts the candidate. */
  accepted: z.boolean().optional(),
  scores: candidateScoresSchema.optional(),
  /** Of a rollback: folders of versions that were taken out and put back. */
  moved: z.object({ retired: z.array(z.string()), restored: z.array(z.string()) }).optional(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

export const HISTORY_SCHEMA = "hasp.library-history/1";

const snapshotVersionSchema = z.object({
  skillId: recordNameSchema,
  version,
  name: recordNameSchema,
  /** The latest of its id among the generated ones. */
  acts: z.boolean(),
  /** SHA-256 of its texts together. */
  hash: sha256Schema,
  /** SHA-256 by the name of the file. */
  files: z.record(z.string(), sha256Schema),
});
export type SnapshotVersion = z.infer<typeof snapshotVersionSchema>;

export const SNAPSHOT_SCHEMA = "hasp.library-snapshot/1";

/** Generated skills that are in a library at one moment. Copies of their files are beside it. */
export const librarySnapshotSchema = z.object({
  schema: z.literal(SNAPSHOT_SCHEMA),
  when: z.string(),
  /** Absent where it was taken before a rollback. */
  epoch: z.number().int().nonnegative().optional(),
  /** The folder of generated skills, as the evolution named it. */
  library: z.string(),
  versions: z.array(snapshotVersionSchema),
});
export type LibrarySnapshot = z.infer<typeof librarySnapshotSchema>;
