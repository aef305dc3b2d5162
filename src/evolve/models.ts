import { openModel } from "../app/run/models.ts";
import { need } from "../app/refusal.ts";
import { createBudget, type Budget } from "../llm/budget.ts";
import { ModelError, type ChatModel, type ChatReply } from "../llm/chat-model.ts";
import { parseJson } from "../model/read-json.ts";
import { z } from "../model/zod.ts";
import type { EvolveOrder, EvolveServices } from "./order.ts";

/** US dollars of calls, and whether the price of any of them is unknown. */
export type Spent = Pick<Budget, "spent" | "costUnknown">;

/** Parts of an evolution that call a model. */
export const CALL_SITES = ["rollout", "summary", "author", "review"] as const;
export type CallSite = (typeof CALL_SITES)[number];

/** The models of an evolution outside of its episodes, and the budget of all of its models. */
export interface EvolveModels {
  readonly author: ChatModel;
  readonly teacher: ChatModel | undefined;
  readonly budget: Budget;
}

/**
 * Failures that say nothing about a request: a later sitting may ask it again. A reply that is empty or refused may come again and again, so
 * it is a result.
 */
const OUTAGES = ["budget", "unauthorised", "rate_limited", "server_error", "connection", "timeout"] as const;

const isOutage = ({ kind }: ModelError): boolean => OUTAGES.some((one) => one === kind);
/** Stop reasons of episodes that such a failure ended. */
export const OUTAGE_REASONS: ReadonlySet<string> = new Set([
  "budget",
  ...OUTAGES.map((kind) => `model_${kind}`),
]);

/** The model, and the first outage that those who ask it may have passed over; a spent budget before all others. */
export function watchedModel(model: ChatModel): ChatModel & { readonly outage: ModelError | undefined } {
  let outage: ModelError | undefined;
  return {
    id: model.id,
    get outage() {
      return outage;
    },
    async chat(request, options) {
      try {
        return await model.chat(request, options);
      } catch (error) {
        const isFirst = outage === undefined || (outage.kind !== "budget" && isBudget(error));
        if (error instanceof ModelError && isOutage(error) && isFirst) outage = error;
        throw error;
      }
    },
  };
}

/**
 * The model, whose failure over one request is an empty reply: an evolution must not end each time at the same request that the model
 * refuses. An outage is thrown on.
 */
export function answeringModel(model: ChatModel): ChatModel {
  return {
    id: model.id,
    async chat(request, options) {
      try {
        return await model.chat(request, options);
      } catch (error) {
        if (!(error instanceof ModelError) || isOutage(error)) throw error;
        const { usage = { inputTokens: 0, outputTokens: 0 } } = error;
        return { text: "", model: model.id, finish: "other", usage, cached: false };
      }
    },
  };
}

const isBudget = (error: unknown): boolean => error instanceof ModelError && error.kind === "budget";

const callSchema = z.object({
  site: z.enum(CALL_SITES),
  model: z.string(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars; absent: unknown. */
  cost: z.number().optional(),
});

/** Calls of earlier sittings; a line that is cut off counts as nothing. */
const MAX_BYTES = 100_000_000;
const encoder = new TextEncoder();

/** Costs of the calls in the file. */
export async function spentOnCalls(files: EvolveServices["files"], path: string): Promise<Spent> {
  const found = await files.readText(path, MAX_BYTES);
  const lines = found.kind === "text" ? found.text.split("\n") : [];
  const calls = lines.flatMap((line) => callSchema.safeParse(parseJson(line)).data ?? []);
  return {
    spent: calls.reduce((sum, { cost = 0 }) => sum + cost, 0),
    costUnknown: calls.some(({ cost }) => cost === undefined),
  };
}

/** A line of the file of calls. */
export function callLine(site: CallSite, { model, usage }: ChatReply): Uint8Array {
  const { inputTokens, outputTokens, cost } = usage;
  return encoder.encode(`${JSON.stringify({ site, model, inputTokens, outputTokens, cost })}\n`);
}

/** The model with a line in the file for each call that was paid: what the cache answers is none. */
export function countedModel(
  model: ChatModel,
  site: CallSite,
  append: (line: Uint8Array) => Promise<void>,
): ChatModel {
  return {
    id: model.id,
    async chat(request, options) {
      const reply = await model.chat(request, options);
      if (!reply.cached) await append(callLine(site, reply));
      return reply;
    },
  };
}

/** Opens author and teacher; `spent`: US dollars of earlier sittings. Refuses a model that cannot be used. */
export async function openEvolveModels(
  { author, teacher, maxDollars }: EvolveOrder,
  { models }: EvolveServices,
  spent: number,
): Promise<EvolveModels> {
  const budget = createBudget(maxDollars, spent);
  return {
    budget,
    author: need(await openModel(models, author, budget)),
    teacher: teacher === undefined ? undefined : need(await openModel(models, teacher, budget)),
  };
}
