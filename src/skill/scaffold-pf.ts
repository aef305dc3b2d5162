import { CODING_ACTIONS } from "../model/coding-tools.ts";
import { FINAL, READ, SEARCH } from "../model/action-types.ts";
import { TODO_CODE, TODO_TEXT } from "./template-text.ts";

/**
 * The PFs and cases that a new skill begins with: each shows one whole thought, and marks what its author is to replace. Until that is
 * replaced the PF acts nowhere; its cases hold. Here are those for any domain that ends with an answer; a domain's own are in its folder.
 */
export interface StarterCode {
  /** `pf.ts`, by the name of its class. */
  readonly pf: (className: string) => string;
  readonly cases: string;
}

/** The types that `ActionType` of hasp.d.ts names; to compare it with any other is a type error. */
const TYPED: ReadonlySet<string> = new Set([SEARCH, READ, FINAL, ...CODING_ACTIONS, "other", "invalid"]);

/** The code that compares the proposed action type with this one. */
export function isType(type: string): string {
  return `${TYPED.has(type) ? "actionType" : "String(actionType)"} === ${JSON.stringify(type)}`;
}

/** How a starter's cases.yaml begins. */
export const CASES_NOTE = `# Contexts with the decision that pf.ts must come to. Fields of the step context that a case does not name are empty.
cases:`;

/** The import of a starter's pf.ts. */
export const importing = (words: string, context = "StepContext", ...types: readonly string[]): string =>
  `import { ${words}, ProgramFunction, type ActionType, type ${[context, "Intervention", ...types].toSorted().join(", type ")} } from "hasp";`;

/** Docstrings of a starter's members. */
export const WHEN = "/** When to step in: runs at every step, on the action that the policy proposes. */";
export const ONCE = "/** How often this skill may step in per episode. */";
export const HELD_BACK_ONCE =
  "/** It holds the answer back once; after that its vote is all that it does. */";

interface ClassHead {
  /** Type of the step context. */
  readonly context?: string;
  /** The condition of its trigger, over `ctx`, `actionType` and `arg`. */
  readonly when: string;
  readonly maxFires?: number;
  /** Docstring of `maxFires`. */
  readonly fires?: string;
}

/** A starter's class up to its method `intervene`. */
export function classHead(name: string, head: ClassHead): string {
  const { context = "StepContext", when, maxFires = 1, fires = ONCE } = head;
  // A parameter that is not used begins with an underscore.
  const [ctx, arg] = ["ctx", "arg"].map((word) =>
    new RegExp(`\\b${word}\\b`).test(when) ? word : `_${word}`,
  );
  return `export default class ${name} extends ProgramFunction {
  ${fires}
  override maxFires = ${maxFires};

  ${WHEN}
  shouldActivate(${ctx}: ${context}, actionType: ActionType, ${arg}: string): boolean {
    return ${TODO_CODE} ${when};
  }

  /** The intervention, where it steps in. */`;
}

/** An answer that declines to answer is held back, and voted against. */
export const noGuess = (finalAction: string): StarterCode => ({
  pf: (name) => `${importing("injectContext", "StepContext", "SearchVote")}

/** An answer in such words is none. */
const DECLINES = /\\b(?:unknown|not sure|cannot be determined|no information)\\b/i;
/** The policy reads this before it proposes again. */
const REMINDER = "${TODO_TEXT} Find out the part of the answer that is missing before you answer again.";

${classHead(name, { when: `${isType(finalAction)} && DECLINES.test(arg)`, fires: HELD_BACK_ONCE })}
  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return injectContext(REMINDER, \`${TODO_TEXT} "\${arg.slice(0, 60)}" is no answer, after \${ctx.stepCount} steps\`);
  }

  /** The vote of its handler on a ${finalAction} that would run: undefined lets it stand, a reason asks for one more search. */
  override vote(_ctx: StepContext, answer: string): SearchVote | undefined {
    return DECLINES.test(answer) ? { reason: "${TODO_TEXT} it still declines to answer" } : undefined;
  }
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} an answer that declines is held back"
    proposed: { type: ${finalAction}, arg: It cannot be determined. }
    expect:
      fires: true
      type: INJECT_CONTEXT

  - name: "${TODO_TEXT} an answer that answers stands"
    proposed: { type: ${finalAction}, arg: "1962" }
    expect: { fires: false }

  - name: "${TODO_TEXT} the same words in another action are no answer"
    proposed: { type: other, arg: author unknown }
    expect: { fires: false }
`,
});

/** Words around an answer are cut off. For any domain that ends with an answer. */
export const bareAnswer = (finalAction: string): StarterCode => ({
  pf: (name) => `${importing("modifyAction")}

/** Words that stand before an answer and are no part of it. */
const LEAD = /^\\s*(?:so,?\\s+)?the\\s+(?:final\\s+)?answer\\s+is:?\\s+/i;

${classHead(name, { when: `${isType(finalAction)} && LEAD.test(arg)` })}
  intervene(_ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return modifyAction({
      arg: ${TODO_CODE} arg.replace(LEAD, ""),
      reason: "${TODO_TEXT} the answer alone, without a lead",
    });
  }
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} the lead of an answer is cut off"
    proposed: { type: ${finalAction}, arg: The answer is 42 }
    expect:
      fires: true
      type: MODIFY_ACTION
      newActionArg: "42"

  - name: "${TODO_TEXT} a bare answer stays"
    proposed: { type: ${finalAction}, arg: "42" }
    expect: { fires: false }

  - name: "${TODO_TEXT} another action is no answer"
    proposed: { type: other, arg: The answer is 42 }
    expect: { fires: false }
`,
});

/** An answer at the first step is held back. For any domain that ends with an answer. */
export const checkFirst = (finalAction: string): StarterCode => ({
  pf: (name) => `${importing("injectContext")}

${classHead(name, { when: `${isType(finalAction)} && ctx.stepCount === 0` })}
  intervene(ctx: StepContext): Intervention {
    const reminder = \`${TODO_TEXT} Check the answer by one action before you give it: no step of \${ctx.maxSteps} has been taken.\`;
    return injectContext(reminder, "${TODO_TEXT} answered at once");
  }
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} an answer at the first step is held back"
    proposed: { type: ${finalAction}, arg: some answer }
    expect:
      fires: true
      type: INJECT_CONTEXT

  - name: "${TODO_TEXT} an answer after two steps stands"
    context:
      stepCount: 2
    proposed: { type: ${finalAction}, arg: some answer }
    expect: { fires: false }

  - name: "${TODO_TEXT} another action goes on"
    proposed: { type: other, arg: some words }
    expect: { fires: false }
`,
});
