import { originSchema, outcomeSchema } from "./episode.ts";
import { z } from "./zod.ts";

export const IMPORT_SCHEMA = "hasp.import/1";

const count = z.number().int().nonnegative();

const countsSchema = z.object({
  episodes: count,
  steps: count,
  /** Steps whose action could not be read. */
  invalidSteps: count,
  /** Abandoned branches, and their steps. */
  abandoned: count,
  abandonedSteps: count,
  /** Episodes of sub-agents. */
  subAgents: count,
  /** Episodes without a step, and those that no question could be found for. */
  withoutStep: count,
  withoutQuestion: count,
  /** Turns of the agent by their prompt: word for word, as far as a transcript has it, or none. */
  exactPrompts: count,
  transcriptPrompts: count,
  withoutPrompt: count,
});
/** Counts of the episodes of a file, of a format or of a whole import. */
export type ImportCounts = z.infer<typeof countsSchema>;

export const noImportCounts = (): ImportCounts => ({
  episodes: 0,
  steps: 0,
  invalidSteps: 0,
  abandoned: 0,
  abandonedSteps: 0,
  subAgents: 0,
  withoutStep: 0,
  withoutQuestion: 0,
  exactPrompts: 0,
  transcriptPrompts: 0,
  withoutPrompt: 0,
});

const entrySchema = z.object({
  /** As the format names it, e.g. `messages[].tool_calls`. */
  what: z.string(),
  /** The field it went to, or why it was dropped. */
  to: z.string(),
  times: count,
});
/** One kind of thing in a file, and what became of it. */
export type LedgerEntry = z.infer<typeof entrySchema>;

const kindSchema = entrySchema.extend({
  /** Files that hold it, and the first of them. */
  files: count,
  first: z.string(),
});
/** One kind of thing over all files. */
export type ImportedKind = z.infer<typeof kindSchema>;

const fileSchema = countsSchema.extend({
  file: z.string(),
  format: z.string(),
  /** Id of its first episode in the run. */
  firstEpisode: z.string().optional(),
  /** Warnings and errors about it. */
  problems: count,
  /** Went to a field of the episode. */
  mapped: z.array(entrySchema),
  /** Is kept as it was, in `extra`. */
  kept: z.array(entrySchema),
  /** Is not in the episode: a known kind that no episode needs. */
  dropped: z.array(entrySchema),
  /** Is not in the episode: a kind that the reader does not know. */
  unknown: z.array(entrySchema),
});
export type ImportedFile = z.infer<typeof fileSchema>;

const findingSchema = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning", "information", "hint"]),
  next: z.string().optional(),
  times: count,
  files: count,
  /** The first ones. */
  places: z.array(
    z.object({
      file: z.string().optional(),
      /** 1-based; absent where the finding is about the whole file. */
      line: z.number().int().positive().optional(),
      message: z.string(),
    }),
  ),
});
/** All findings of one code and severity. */
export type ImportFinding = z.infer<typeof findingSchema>;

export const importReportSchema = countsSchema.extend({
  schema: z.literal(IMPORT_SCHEMA),
  /** ISO 8601. */
  createdAt: z.string(),
  /** What was imported, as it was named. */
  order: z.object({
    sources: z.array(z.string()),
    format: z.string().optional(),
    domain: z.string().optional(),
    questions: z.string().optional(),
    verdicts: z.string().optional(),
  }),
  outcomes: z.record(outcomeSchema, count),
  formats: z.array(countsSchema.extend({ format: z.string(), files: count })),
  /** Files that were read, in order. */
  files: z.array(fileSchema),
  /** Files in the folders that were not read, for they are of no known format. */
  unread: z.object({
    files: count,
    endings: z.array(z.object({ ending: z.string(), files: count })),
    /** Some of them. */
    first: z.array(z.string()),
  }),
  /** Over all files: kinds that no reader knows, and known ones that no episode needs. */
  unknown: z.array(kindSchema),
  dropped: z.array(kindSchema),
  findings: z.array(findingSchema),
  /** The first abandoned branches. */
  branches: z.array(
    z.object({ episode: z.string(), question: z.string(), steps: count, origin: originSchema.optional() }),
  ),
});
/** `import.json` of a run folder: what an import read, and what it did not. */
export type ImportReport = z.infer<typeof importReportSchema>;

type Fates = Readonly<Record<"mapped" | "kept" | "dropped" | "unknown", readonly LedgerEntry[]>>;

/** Whether all that a file holds is known, and makes no episode: the program keeps its own state there, say. */
export const isNeededInNone = ({ mapped, kept, dropped, unknown }: Fates): boolean =>
  mapped.length + unknown.length === 0 && kept.length + dropped.length > 0;

/** Whether a person should look at the file: something in it was not read, or is not as it should be. */
export const isOdd = (file: ImportedFile): boolean =>
  file.problems > 0 || file.unknown.length > 0 || (file.episodes === 0 && !isNeededInNone(file));
