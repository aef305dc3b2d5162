import { z } from "./zod.ts";
import { actionSchema } from "./action.ts";
import { codingFieldsSchema } from "./coding-context.ts";

/** A value that survives `JSON.stringify` unchanged. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * What a Program Function may know when it judges a step (SPEC §1, step_context). It describes the episode *before*
 * the proposed action runs; `thought` is the thought that came with the proposal. Nothing of the outcome is in it.
 */
export const stepContextSchema = z.object({
  question: z.string(),
  /** Steps completed before this one: 0 at the first. */
  stepCount: z.number().int().nonnegative(),
  maxSteps: z.number().int().positive(),
  hasRead: z.boolean(),
  searchCount: z.number().int().nonnegative(),
  readCount: z.number().int().nonnegative(),
  /** The latest search found nothing. */
  emptyResults: z.boolean(),
  /** The latest search results contradict one another, by the domain's heuristic. */
  contradictorySources: z.boolean(),
  /** Executed actions, oldest first. */
  actionHistory: z.array(actionSchema.pick({ type: true, arg: true })),
  lastSearchResultsText: z.string(),
  /** Texts read so far, oldest first. */
  allReadContents: z.array(z.string()),
  thought: z.string(),
  /** Of a coding agent only. */
  ...codingFieldsSchema.partial().shape,
});
export type StepContext = z.infer<typeof stepContextSchema>;
