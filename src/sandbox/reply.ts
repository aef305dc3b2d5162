import { interventionSchema, teacherCallSchema } from "../model/intervention.ts";
import type { PfTraits } from "../model/skill.ts";
import { z } from "../model/zod.ts";
import type { PfVote } from "./pf-host.ts";
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
const common = {
  skillId: z.string(),
  state: stateSchema,
  activated: z.boolean().optional(),
  noReply: z.literal(true).optional(),
};
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
  faultSchema.extend({ ...common, kind: z.literal("error"), teacherCalls: calls.optional() }),
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
  after: z.array(z.string()),
  votes: z.boolean(),
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
function check<S extends z.ZodType>(
  schema: S,
  reply: unknown,
): z.infer<S> | { broken: z.infer<typeof faultSchema> } {
  const parsed = schema.safeParse(reply);
  return parsed.success
    ? parsed.data
    : { broken: { cause: "host", message: "made the sandbox answer nonsense" } };
}

/**
 * Whether no PF had anything to say, the answer to most calls of an agent: a list of names, which is seen without a schema. `hasp hook`,
 * which starts for each of them, then loads none.
 */
function isSilence(reply: unknown): reply is { readonly value: readonly string[] } {
  if (typeof reply !== "object" || reply === null || !("value" in reply)) return false;
  return Array.isArray(reply.value) && reply.value.every((one) => typeof one === "string");
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
  const raw: unknown = JSON.parse(text);
  const reply = isSilence(raw) ? raw : (check(judgeReply, raw) as Reply<readonly SentJudged[]>);
  if ("broken" in reply) return reply;
  const sent = new Map(reply.value.map((one) => [typeof one === "string" ? one : one.skillId, one]));
  const value = pfs.flatMap((pf) => {
    const one = sent.get(pf.skillId);
    return one === undefined ? [] : inFull(one, pf, asked);
  });
  return { value };
}

const voteSchema = z.discriminatedUnion("kind", [
  z.object({ skillId: z.string(), kind: z.literal("none") }),
  z.object({ skillId: z.string(), kind: z.literal("stands") }),
  z.object({
    skillId: z.string(),
    kind: z.literal("against"),
    reason: z.string().min(1).max(2_000),
    query: z.string().min(1).max(2_000).optional(),
  }),
  faultSchema.omit({ cause: true }).extend({ skillId: z.string(), kind: z.literal("error") }),
]);
const voteReply = z.union([z.object({ value: z.array(voteSchema) }), brokenSchema]);

/** The answer to a VoteRequest about these PFs, in their order. */
export function readVotes(text: string, skillIds: readonly string[]): Reply<readonly PfVote[]> {
  const reply = check(voteReply, JSON.parse(text)) as Reply<readonly PfVote[]>;
  if ("broken" in reply) return reply;
  const votes = new Map(reply.value.map((vote) => [vote.skillId, vote]));
  return { value: skillIds.flatMap((id) => votes.get(id) ?? []) };
}

export const readProbe = (text: string): Reply<ProbeReply> =>
  check(probeReply, JSON.parse(text)) as Reply<ProbeReply>;

const hasField = <K extends string>(value: unknown, key: K): value is Readonly<Record<K, unknown>> =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key);

/** The traits of a PF that loaded, likewise seen without a schema. */
function traitsIn(reply: unknown): PfTraits | undefined {
  if (!hasField(reply, "value") || !hasField(reply.value, "traits")) return undefined;
  const { traits } = reply.value;
  if (!hasField(traits, "needsTeacher") || typeof traits.needsTeacher !== "boolean") return undefined;
  const maxFires = hasField(traits, "maxFires") ? traits.maxFires : undefined;
  const isCap = typeof maxFires === "number" && Number.isSafeInteger(maxFires) && maxFires > 0;
  if (maxFires !== undefined && !isCap) return undefined;
  const after = hasField(traits, "after") ? traits.after : undefined;
  if (!Array.isArray(after) || !after.every((type) => typeof type === "string")) return undefined;
  if (!hasField(traits, "votes") || typeof traits.votes !== "boolean") return undefined;
  return { needsTeacher: traits.needsTeacher, maxFires, after, votes: traits.votes };
}

export function readLoad(text: string): LoadReply {
  const reply: unknown = JSON.parse(text);
  const traits = traitsIn(reply);
  return traits === undefined ? (check(loadReply, reply) as LoadReply) : { value: { traits } };
}
