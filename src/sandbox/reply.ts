import { interventionSchema, teacherCallSchema } from "../model/intervention.ts";
import { z } from "../model/zod.ts";
import type { Judged, LoadReply, ProbeReply, Reply } from "./wire.ts";

const faultSchema = z.object({
  cause: z.enum(["threw", "returned", "host"]),
  message: z.string(),
  line: z.number().int().positive().optional(),
});

const stateSchema = z.object({ memory: z.json(), fires: z.number().int(), modifies: z.number().int() });
const common = { skillId: z.string(), state: stateSchema, activated: z.boolean().optional() };
const calls = z.array(teacherCallSchema);

const verdictSchema = z.discriminatedUnion("kind", [
  z.object({ ...common, kind: z.literal("skipped") }),
  z.object({
    ...common,
    kind: z.literal("limited"),
    limit: z.enum(["maxFires", "maxModifies"]),
    allowed: z.number().int(),
    teacherCalls: calls.optional(),
  }),
  z.object({
    ...common,
    kind: z.literal("unavailable"),
    actionType: z.string(),
    teacherCalls: calls.optional(),
  }),
  z.object({ ...common, kind: z.literal("fired"), intervention: interventionSchema, teacherCalls: calls }),
  z.object({ ...common, ...faultSchema.shape, kind: z.literal("error"), teacherCalls: calls.optional() }),
]);

const judgedSchema = z.array(
  z.union([
    z.object({ skillId: z.string(), verdicts: z.array(verdictSchema) }),
    z.object({ skillId: z.string(), asks: calls.min(1) }),
  ]),
);

const brokenSchema = z.object({ broken: faultSchema });
const traitsSchema = z.object({
  needsTeacher: z.boolean(),
  maxFires: z.number().int().positive().optional(),
});

const judgeReply = z.union([z.object({ value: judgedSchema }), brokenSchema]);
const probeReply = z.union([
  z.object({
    value: z.object({
      activated: z.boolean().optional(),
      probes: z.array(z.object({ id: z.number(), value: z.json() })),
      error: z.string().optional(),
    }),
  }),
  brokenSchema,
]);
const loadReply = z.union([
  z.object({ value: z.union([z.object({ traits: traitsSchema }), z.object({ fault: faultSchema })]) }),
  brokenSchema,
]);

/**
 * Reads what came out of the sandbox. The guest shares its world with the PFs, so its answers are checked like any other
 * input; one of another shape counts as broken.
 */
function read<S extends z.ZodType>(
  schema: S,
  text: string,
): z.infer<S> | { broken: z.infer<typeof faultSchema> } {
  const parsed = schema.safeParse(JSON.parse(text));
  return parsed.success
    ? parsed.data
    : { broken: { cause: "host", message: "made the sandbox answer nonsense" } };
}

export const readJudged = (text: string): Reply<readonly Judged[]> =>
  read(judgeReply, text) as Reply<readonly Judged[]>;
export const readProbe = (text: string): Reply<ProbeReply> => read(probeReply, text) as Reply<ProbeReply>;
export const readLoad = (text: string): LoadReply => read(loadReply, text) as LoadReply;
