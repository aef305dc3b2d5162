import type { Action } from "./action.ts";
import { READ, SEARCH } from "./action-types.ts";

/** What one episode may use (SPEC §4, "Budgets"). Each limit ends the episode with a stop reason of its own. */
export interface Budgets {
  readonly maxSteps: number;
  readonly maxSearchCalls: number;
  readonly maxReadCalls: number;
  /** Wall time of one episode, in seconds. */
  readonly timeoutSeconds: number;
}

/**
 * The paper gives no numbers for inference. Multi-hop questions need some four steps a hop with a slip or two; searches and
 * reads stay under the steps, so that a policy which only searches has steps left to read and to answer.
 */
export const DEFAULT_BUDGETS: Budgets = {
  maxSteps: 12,
  maxSearchCalls: 10,
  maxReadCalls: 10,
  timeoutSeconds: 300,
};

/** The stop reason of running this action now, or undefined where the budgets allow it. `done` are the executed actions. */
export function exceededBy(
  action: Action,
  done: readonly Pick<Action, "type">[],
  budgets: Budgets,
): "max_search_calls" | "max_read_calls" | undefined {
  const count = done.filter(({ type }) => type === action.type).length;
  if (action.type === SEARCH && count >= budgets.maxSearchCalls) return "max_search_calls";
  if (action.type === READ && count >= budgets.maxReadCalls) return "max_read_calls";
  return undefined;
}
