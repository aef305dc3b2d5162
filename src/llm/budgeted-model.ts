import { ModelError, type ChatModel, type ChatRequest } from "./chat-model.ts";
import type { Budget } from "./budget.ts";
import { costOf, type Price } from "./price.ts";
import { guessInputTokens } from "./tokens.ts";

/**
 * `model` under a budget: what a call may cost at most is set aside before it, what it did cost is charged after it, also
 * when it failed and the endpoint said what it counted. Stands inside the cache: what the cache answers costs nothing.
 * The limit can be overrun only by what the input of the calls in flight was guessed too low.
 */
export function budgetedModel(model: ChatModel, budget: Budget, price: Price | undefined): ChatModel {
  return {
    id: model.id,
    async chat(request, options) {
      const reservation = await budget.reserve(
        mostExpensive(model.id, request, budget, price),
        options?.signal,
      );
      let cost: number | undefined = 0;
      try {
        const reply = await model.chat(request, options);
        cost = reply.usage.cost;
        return reply;
      } catch (error) {
        if (error instanceof ModelError && error.usage !== undefined) cost = error.usage.cost;
        throw error;
      } finally {
        reservation.settle(cost);
      }
    },
  };
}

function mostExpensive(id: string, request: ChatRequest, budget: Budget, price: Price | undefined): number {
  if (price !== undefined) {
    return costOf(price, { inputTokens: guessInputTokens(request), outputTokens: request.maxTokens });
  }
  if (budget.limit === undefined) return 0;
  throw new ModelError(
    "budget",
    `There is a budget in dollars, and no price is known for ${id}.`,
    "Give its price in dollars for a million tokens, `0/0` where it costs nothing, or run without a budget.",
  );
}
