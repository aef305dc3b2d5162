import { counted } from "./counted.ts";
import { failureClusterSchema } from "./failure.ts";
import { reviewSchema } from "./review.ts";
import { z } from "./zod.ts";

/** The phases of an epoch, in order (SPEC §7): A to H. */
export const PHASES = [
  "rollout",
  "failures",
  "proposals",
  "checks",
  "reviews",
  "admission",
  "credit",
  "data",
] as const;
export type Phase = (typeof PHASES)[number];

export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  rollout: "Roll out the seed questions",
  failures: "Analyse failures",
  proposals: "Propose skills",
  checks: "Check candidates",
  reviews: "Review candidates",
  admission: "Admit to the library",
  credit: "Assign credit",
  data: "Build training data",
};

/** `A` to `H`. */
export const phaseLetter = (phase: Phase): string => String.fromCodePoint(65 + PHASES.indexOf(phase));

/** Full asks models at every phase; lite asks the author alone and skips clusters and mock execution (SPEC §7). */
export const EVOLVE_MODES = ["full", "lite"] as const;
export type EvolveMode = (typeof EVOLVE_MODES)[number];

/** Which results decide on admission (SPEC §7 F). */
export const GATES = ["strict", "exec-only", "teacher-only", "audit", "none"] as const;
export type Gate = (typeof GATES)[number];

export const GATE_WORDS: Readonly<Record<Gate, string>> = {
  strict: "the executable checks and the teacher's review",
  "exec-only": "the executable checks alone",
  "teacher-only": "the teacher's review alone",
  audit: "whatever compiles, with all scores stored",
  none: "whatever compiles, without any score",
};

/** Gates that cannot decide without a review. */
export const needsReview = (gate: Gate): boolean => gate === "strict" || gate === "teacher-only";
/** The gate where none is named: lite mode asks no teacher for a review. */
export const defaultGate = (mode: EvolveMode): Gate => (mode === "lite" ? "exec-only" : "strict");
/** Gates that admit whatever compiles: held-out worth plays no part there. */
export const isOpen = (gate: Gate): boolean => gate === "audit" || gate === "none";

/** Limits of an epoch (SPEC §7). */
export const EVOLVE_LIMITS = {
  candidates: 5,
  minClusterSize: 3,
  librarySize: 50,
  /** Failed episodes that lite mode looks at, and proposals that it makes of them. */
  liteFailures: 20,
  liteCandidates: 3,
  /** Tries of the author to repair what our diagnostics find, after the first reply. */
  repairs: 2,
} as const;

const share = z.number().min(0).max(1);
const count = z.number().int().nonnegative();

/** Why a candidate is refused by what was found on it without a model. Stored, so that any gate can be asked later. */
export const refusalSchema = z.object({
  code: z.string(),
  message: z.string(),
});
export type CandidateRefusal = z.infer<typeof refusalSchema>;

export const checkOutcomeSchema = z.object({
  name: z.string(),
  outcome: z.enum(["passed", "failed", "not run"]),
  /** The first finding, where it failed. */
  finding: refusalSchema.optional(),
});

/** Phase D. */
export const candidateChecksSchema = z.object({
  /** Checks passed / 4; in lite mode of those that are run. */
  score: share,
  /** It can be loaded: its code compiles and has the interface. Nothing else can ever be admitted. */
  compiles: z.boolean(),
  checks: z.array(checkOutcomeSchema),
  /** Findings on the candidate that no score shows, such as an answer of a seed episode in its text. */
  refusals: z.array(refusalSchema),
});
export type CandidateChecks = z.infer<typeof candidateChecksSchema>;

/** `undecided`: too few held-out questions to say. Such a candidate is a proposal: it is neither admitted nor rejected. */
export const WORTH_VERDICTS = ["passed", "refused", "undecided"] as const;
export type WorthVerdict = (typeof WORTH_VERDICTS)[number];

/** The null hypothesis of held-out worth. Versions before this one took a fair coin, and an evolution keeps the one that it was begun with. */
export const WORTH_NULLS = ["base rate", "fair coin"] as const;
export type WorthNull = (typeof WORTH_NULLS)[number];
export const WORTH_NULL_WORDS: Readonly<Record<WorthNull, string>> = {
  "base rate": "against a trigger that knows nothing",
  "fair coin": "against a fair coin, the rule of the version that began this evolution",
};

/** Worth against the base rate: what a trigger that fires as often and knows nothing would do on these questions. */
export const baseRateSchema = z.object({
  verdict: z.enum(WORTH_VERDICTS),
  /** How many of the questions that are better or worse such a trigger makes better, on average. */
  expected: z.number().nonnegative(),
  /** The least p that as many changed questions can have. */
  attainable: share,
  /** It was one of the epoch's tests, and p is compared with the level. */
  tested: z.boolean(),
  /** About how many held-out questions would do, where an undecided candidate goes on as it did. */
  enough: count.optional(),
  /** The candidate that was tested as the same one: this is its result, and spends nothing. */
  testedAs: z.string().optional(),
  /** Hashes of the Program Function and of its effects; candidates that share one are the same. */
  program: z.string(),
  effects: z.string(),
});
export type BaseRate = z.infer<typeof baseRateSchema>;

/** Worth on questions that the author never saw, question by question. */
export const heldOutWorthSchema = z.object({
  /** Questions with more help than harm, with more harm than help, and with as much of both or none. */
  better: count,
  worse: count,
  ties: count,
  /** The chance in [0, 1] that a useless candidate is better on as many questions. */
  p: share,
  /** p had to be below this, after Holm over the epoch's tested candidates. */
  level: share,
  wrong: z.object({ episodes: count, helped: count }),
  right: z.object({ episodes: count, harmed: count }),
  passed: z.boolean(),
  /** A sentence. */
  why: z.string(),
  /** Absent: p is that of a sign test with a fair coin. */
  baseRate: baseRateSchema.optional(),
});
export type HeldOutWorth = z.infer<typeof heldOutWorthSchema>;

export const verdictOf = ({ passed, baseRate }: Pick<HeldOutWorth, "passed" | "baseRate">): WorthVerdict =>
  baseRate?.verdict ?? (passed ? "passed" : "refused");

export const candidateDecisionSchema = z.object({
  admitted: z.boolean(),
  /** A sentence. */
  reason: z.string(),
  /** `person`: an override of what the gate said. */
  by: z.enum(["gate", "person"]),
  /** The gate admitted it, and the library had no room: it was full of skills that stay. */
  noRoom: z.literal(true).optional(),
  /** Not admitted, because too little is known of its worth: it stays a proposal. */
  undecided: z.literal(true).optional(),
});
export type CandidateDecision = z.infer<typeof candidateDecisionSchema>;

export const DECISIONS = ["admitted", "undecided", "rejected"] as const;
export type DecisionWord = (typeof DECISIONS)[number];

/** The word for a decision, in histories, views and outputs. */
export function decisionWordOf({
  admitted,
  undecided,
}: Pick<CandidateDecision, "admitted" | "undecided">): DecisionWord {
  if (admitted) return "admitted";
  return undecided === true ? "undecided" : "rejected";
}

/** `2 of 5 candidates admitted, 1 undecided`. */
export function decisionsInWords(candidates: readonly { readonly decision: CandidateDecision }[]): string {
  const words = candidates.map(({ decision }) => decisionWordOf(decision));
  const count = (word: DecisionWord): number => words.filter((one) => one === word).length;
  const open = count("undecided");
  return `${count("admitted")} of ${counted(words.length, "candidate")} admitted${open === 0 ? "" : `, ${open} undecided`}`;
}

/** Of a candidate: unique in an evolution, and part of names of files. */
export const candidateIdSchema = z
  .string()
  .regex(/^e[1-9]\d{0,5}-c[1-9]\d{0,5}$/, "must be the id of a candidate, such as `e1-c2`");

export const EVOLVED_SCHEMA = "hasp.evolved/1";

/** A candidate of an epoch with all that was measured of it. One line of `candidates.jsonl` of the epoch's folder. */
export const evolvedCandidateSchema = z.object({
  schema: z.literal(EVOLVED_SCHEMA),
  id: candidateIdSchema,
  epoch: z.number().int().positive(),
  /** Base id, without a version. */
  skillId: z.string(),
  /** kebab-case, the folder's name. */
  name: z.string(),
  /** In the library, once admitted: 1 for a new id, else one more than the latest. */
  version: z.number().int().positive(),
  cluster: failureClusterSchema.omit({ examples: true }).extend({ size: count }).optional(),
  /** Flagged novel, and no active skill has its base id or its error_category (SPEC §7, readings). */
  newCategory: z.boolean(),
  /** Replies of the author, repairs and a revision included. */
  replies: count,
  checks: candidateChecksSchema,
  review: reviewSchema.optional(),
  worth: heldOutWorthSchema.optional(),
  /** Change of EM on the validation split with the library after the epoch; absent without live rollouts. */
  deltaEm: z.number().min(-1).max(1).optional(),
  /** r_skill (SPEC §6); absent without a review. */
  reward: z.number().optional(),
  decision: candidateDecisionSchema,
});
export type EvolvedCandidate = z.infer<typeof evolvedCandidateSchema>;
