import { webSearch } from "../../../../src/domains/web-search/web-search.ts";
import type { AuthorTask } from "../../../../src/evolve/author/author-task.ts";
import { renderProposal } from "../../../../src/evolve/author/parse-proposal.ts";
import type { Step } from "../../../../src/model/episode.ts";
import type { ReviewedFile } from "../../../../src/model/review.ts";

/** A step in which the policy's own action ran. */
export function plainStep(t: number, type: string, arg: string, observation = "", thought = ""): Step {
  const action = { type, arg };
  return { t, proposals: [{ thought, action }], events: [], executed: action, injected: [], observation };
}

export const TASK: AuthorTask = {
  id: "e1-c1",
  domain: webSearch,
  cluster: {
    category: "unread_answer",
    abstraction: "The agent answers from snippets.",
    trigger: "A FINAL after searches, with nothing read.",
    hint: "Have it read first.",
    group: "termination",
    size: 4,
  },
  examples: [
    {
      question: "Which harbour did the merchant of the red warehouse sail from?",
      steps: [
        plainStep(0, "SEARCH", "red warehouse merchant", "doc_0  The red warehouse: a merchant built it."),
        plainStep(1, "FINAL", "Anywhere", "Answer is INCORRECT", "It must be there."),
      ],
      at: [1],
    },
  ],
  library: [{ skillId: "retrieval_failure", description: "Use when a search is too long." }],
};

const SKILL_MD = `---
name: unread-answer
description: Use when an agent is about to answer although it has read nothing.
metadata:
  hasp:
    skill_id: unread_answer
    title: Read before answering
    version: 1
    priority: 0.6
    error_category: unread_answer
    applicable_modes: [web-search]
    applicable_phases: [answer]
    system_summary: Read a source before you answer.
---

# Read before answering

An answer from memory is often wrong. Open a source first.
`;

const PF = `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class UnreadAnswer extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    const isLastStep = ctx.stepCount + 1 === ctx.maxSteps;
    return actionType === "FINAL" && !ctx.hasRead && ctx.searchCount > 0 && !isLastStep;
  }

  intervene(_ctx: StepContext, _actionType: ActionType, _arg: string): Intervention {
    return injectContext("Nothing has been read yet. Open the best result before you answer.", "answered unread");
  }
}
`;

const CASES = `cases:
  - name: an answer after a search alone is held back
    context: { question: Who?, searchCount: 1, maxSteps: 8 }
    proposed: { type: FINAL, arg: Ada }
    expect: { fires: true, type: INJECT_CONTEXT, contextContains: Open the best result }

  - name: an answer after reading stands
    context: { question: Who?, searchCount: 1, hasRead: true, maxSteps: 8 }
    proposed: { type: FINAL, arg: Ada }
    expect: { fires: false }
`;

/** A skill that passes every check. */
export const CLEAN = { "SKILL.md": SKILL_MD, "pf.ts": PF, "cases.yaml": CASES } as const;

/** A reply with the clean skill, some of whose files are others. */
export const replyWith = (files: Partial<Record<ReviewedFile, string>> = {}): string =>
  `Here is the skill.\n\n${renderProposal({ ...CLEAN, ...files })}`;

/** The clean pf.ts with other methods. */
export function pfWith(parts: {
  readonly activate?: string;
  readonly intervene?: string;
  readonly top?: string;
  readonly fields?: string;
}): string {
  const { activate = 'return actionType === "FINAL" && !ctx.hasRead;', top = "", fields = "" } = parts;
  const { intervene = 'return injectContext("Read first.", "answered unread");' } = parts;
  return `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";
${top}
export default class Made extends ProgramFunction {
  ${fields}
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    ctx; actionType; arg;
    ${activate}
  }
  intervene(ctx: StepContext, actionType: ActionType, arg: string): Intervention {
    ctx; actionType; arg; injectContext;
    ${intervene}
  }
}
`;
}
