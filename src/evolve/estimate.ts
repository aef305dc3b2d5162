import { askedOf, readingOf, readInputs } from "../app/run/inputs.ts";
import { checked } from "../app/refusal.ts";
import { costOf } from "../llm/price.ts";
import type { Checked } from "../model/diagnostic.ts";
import { EVOLVE_LIMITS, type Gate } from "../model/evolution.ts";
import { hasFailed } from "../model/outcomes.ts";
import { priceOf, type ModelOrder } from "../app/run/models.ts";
import type { EvolveOrder, EvolveServices, LiveRollouts } from "./order.ts";

/** The most calls of one part of an evolution, and about how many tokens they have. */
export interface EstimatedCalls {
  readonly part: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; undefined: the price of the model is not known. */
  readonly dollars: number | undefined;
}

/** Tokens of one call as a rule of thumb: prompts and replies of our own runs of HotpotQA. */
const TOKENS = {
  step: { inputTokens: 1_800, outputTokens: 90 },
  summary: { inputTokens: 1_200, outputTokens: 150 },
  author: { inputTokens: 6_000, outputTokens: 2_500 },
  review: { inputTokens: 7_000, outputTokens: 900 },
  teacher: { inputTokens: 1_200, outputTokens: 60 },
} as const;

/** Calls of a teacher in an episode of the setting `full`, at most (SPEC §4). */
const TEACHER_CALLS = 17;

type Ports = Pick<EvolveServices, "files" | "models">;

function estimated(
  part: string,
  model: ModelOrder,
  calls: number,
  tokens: (typeof TOKENS)[keyof typeof TOKENS],
  ports: Ports,
): EstimatedCalls {
  const price = priceOf(model, ports.models);
  const inputTokens = calls * tokens.inputTokens;
  const outputTokens = calls * tokens.outputTokens;
  const dollars = price === undefined ? undefined : costOf(price, { inputTokens, outputTokens });
  return { part, model: model.spec, calls, inputTokens, outputTokens, dollars };
}

async function questionsIn({ run }: LiveRollouts, split: "seed" | "val", { files }: Ports): Promise<number> {
  const { domain, tools } = run;
  const inputs = await readInputs(files, { ...run, split }, readingOf(domain, tools), []);
  return askedOf(inputs, run).length * run.samples;
}

const isReviewing = (gate: Gate): boolean => gate !== "none" && gate !== "exec-only";

async function rolloutCalls(order: EvolveOrder, live: LiveRollouts, ports: Ports) {
  const { run, prefilter } = live;
  const [seed, val] = [await questionsIn(live, "seed", ports), await questionsIn(live, "val", ports)];
  const rounds = order.epochs * seed * (prefilter === undefined ? 1 : 2) + (order.epochs + 1) * val;
  const steps = rounds * run.choice.control.maxSteps;
  const policy = estimated("rollouts, policy", run.policy, steps, TOKENS.step, ports);
  // Lite mode asks no teacher.
  if (run.teacher === undefined || order.mode === "lite") return { calls: [policy], failed: seed };
  const asked = rounds * TEACHER_CALLS;
  const teacher = estimated("rollouts, teacher", run.teacher, asked, TOKENS.teacher, ports);
  return { calls: [policy, teacher], failed: seed };
}

/** The most calls that an evolution can make, before any is made. No value where the questions cannot be read. */
export async function estimateEvolution(
  order: EvolveOrder,
  ports: Ports,
): Promise<Checked<readonly EstimatedCalls[]>> {
  return checked(async () => {
    const { rollouts, epochs, mode, teacher, author, caps, gate } = order;
    const live = rollouts.kind === "live" ? await rolloutCalls(order, rollouts, ports) : undefined;
    const recorded =
      rollouts.kind === "recorded"
        ? rollouts.runs.flatMap(({ index }) => index.entries).filter(({ head }) => hasFailed(head.outcome))
            .length
        : 0;
    // A third of the questions of recorded runs is the author's.
    const failed = live?.failed ?? Math.ceil(recorded / 3);
    const isLite = mode === "lite";
    const candidates =
      epochs * (isLite ? Math.min(caps.candidates, EVOLVE_LIMITS.liteCandidates) : caps.candidates);
    const isReviewed = teacher !== undefined && !isLite && isReviewing(gate);
    const replies = 1 + EVOLVE_LIMITS.repairs;
    return [
      ...(live?.calls ?? []),
      ...(teacher !== undefined && !isLite
        ? [estimated("summaries", teacher, epochs * failed, TOKENS.summary, ports)]
        : []),
      estimated("author", author, candidates * replies * (isReviewed ? 2 : 1), TOKENS.author, ports),
      ...(isReviewed ? [estimated("reviews", teacher, candidates * 2, TOKENS.review, ports)] : []),
    ];
  });
}
