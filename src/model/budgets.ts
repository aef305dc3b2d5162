import type { Action } from "./action.ts";
import { READ, SEARCH } from "./action-types.ts";

/**
 * Limits of one episode (SPEC §4, "Budgets"). Steps and time end it; a search or a read beyond its limit does not run and costs a step
 * (SPEC §5).
 */
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

/** The calls that a budget counts, each with its limit and the reason that an action beyond it gets. */
const CALLS = [
  { type: SEARCH, most: "maxSearchCalls", why: "max_search_calls" },
  { type: READ, most: "maxReadCalls", why: "max_read_calls" },
] as const;

type Done = readonly Pick<Action, "type">[];

const countOf = (done: Done, wanted: string): number => done.filter(({ type }) => type === wanted).length;

/** How many calls of each limited type are left. `done` are the executed actions. */
export function callsLeft(done: Done, budgets: Budgets): Readonly<Record<string, number>> {
  return Object.fromEntries(
    CALLS.map(({ type, most }) => [type, Math.max(0, budgets[most] - countOf(done, type))]),
  );
}

/** The action types whose budget is used up: a PF cannot turn to them (SPEC §5). */
export function spentActions(
  done: Done,
  budgets: Budgets,
  { readBecomesSearch }: { readonly readBecomesSearch?: boolean | undefined },
): readonly string[] {
  const spent = Object.entries(callsLeft(done, budgets)).flatMap(([type, left]) => (left === 0 ? type : []));
  return readBecomesSearch === true && spent.includes(SEARCH) && !spent.includes(READ)
    ? [...spent, READ]
    : spent;
}

/** An action that did not run because its budget is used up. */
export interface Withheld {
  readonly why: "max_search_calls" | "max_read_calls";
  /** The observation of the step. */
  readonly observation: string;
}

/** Why this action does not run now; undefined where the budgets allow it. `done` are the executed actions. */
export function withheldBy(action: Pick<Action, "type">, done: Done, budgets: Budgets): Withheld | undefined {
  const call = CALLS.find(({ type }) => type === action.type);
  if (call === undefined || countOf(done, call.type) < budgets[call.most]) return undefined;
  const most = budgets[call.most];
  return {
    why: call.why,
    observation: `This ${call.type} did not run: the episode has used ${most} of ${most}. Take another action, or answer with what has been found.`,
  };
}
