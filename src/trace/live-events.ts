import {
  documentSchema,
  episodeSchema,
  outcomeSchema,
  proposalSchema,
  stepSchema,
} from "../model/episode.ts";
import { usageSchema } from "../model/usage.ts";
import { verdictSchema } from "../model/verdict.ts";
import { actionSchema } from "../model/action.ts";
import { decisionSchema, instructionSchema } from "../model/decision.ts";
import { pfEventSchema } from "../model/intervention.ts";
import { z } from "../model/zod.ts";

export const LIVE_SCHEMA = "hasp.live/1";

/** Which step, 0-based. */
const t = stepSchema.shape.t;

/** The first line of a live file: all of the episode that is known before its first step. */
const startedSchema = episodeSchema
  .pick({
    id: true,
    questionId: true,
    sample: true,
    question: true,
    source: true,
    facts: true,
    settings: true,
    library: true,
    prelude: true,
    gold: true,
  })
  .extend({
    schema: z.literal(LIVE_SCHEMA),
    event: z.literal("started"),
    // A killed run of an older version did not write it, and asked each question once.
    sample: episodeSchema.shape.sample.default(1),
  });
export type Started = z.infer<typeof startedSchema>;

const finishedSchema = z.object({
  event: z.literal("finished"),
  outcome: outcomeSchema,
  verdicts: episodeSchema.shape.verdicts,
  noVerdict: episodeSchema.shape.noVerdict,
  /** The verdicts on the answers that were proposed, by step and number of the proposal. */
  drafts: z
    .array(z.object({ t, proposal: z.number().int().nonnegative(), verdict: verdictSchema }))
    .optional(),
  stopReason: z.string(),
  answer: z.string().optional(),
  cost: usageSchema.optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
});
export type Finished = z.infer<typeof finishedSchema>;

/**
 * One line of `live/<id>.jsonl`. Within a step: `proposed`, `judged`, again both where a context held back a FINAL, then
 * `executed`, then `observed`, then a `judged` whose events all have the pass `post` where PFs looked at that observation; or `withheld` in place of
 * all these, after which no step comes. Several `judged` of one step add up. `decided` may come anywhere. The next step may be `proposed` before
 * this one is `observed`: an agent may call several tools at once.
 */
export const liveEventSchema = z.discriminatedUnion("event", [
  startedSchema,
  z.object({ event: z.literal("decided"), decision: decisionSchema }),
  z.object({
    event: z.literal("proposed"),
    t,
    proposal: proposalSchema,
    instructions: z.array(instructionSchema).optional(),
    prompts: stepSchema.shape.prompts,
    unanswered: stepSchema.shape.unanswered,
  }),
  z.object({
    event: z.literal("judged"),
    t,
    events: z.array(pfEventSchema),
    injected: stepSchema.shape.injected,
    dispatchMs: stepSchema.shape.dispatchMs,
  }),
  z.object({ event: z.literal("executed"), t, action: actionSchema }),
  z.object({ event: z.literal("withheld"), t, action: actionSchema, why: z.string() }),
  z.object({
    event: z.literal("observed"),
    t,
    observation: z.string(),
    documents: z.array(documentSchema).optional(),
    calls: stepSchema.shape.calls,
    result: stepSchema.shape.result,
    extra: stepSchema.shape.extra,
  }),
  finishedSchema,
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;
