import { z } from "../../../model/zod.ts";
import { parseJson } from "../../../model/read-json.ts";

const text = z.string();

/** Functions whose expected values a reference solution computes, as HumanEval+ has them. */
const callsSchema = z.object({
  kind: z.literal("calls"),
  entry: text,
  /** Begins the program up to the body of the entry. */
  prompt: text,
  /** The body that follows the prompt. */
  solution: text,
  /** Largest absolute difference of floats; 0: as EvalPlus has it, where floats are expected. */
  tolerance: z.number(),
  /** JSON of a list of argument lists, as the row has it: `[[1.0, 12345678901234567890]]`. */
  groups: z.array(z.object({ name: text, inputs: text })),
  /** Python that raises where a test fails, in place of inputs. */
  check: text.optional(),
});

/** Assertions with their expected values, as MBPP has them, and the tests of MBPP+ where there are some. */
const assertsSchema = z.object({
  kind: z.literal("asserts"),
  imports: z.array(text),
  asserts: z.array(text),
  /** Python with `inputs`, `results` and a loop that compares. */
  plus: text.optional(),
  solution: text,
});

/** A class of unit tests behind the program, as BigCodeBench has it. */
const unittestSchema = z.object({
  kind: z.literal("unittest"),
  entry: text,
  /** Imports and the head of the entry. */
  prompt: text,
  solution: text,
  test: text,
});

const exampleSchema = z.object({ input: text, output: text });

/** Scripts that read an input and print an output. */
const scriptsSchema = z.object({ kind: z.literal("scripts"), tests: z.array(exampleSchema) });

/** A function or method that is called with one JSON value a line, and gives one. */
const methodSchema = z.object({ kind: z.literal("method"), entry: text, tests: z.array(exampleSchema) });

const materialSchema = z.discriminatedUnion("kind", [
  callsSchema,
  assertsSchema,
  unittestSchema,
  scriptsSchema,
  methodSchema,
]);

/** The tests of a question, as its data set wrote them into `Question.material`. */
export type Material = z.infer<typeof materialSchema>;
export type CallsMaterial = z.infer<typeof callsSchema>;
export type AssertsMaterial = z.infer<typeof assertsSchema>;
export type UnittestMaterial = z.infer<typeof unittestSchema>;
export type ScriptsMaterial = z.infer<typeof scriptsSchema>;
export type MethodMaterial = z.infer<typeof methodSchema>;

export const writeMaterial = (material: Material): string => JSON.stringify(material);

/** Undefined for a text that no data set of this domain wrote. */
export function readMaterial(material: string): Material | undefined {
  return materialSchema.safeParse(parseJson(material)).data;
}
