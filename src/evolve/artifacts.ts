import {
  candidateChecksSchema,
  candidateIdSchema,
  EVOLVE_MODES,
  GATES,
  heldOutWorthSchema,
  type Phase,
  type WorthNull,
} from "../model/evolution.ts";
import { failureClusterSchema } from "../model/failure.ts";
import { parseJson } from "../model/read-json.ts";
import { recordNameSchema } from "../model/record-path.ts";
import { refusedReplySchema } from "../model/refused-reply.ts";
import { reviewSchema } from "../model/review.ts";
import { z } from "../model/zod.ts";
import { START_OF_FILE, type Checked } from "../model/diagnostic.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { epochPathSchema } from "./evolution-paths.ts";

const count = z.number().int().nonnegative();

/** The order of an evolution, as far as its results depend on it, and what its models have cost. */
export const evolutionSchema = z.object({
  schema: z.literal("hasp.evolution/1"),
  id: z.string(),
  createdAt: z.string(),
  domain: z.string(),
  /** As the order named it; `evolutionLibrary` says whether it may be written into. */
  generated: z.string(),
  mode: z.enum(EVOLVE_MODES),
  gate: z.enum(GATES),
  worth: z.boolean(),
  caps: z.object({ candidates: count, minClusterSize: count, librarySize: count }),
  seed: z.number().int(),
  author: z.string(),
  teacher: z.string(),
  pinned: z.array(z.string()),
  /** The list of shipped skills that act beside the generated ones. */
  triggers: z.string().optional(),
  /** `live`, with the settings of its runs, or `recorded`, with the hashes of their episodes. */
  rollouts: z.record(z.string(), z.unknown()),
  /** May grow: an evolution can be given more epochs. */
  epochs: count,
  /** The rule of held-out worth: its null hypothesis, and the epochs that the evolution was begun with. Absent: the rule of versions before it, a fair coin. */
  worthRule: z.object({ null: z.literal("base rate"), epochs: count }).optional(),
});
export type EvolutionFile = z.infer<typeof evolutionSchema>;

export const worthNullOf = ({ worthRule }: Pick<EvolutionFile, "worthRule">): WorthNull =>
  worthRule?.null ?? "fair coin";

/** A: the runs of the epoch. */
export const rolledOutSchema = z.object({
  /** Runs whose failures the author may see: of live rollouts paths of the epoch, of recorded runs their names in the order. */
  runs: z.array(z.string()),
  /** The validation run; absent without live rollouts. */
  validation: epochPathSchema.optional(),
  episodes: count,
  failed: count,
  words: z.string(),
});

/** B */
export const failuresSchema = z.object({
  clusters: z.array(failureClusterSchema),
  /** Replies of the teacher that were no summary. They may name the gold answer: no author reads them. */
  refusedSummaries: z.array(refusedReplySchema.extend({ episodeId: z.string() })).optional(),
  words: z.string(),
});

/** C: a proposal, with what objective B needs of it. */
export const proposalSchema = z.object({
  id: candidateIdSchema,
  cluster: z.string(),
  /** Empty where no reply held a skill. */
  skillId: z.string(),
  /** kebab-case; empty where no reply held a skill. */
  name: recordNameSchema.or(z.literal("")),
  errorCategory: z.string(),
  /** The id that the author gave, where a skill with another aim has it (HASP859). */
  renamedFrom: z.string().optional(),
  /** Replies of the author. */
  replies: count,
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
  completion: z.string(),
  /** Holds SKILL.md, pf.ts and cases.yaml; absent where no reply held a skill. */
  folder: epochPathSchema.optional(),
  /** Why there is no skill. */
  problem: z.string().optional(),
  /** Code of the problem; older files have none, there a file was missing (HASP645). */
  problemCode: z.string().optional(),
});
export type ProposalFile = z.infer<typeof proposalSchema>;
export const proposalsSchema = z.object({ proposals: z.array(proposalSchema), words: z.string() });

/** D */
const checkedSchema = z.object({ id: candidateIdSchema, checks: candidateChecksSchema });
export const checksSchema = z.object({ candidates: z.array(checkedSchema), words: z.string() });

/** E: the candidate as it goes to admission: after a revision, with the revision's checks. */
export const reviewedSchema = z.object({
  id: candidateIdSchema,
  checks: candidateChecksSchema,
  proposal: proposalSchema,
  review: reviewSchema.optional(),
  /** Replies of the teacher of which no review came, of the candidate or of its revision. */
  refusedReviews: z.array(refusedReplySchema).optional(),
  worth: heldOutWorthSchema.optional(),
});
export type ReviewedCandidate = z.infer<typeof reviewedSchema>;
export const reviewsSchema = z.object({ candidates: z.array(reviewedSchema), words: z.string() });

/** F */
export const admissionSchema = z.object({
  /** Acting skills of the domain before and after. */
  before: count,
  after: count,
  admitted: z.array(z.string()),
  /** Generated skills that made room. */
  retired: z.array(z.string()),
  words: z.string(),
});

/** G */
export const creditSchema = z.object({
  /** Exact match on the validation split, before the epoch and after it. */
  before: z.number().optional(),
  after: z.number().optional(),
  /** The validation run with the library after the epoch; absent without live rollouts. */
  validation: epochPathSchema.optional(),
  words: z.string(),
});

/** H */
export const builtSchema = z.object({
  rows: z.record(z.string(), count),
  notices: z.array(z.string()),
  words: z.string(),
});

/** The artifact that ends each phase. */
export const PHASE_SCHEMAS = {
  rollout: rolledOutSchema,
  failures: failuresSchema,
  proposals: proposalsSchema,
  checks: checksSchema,
  reviews: reviewsSchema,
  admission: admissionSchema,
  credit: creditSchema,
  data: builtSchema,
} as const satisfies Record<Phase, z.ZodType>;
export type PhaseResult<P extends keyof typeof PHASE_SCHEMAS> = z.infer<(typeof PHASE_SCHEMAS)[P]>;

const encoder = new TextEncoder();
/** Larger files were not written by an evolution: a proposal holds a prompt and a reply. */
const MAX_BYTES = 100_000_000;

type ReadFiles = Pick<SkillFiles, "readText">;
/** Files that artifacts are written with. */
export type WriteFiles = Pick<TraceFiles, "writeAtomic" | "makeFolder">;

/** Replaces a file as a whole; its folder is made where it is missing. */
export async function writeText(files: WriteFiles, path: string, text: string): Promise<void> {
  await files.makeFolder(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  await files.writeAtomic(path, encoder.encode(text));
}

/** An artifact as text. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const writeJson = (files: WriteFiles, path: string, value: unknown): Promise<void> =>
  writeText(files, path, jsonText(value));

/** A file of an evolution, no value where there is none; one that does not fit is HASP670. */
export async function readArtifact<T>(
  files: ReadFiles,
  path: string,
  schema: z.ZodType<T>,
): Promise<Checked<T>> {
  const { value, diagnostics } = await readArtifactText(files, path, schema);
  return { value: value?.artifact, diagnostics };
}

/** As `readArtifact`, with the text. */
export async function readArtifactText<T>(
  files: ReadFiles,
  path: string,
  schema: z.ZodType<T>,
): Promise<Checked<{ readonly artifact: T; readonly text: string }>> {
  const found = await files.readText(path, MAX_BYTES);
  if (found.kind === "absent") return { value: undefined, diagnostics: [] };
  const read = schema.safeParse(found.kind === "text" ? parseJson(found.text) : undefined);
  if (read.success && found.kind === "text")
    return { value: { artifact: read.data, text: found.text }, diagnostics: [] };
  const [issue] = read.error?.issues ?? [];
  const where = issue?.path.map(String).join(".") ?? "";
  return {
    value: undefined,
    diagnostics: [
      {
        code: "HASP670",
        severity: "error",
        message: `The file is no such artifact of an evolution: ${where === "" ? "" : `${where}: `}${issue?.message ?? "it is no JSON"}.`,
        next: "Restore it, or delete it: its phase is then done anew.",
        file: path,
        range: START_OF_FILE,
      },
    ],
  };
}
