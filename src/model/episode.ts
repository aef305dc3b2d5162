import { z } from "./zod.ts";
import { actionSchema } from "./action.ts";
import { projectCheckSchema, toolResultSchema, worldSchema } from "./coding-context.ts";
import { decisionSchema, instructionSchema } from "./decision.ts";
import { pfEventSchema, teacherCallSchema } from "./intervention.ts";
import { recordedSettingsSchema } from "./recorded-settings.ts";
import { usageSchema } from "./usage.ts";
import { verdictSchema } from "./verdict.ts";

export const EPISODE_SCHEMA = "hasp.episode/2";
/** The schema before samples, completions and verdicts; `readEpisode1` (trace/episode-v1.ts) reads it. */
export const EPISODE_SCHEMA_1 = "hasp.episode/1";

/**
 * `correct` and `wrong` follow from the first verdict; `halted` never gave an answer; `unjudged` has no verdict; `abandoned`: a person
 * took these steps back and went on from an earlier place, so nothing judges them.
 */
export const outcomeSchema = z.enum(["correct", "wrong", "halted", "unjudged", "abandoned"]);
export type Outcome = z.infer<typeof outcomeSchema>;
/** Of an episode that stands: figures and evidence are made of these. */
export type StandingOutcome = Exclude<Outcome, "abandoned">;

/** A reply of the policy, word for word, from which its thought and its action were read. */
export const completionSchema = z.object({
  text: z.string(),
  /** Thoughts of a reasoning model before the text, in the form of its endpoint. */
  reasoning: z.string().optional(),
  /** `length`: cut off at the longest reply. */
  finish: z.enum(["stop", "length", "other"]),
  /** No model said it: a recorded or scripted proposal in the form that the domain asks of models. */
  rendered: z.boolean().optional(),
});
export type Completion = z.infer<typeof completionSchema>;

/** One thing the policy proposed, with the thought it came with. */
export const proposalSchema = z.object({
  thought: z.string(),
  action: actionSchema,
  /** Absent if the policy reported none: in records of other programs and in `hasp.episode/1`. */
  completion: completionSchema.optional(),
  /** Id of the last message that the policy read (trace/message-store.ts); the others are the ones before it. */
  messages: z.string().optional(),
  /** The messages are those of a transcript: what the host sends besides (its system message, its tools) is not among them. */
  fromTranscript: z.literal(true).optional(),
  usage: usageSchema.optional(),
  /** What the host saw of the world just then; only where an agent works in one. */
  world: worldSchema.optional(),
  /** True where the reply's action stood in another form than the prompt asks for, and was read all the same; the completion has the reply. */
  lenient: z.literal(true).optional(),
  /**
   * Of an answer, whether it stood or not: of the judge of its run first, then of those that judged it again. In no record before
   * drafts were judged.
   */
  verdicts: z.array(verdictSchema).optional(),
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
  /** With `notRun`, which gives the reason: the action that did not run. */
  executed: actionSchema,
  /** The stop reason that kept `executed` from running. Only the last step of an episode has it. */
  notRun: z.string().optional(),
  /** Context texts that PFs added, in the order the policy saw them. */
  injected: z.array(z.object({ skillId: z.string(), text: z.string() })),
  /** What the environment answered, without injected text. For a FINAL: empty, or what the policy read before another round. */
  observation: z.string(),
  /** How the tool ended, where the host says so. */
  result: toolResultSchema.optional(),
  documents: z.array(documentSchema).optional(),
  /** Questions that the environment put to the teacher for this observation. */
  calls: z.array(teacherCallSchema).optional(),
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

/** The episode that another one came out of, in the same run, and the step (0-based) of it where that is known. */
export const originSchema = z.object({
  /** `branch`: it left that episode after that step, or before its first where there is none. `sub_agent`: that step called the agent. */
  as: z.enum(["branch", "sub_agent"]),
  episode: z.string(),
  t: z.number().int().nonnegative().optional(),
});
export type Origin = z.infer<typeof originSchema>;

export const skillRefSchema = z.object({ skillId: z.string(), version: z.number(), hash: z.string() });
export type SkillRef = z.infer<typeof skillRefSchema>;

/** One line of `episodes.jsonl`. The index fields come first, so an index needs only the head of a line. */
export const episodeSchema = z.object({
  schema: z.literal(EPISODE_SCHEMA),
  id: z.string().min(1),
  questionId: z.string(),
  /** Which of the samples of its question it is; the first is 1. With the question it names the episode in its run. */
  sample: z.number().int().nonnegative(),
  outcome: outcomeSchema,
  /** Number of steps. */
  length: z.number().int().nonnegative(),
  question: z.string(),
  /** Where it came from: `hasp`, or the importer's name. */
  source: z.string(),
  /** Of an abandoned branch or a sub-agent's episode. */
  origin: originSchema.optional(),
  facts: domainFactsSchema,
  /** Its settings; of an import, as far as its file has them. */
  settings: recordedSettingsSchema.optional(),
  /** The active library; the run folder holds the texts, by hash. */
  library: z.array(skillRefSchema),
  /** What the policy was given before the first step besides the question, e.g. lessons of earlier tries. No PF sees it. */
  prelude: z.string().optional(),
  /** What the harness itself decided, in order: selection, gates, votes, formatting (SPEC §4). */
  decisions: z.array(decisionSchema).optional(),
  steps: z.array(stepSchema),
  answer: z.string().optional(),
  gold: z.array(z.string()).optional(),
  /** Of the judge of its run first, then of those that judged it again. None where nothing could be judged, or a file says the outcome alone. */
  verdicts: z.array(verdictSchema).optional(),
  /** Why the judge came to no verdict on the answer, for people; absent where it came to one, or had nothing to judge by. */
  noVerdict: z.string().optional(),
  stopReason: z.string(),
  cost: usageSchema.optional(),
  /** What an importer met and has no room for. */
  extra: z.record(z.string(), z.unknown()).optional(),
});
export type Episode = z.infer<typeof episodeSchema>;

/** What a list of episodes shows without parsing them. */
export const episodeHeadSchema = episodeSchema
  .pick({ id: true, questionId: true, sample: true, outcome: true, length: true, question: true })
  .extend({
    /** Absent in the head of a line of `hasp.episode/1`; the whole episode has it. */
    sample: episodeSchema.shape.sample.optional(),
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
