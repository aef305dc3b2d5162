import type { Action } from "../model/action.ts";
import type { ContextLimits } from "../model/control.ts";
import type { DomainFacts } from "../model/episode.ts";
import type { PfProgram } from "../model/skill.ts";
import type { StepContext } from "../model/step-context.ts";
import {
  FRESH_STATE,
  type AskTeacher,
  type PfHost,
  type PfQuestion,
  type PfState,
} from "../sandbox/pf-host.ts";
import { verifyingQuery } from "./final/evidence.ts";
import { byTurn } from "./order.ts";
import { weigh, type Injected, type Weighed } from "./weigh.ts";

const READ = "READ";
const INVALID = "invalid";

/** What one proposal is judged with. */
export interface DispatchInput {
  readonly host: PfHost;
  /** The PFs that are asked, loaded in the host; in any order. */
  readonly library: readonly Pick<PfProgram, "skillId" | "priority">[];
  /** What each PF carries from earlier in the episode; a PF that is not in it starts fresh. */
  readonly states: ReadonlyMap<string, PfState>;
  readonly question: PfQuestion;
  /** 0, or 1 for the second proposal of a step after `holdBack`. */
  readonly proposal: number;
  /** What earlier proposals of this step injected. */
  readonly injectedBefore: readonly Injected[];
  readonly limits: ContextLimits;
  /** The domain's action that ends an episode. */
  readonly finalAction: string;
  readonly askTeacher?: AskTeacher;
}

export interface StepDecision extends Weighed {
  /** What each PF of the library carries on. */
  readonly states: ReadonlyMap<string, PfState>;
}

/**
 * The action types that a PF may turn to: those of the environment, but for READ where a search returns the text itself
 * (DESIGN.md, "Real trajectories"). A PF that wants another is skipped with "no READ here" and not charged.
 */
export function offeredActions(
  facts: Pick<DomainFacts, "actionTypes" | "searchReturnsText" | "readBecomesSearch">,
): readonly string[] {
  if (facts.readBecomesSearch === true) return [...new Set([...facts.actionTypes, READ])];
  return facts.searchReturnsText ? facts.actionTypes.filter((type) => type !== READ) : facts.actionTypes;
}

/**
 * The action in place of a READ that a PF wants where there is none (SPEC §10.6); any other action as it is. An imported trajectory keeps
 * "no READ here": nobody knows the results of the other search.
 */
export function insteadOfRead(
  executed: Action,
  proposed: Action,
  facts: Pick<DomainFacts, "readBecomesSearch">,
  context: StepContext,
): Action {
  if (facts.readBecomesSearch !== true || executed.type !== READ || proposed.type === READ) return executed;
  return { type: "SEARCH", arg: verifyingQuery(context) };
}

/** A reply that no action could be read in. */
export const isText = ({ type }: Pick<Action, "type">): boolean => type === INVALID;

/** Text that is no action became one: the other PFs are asked about it, since they could make nothing of the text. */
export function isRepair(proposed: Pick<Action, "type">, executed: Pick<Action, "type">): boolean {
  return isText(proposed) && !isText(executed);
}

/**
 * Γ: all PFs judge one proposal in one crossing, and one decision comes out. Only the crossing's time is measured: the sandbox has no clock,
 * and a call back for each PF would cost more than the PFs. Rejects only as PfHost.step does.
 */
export async function dispatch(input: DispatchInput): Promise<StepDecision> {
  const { host, question, proposal, injectedBefore, limits, finalAction } = input;
  const turns = input.library.toSorted(byTurn);
  const states = new Map(turns.map(({ skillId }) => [skillId, input.states.get(skillId) ?? FRESH_STATE]));
  const verdicts = await host.step(states, question, input.askTeacher);
  const weighed = weigh(verdicts, {
    proposed: question.proposed,
    proposal,
    injectedBefore,
    ...limits,
    finalAction,
    pass: question.pass,
  });
  return { ...weighed, states: new Map(verdicts.map(({ skillId, state }) => [skillId, state])) };
}
