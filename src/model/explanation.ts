import { z } from "./zod.ts";
import type { Json } from "./step-context.ts";

/** An operand of a decision: its source text, the value it had, and where it stands (1-based line of `pf.ts`). */
export const operandSchema = z.object({
  expression: z.string(),
  /** The value as JSON; long strings and arrays are cut and end in `…`. */
  value: z.unknown(),
  line: z.number().int().positive(),
});
export type Operand = z.infer<typeof operandSchema>;

/** The value of an operand, and its place in the text of an expression: characters from `start` up to `end`. */
export const inlineValueSchema = z.object({
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
  /** As of an operand. */
  value: z.unknown(),
});
export type InlineValue = z.infer<typeof inlineValueSchema>;

/** An expression that helped to settle an answer, as code: its source on one line, with the values of its operands. */
export const expressionSchema = z.object({
  text: z.string(),
  line: z.number().int().positive(),
  /** In the order in which the operands end. Literals have none. */
  values: z.array(inlineValueSchema),
});
export type Expression = z.infer<typeof expressionSchema>;

/**
 * Why a PF's `shouldActivate` answered as it did, read off an instrumented run of the code itself (DESIGN.md).
 * `deciding` is the operand that settled the answer; `expressions` are all that helped, as code, and the last holds it.
 */
export const explanationSchema = z.object({
  skillId: z.string(),
  activated: z.boolean(),
  deciding: operandSchema.optional(),
  expressions: z.array(expressionSchema),
  /** Values that were used and are in no expression, such as arguments of a helper; each once. */
  operands: z.array(operandSchema),
  /** One line for people, e.g. `actionType is "FINAL", not "SEARCH"`. */
  sentence: z.string(),
  /** Path of the PF. */
  file: z.string(),
  /** `post`: it was asked about the action that had run. */
  pass: z.literal("post").optional(),
});
export type Explanation = z.infer<typeof explanationSchema>;

/** A value seen at a source span while an instrumented PF ran, in order (skill/instrument.ts numbers the spans). */
export interface Probe {
  readonly id: number;
  readonly value: Json;
}

/** What the sandbox saw when an instrumented PF judged one context. */
export interface ProbedRun {
  /** Undefined when shouldActivate threw. */
  readonly activated: boolean | undefined;
  readonly probes: readonly Probe[];
  /** Set when shouldActivate threw. */
  readonly error?: string;
}
