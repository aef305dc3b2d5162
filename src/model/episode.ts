import { z } from "./zod.ts";
import { actionSchema } from "./action.ts";
import { projectCheckSchema, toolResultSchema, worldSchema } from "./coding-context.ts";
import { decisionSchema, instructionSchema } from "./decision.ts";
import { pfEventSchema } from "./intervention.ts";
import { usageSchema } from "./usage.ts";

export const EPISODE_SCHEMA = "hasp.episode/1";

/** `correct` and `wrong` are judged against the gold answer; `halted` never gave one; `unjudged` has no gold. */
export const outcomeSchema = z.enum(["correct", "wrong", "halted", "unjudged"]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** One thing the policy proposed, with the thought it came with. */
export const proposalSchema = z.object({
  thought: z.string(),
  action: actionSchema,
  usage: usageSchema.optional(),
  /** What the host saw of the world just then; only where an agent works in one. */
  world: worldSchema.optional(),
});
export type Proposal = z.infer<typeof proposalSchema>;

export const documentSchema = z.object({ id: z.string(), title: z.string().optional(), text: z.string() });
export type Document = z.infer<typeof documentSchema>;

/**
 * One step of an episode: proposal(s) → PF events → executed action → observation.
 * A second proposal exists only where a context held back a FINAL (DESIGN.md, Γ).
 */
export const stepSchema = z.object({
  /** 0-based. People see `t + 1`. */
  t: z.number().int().nonnegative(),
  /** What the policy was reminded of before it proposed. */
  instructions: z.array(instructionSchema).optional(),
  /** What a person said since the step before. */
  prompts: z.array(z.string()).optional(),
  /** Earlier steps whose answers were still to come when this one was proposed: an agent may call several tools at once. */
  unanswered: z.array(z.number().int().nonnegative()).optional(),
  proposals: z.array(proposalSchema).min(1),
  events: z.array(pfEventSchema),
  executed: actionSchema,
  /** Context texts that PFs added, in the order the policy saw them. */
  injected: z.array(z.object({ skillId: z.string(), text: z.string() })),
  /** What the environment answered, without injected text. For a FINAL: empty, or what the policy read before another round. */
  observation: z.string(),
  /** How the tool ended, where the host says so. */
  result: toolResultSchema.optional(),
  documents: z.array(documentSchema).optional(),
  /** Milliseconds of the one sandbox crossing that judged the step. */
  dispatchMs: z.number().nonnegative().optional(),
  /** What an importer met at this step and has no room for. No PF sees it. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
export type Step = z.infer<typeof stepSchema>;

/** What the run knew about its environment, so that rules can say when they do not apply. */
export const domainFactsSchema = z.object({
  domain: z.string(),
  /** Action types the environment could execute. */
  actionTypes: z.array(z.string()),
  /** The action type that gives the answer and ends the episode; absent where it is FINAL. */
  finalAction: z.string().optional(),
  /** A search returned text itself: it counts as read, and rules that need READ do not apply (DESIGN.md, "Real trajectories"). */
  searchReturnsText: z.boolean(),
  /** A READ that a PF wants becomes a SEARCH: there is no READ, and what a SEARCH returns counts as read (SPEC §10.6). */
  readBecomesSearch: z.boolean().optional(),
  maxSteps: z.number().int().positive(),
  /** The folder in which a coding agent works; paths of the episode are relative to it. */
  cwd: z.string().optional(),
  /** How the project checks itself. */
  project: z.array(projectCheckSchema).optional(),
});
export type DomainFacts = z.infer<typeof domainFactsSchema>;

export const skillRefSchema = z.object({ skillId: z.string(), version: z.number(), hash: z.string() });
export type SkillRef = z.infer<typeof skillRefSchema>;

/** One line of `episodes.jsonl`. The index fields come first, so an index needs only the head of a line. */
export const episodeSchema = z.object({
  schema: z.literal(EPISODE_SCHEMA),
  id: z.string().min(1),
  questionId: z.string(),
  outcome: outcomeSchema,
  /** Number of steps. */
  length: z.number().int().nonnegative(),
  question: z.string(),
  /** Where it came from: `hasp`, or the importer's name. */
  source: z.string(),
  facts: domainFactsSchema,
  /** Switches and budgets of the run, as plain data. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** The library that was active, by content. */
  library: z.array(skillRefSchema),
  /** What the policy was given before the first step besides the question, e.g. lessons of earlier tries. No PF sees it. */
  prelude: z.string().optional(),
  /** What the harness itself decided, in order: selection, gates, votes, formatting (SPEC §4). */
  decisions: z.array(decisionSchema).optional(),
  steps: z.array(stepSchema),
  answer: z.string().optional(),
  gold: z.array(z.string()).optional(),
  stopReason: z.string(),
  cost: usageSchema.optional(),
  /** What an importer met and has no room for. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
export type Episode = z.infer<typeof episodeSchema>;

/** What a list of episodes shows without parsing them. */
export const episodeHeadSchema = episodeSchema.pick({
  id: true,
  questionId: true,
  outcome: true,
  length: true,
  question: true,
});
export type EpisodeHead = z.infer<typeof episodeHeadSchema>;

export const RUN_SCHEMA = "hasp.run/1";

/** `run.json` of a run folder. */
export const runSchema = z.object({
  schema: z.literal(RUN_SCHEMA),
  id: z.string(),
  /** What a person calls it. */
  title: z.string(),
  domain: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  source: z.string(),
  settings: z.record(z.string(), z.unknown()).optional(),
});
export type Run = z.infer<typeof runSchema>;
