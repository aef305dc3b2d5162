import { interventionSchema, teacherCallSchema } from "../model/intervention.ts";
import { z } from "../model/zod.ts";
import {
  UNMOVED,
  type GuestVerdict,
  type Judged,
  type JudgedPf,
  type JudgeRequest,
  type LoadReply,
  type ProbeReply,
  type Reply,
  type SentJudged,
  type SentVerdict,
} from "./wire.ts";

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
    z.string(),
    z.object({ skillId: z.string(), verdicts: z.array(z.union([z.literal(UNMOVED), verdictSchema])) }),
    z.object({ skillId: z.string(), asks: calls.min(1) }),
  ]),
);

const brokenSchema = z.object({ broken: faultSchema });
const traitsSchema = z.object({
  needsTeacher: z.boolean(),
  maxFires: z.number().int().positive().optional(),
});

type Asked = Pick<JudgeRequest, "mode"> & { readonly steps: readonly unknown[] };

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

/** Puts the verdicts back that the sandbox left out. In mock calls every step starts from the same state. */
function inFull(sent: SentJudged, pf: JudgedPf, { steps, mode }: Asked): Judged {
  const { skillId } = pf;
  if (typeof sent !== "string" && "asks" in sent) return sent;
  const verdicts = typeof sent === "string" ? steps.map((): SentVerdict => UNMOVED) : sent.verdicts;
  let { state } = pf;
  const full = verdicts.map((verdict): GuestVerdict => {
    if (verdict === UNMOVED) return { skillId, state, kind: "skipped" };
    if (mode === "episode") state = verdict.state;
    return verdict;
  });
  return { skillId, verdicts: full };
}

/** The answer to a JudgeRequest about `pfs`. */
export function readJudged(text: string, pfs: readonly JudgedPf[], asked: Asked): Reply<readonly Judged[]> {
  const reply = read(judgeReply, text) as Reply<readonly SentJudged[]>;
  if ("broken" in reply) return reply;
  const sent = new Map(reply.value.map((one) => [typeof one === "string" ? one : one.skillId, one]));
  const value = pfs.flatMap((pf) => {
    const one = sent.get(pf.skillId);
    return one === undefined ? [] : inFull(one, pf, asked);
  });
  return { value };
}
export const readProbe = (text: string): Reply<ProbeReply> => read(probeReply, text) as Reply<ProbeReply>;
export const readLoad = (text: string): LoadReply => read(loadReply, text) as LoadReply;
