import type { Action } from "../model/action.ts";
import type { SkillCase } from "../model/case.ts";
import type { DomainFacts } from "../model/episode.ts";
import type { StepContext } from "../model/step-context.ts";
import { advance, initialContext, withPrompts, withProposal } from "../trace/context-at.ts";
import { inputOf } from "./call-input.ts";
import { argOfInput } from "../trace/canonical-input.ts";
import type { Domain } from "./domain.ts";

/** What of a domain the meaning of a case depends on. */
export type CaseDomain = Pick<Domain, "name" | "actionTypes" | "contextRules" | "finalAction">;

/** What a PF is asked in a case. */
export interface AskedInCase {
  readonly context: StepContext;
  readonly proposed: Action;
}

/** Inputs as every host's calls are written: the tool's own keys first. */
function canonical(action: Action): Action {
  const input = inputOf(action);
  return Object.keys(input).length === 0 ? action : { ...action, arg: argOfInput(action.type, input) };
}

/**
 * The context and the action of a case. Where the domain's contexts have fields of their own, the case's steps are folded by the same
 * rules as an episode's, so that what a PF sees of the call is computed and never written by hand.
 */
export function foldCase(test: SkillCase, domain: CaseDomain): AskedInCase {
  const { contextRules: rules } = domain;
  if (rules.own === undefined) return { context: test.context, proposed: test.proposed };
  const { steps = [], prompts = [], project = [], cwd, world } = test.session ?? {};
  const given = test.context;
  const facts: DomainFacts = {
    domain: domain.name,
    actionTypes: [...domain.actionTypes],
    searchReturnsText: false,
    maxSteps: given.maxSteps,
    project: [...project],
    ...(cwd === undefined ? {} : { cwd }),
  };
  const [question = given.question, ...later] = prompts;
  const first = withPrompts(initialContext(question, facts, rules), later);
  const before = steps.reduce((context, step) => {
    const executed = canonical(step.executed);
    return advance(context, { ...step, executed }, facts, rules);
  }, first);
  const history = steps.length > 0 ? {} : { stepCount: given.stepCount, actionHistory: given.actionHistory };
  const proposed = canonical(test.proposed);
  const asked = { thought: given.thought, action: proposed, ...(world === undefined ? {} : { world }) };
  return { context: withProposal({ ...before, ...history }, asked, rules), proposed };
}
