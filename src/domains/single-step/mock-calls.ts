import { FINAL } from "../../model/action-types.ts";
import type { PfCall } from "../../sandbox/pf-host.ts";
import { initialContext, withProposal, type ContextRules } from "../../trace/context-at.ts";

/** What the mock calls of a domain of one step are made of. */
export interface MockedAnswers {
  readonly domain: string;
  readonly contextRules: ContextRules;
  readonly drafts: readonly { readonly question: string; readonly thought: string }[];
  readonly answers: readonly string[];
}

/** A call for each draft with each answer; 3 × 3 make the nine of SPEC §7 D, since there is one action alone. */
export function answerCalls({ domain, contextRules, drafts, answers }: MockedAnswers): readonly PfCall[] {
  const facts = {
    domain,
    actionTypes: [FINAL],
    finalAction: FINAL,
    maxSteps: 1,
    searchReturnsText: false,
  };
  return drafts.flatMap(({ question, thought }) =>
    answers.map((arg) => {
      const action = { type: FINAL, arg };
      const context = initialContext(question, facts, contextRules);
      return {
        context: withProposal(context, { thought, action }, contextRules),
        proposed: action,
        actionTypes: [FINAL],
      };
    }),
  );
}
