import { FINAL } from "../../model/action-types.ts";
import {
  CASES_NOTE,
  classHead,
  HELD_BACK_ONCE,
  importing,
  type StarterCode,
} from "../../skill/scaffold-pf.ts";
import { handlerSection, phaseSection, type Starters } from "../../skill/scaffold-starters.ts";
import { TODO_CODE, TODO_TEXT } from "../../skill/template-text.ts";

/** The value of an answer that is written as an equation. */
const VALUE_ALONE: StarterCode = {
  pf: (name) => `${importing("modifyAction", "MathContext")}

/** A variable, or its name in words, before its value. */
const NAMED = /^\\s*[a-z]{1,20}\\s*=\\s*(?=[-\\d])/i;

${classHead(name, { context: "MathContext", when: `actionType === "${FINAL}" && NAMED.test(arg)` })}
  intervene(_ctx: MathContext, _actionType: ActionType, arg: string): Intervention {
    return modifyAction({
      arg: ${TODO_CODE} arg.replace(NAMED, ""),
      reason: "${TODO_TEXT} the value alone, without its variable",
    });
  }
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} the variable before a value is cut off"
    proposed: { type: ${FINAL}, arg: "x = -7" }
    expect:
      fires: true
      type: MODIFY_ACTION
      newActionArg: "-7"

  - name: "${TODO_TEXT} a value stays"
    proposed: { type: ${FINAL}, arg: "-7" }
    expect: { fires: false }

  - name: "${TODO_TEXT} an equation of two variables stays"
    proposed: { type: ${FINAL}, arg: "y = x + 3" }
    expect: { fires: false }
`,
};

/** A draft with an equation that does not hold is held back. */
const EQUATIONS_HOLD: StarterCode = {
  pf: (name) => `${importing("injectContext", "MathContext", "DraftEquation")}

${classHead(name, { context: "MathContext", when: `actionType === "${FINAL}" && firstWrong(ctx) !== undefined` })}
  intervene(ctx: MathContext): Intervention {
    const wrong = firstWrong(ctx);
    const text = wrong === undefined ? "" : \`\${wrong.text}, but \${wrong.left} makes \${wrong.makes}\`;
    return injectContext(
      \`${TODO_TEXT} The working says \${text}. Compute it again and correct the steps after it.\`,
      "${TODO_TEXT} an equation of the working does not hold",
    );
  }
}

/** The first equation of the working that does not hold. */
function firstWrong({ draft }: MathContext): DraftEquation | undefined {
  return draft.equations.find(({ holds }) => !holds);
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} an equation does not hold"
    context:
      question: A shelf has 6 boards of 17 books. How many books is that?
      thought: "6 * 17 = 112"
    proposed: { type: ${FINAL}, arg: "112" }
    expect:
      fires: true
      type: INJECT_CONTEXT
      contextContains: "makes 102"

  - name: "${TODO_TEXT} every equation holds"
    context:
      question: A shelf has 6 boards of 17 books. How many books is that?
      thought: "6 * 17 = 102"
    proposed: { type: ${FINAL}, arg: "102" }
    expect: { fires: false }

  - name: "${TODO_TEXT} a working without an equation"
    context:
      question: A shelf has 6 boards of 17 books. How many books is that?
      thought: Six boards make more than a hundred books.
    proposed: { type: ${FINAL}, arg: "102" }
    expect: { fires: false }
`,
};

/** A count that is not a whole number is held back, and voted against. */
const WHOLE_COUNT: StarterCode = {
  pf: (name) => `${importing("injectContext", "MathContext", "SearchVote")}

${classHead(name, { context: "MathContext", when: `actionType === "${FINAL}" && isBrokenCount(ctx, arg)`, fires: HELD_BACK_ONCE })}
  intervene(_ctx: MathContext, _actionType: ActionType, arg: string): Intervention {
    return injectContext(
      \`${TODO_TEXT} The question asks how many there are, and \${arg} is not a whole number. Count them again.\`,
      "${TODO_TEXT} a count that is not a whole number",
    );
  }

  /** The vote of its handler on a ${FINAL} that would stand: undefined lets it stand. */
  override vote(ctx: MathContext, answer: string): SearchVote | undefined {
    return isBrokenCount(ctx, answer) ? { reason: "${TODO_TEXT} it is still not a whole number" } : undefined;
  }
}

/** The question asks how many, and the answer has a part behind the point. */
function isBrokenCount(ctx: MathContext, answer: string): boolean {
  return /\\bhow many\\b/i.test(ctx.question) && /^\\s*\\d+\\.\\d*[1-9]\\d*\\s*$/.test(answer);
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} half a book"
    context:
      question: How many books fit on a shelf of 3 metres?
    proposed: { type: ${FINAL}, arg: "37.5" }
    expect:
      fires: true
      type: INJECT_CONTEXT
      contextContains: "37.5 is not a whole number"

  - name: "${TODO_TEXT} a whole number of books"
    context:
      question: How many books fit on a shelf of 3 metres?
    proposed: { type: ${FINAL}, arg: "37" }
    expect: { fires: false }

  - name: "${TODO_TEXT} a length may be broken"
    context:
      question: How long is the shelf, in metres?
    proposed: { type: ${FINAL}, arg: "37.5" }
    expect: { fires: false }
`,
};

/** The starters of skills for problems that are solved in one step. */
export const mathStarters: Starters = {
  rewrite: {
    phase: "answer",
    trigger: `The proposed action is a ${FINAL} whose answer is a variable with its value, such as \`x = 5\`.`,
    does: "It keeps the value.",
    code: VALUE_ALONE,
  },
  inject: {
    phase: "answer",
    trigger: `The proposed action is a ${FINAL}, and an equation of its working does not hold.`,
    does: "It quotes the equation with the value of its left side, once per episode.",
    code: EQUATIONS_HOLD,
  },
  "final-code": {
    phase: "answer",
    trigger: `The proposed action is a ${FINAL} that answers "how many" with a broken number.`,
    does: "It holds the answer back once. An episode of one step ends with the next answer, so that its vote changes nothing there.",
    handler: "code",
    code: WHOLE_COUNT,
  },
  "final-llm": {
    phase: "answer",
    trigger: `Every ${FINAL}: the teacher is asked the question below.`,
    does: "It has none. Where there is no teacher, the handler abstains.",
    handler: "llm",
    sections: handlerSection(
      "Does each line of the working follow from the lines before it, and the answer from the last one?",
      "Vote against the answer when a line does not follow. Let the answer stand when all of them do.",
    ),
  },
  prompt: {
    phase: "answer",
    trigger: "The working distinguishes cases, and the policy is about to answer.",
    does: "It has none: the description and the instruction below are all that it says.",
    keys: [
      "phases:",
      "  pre_final:",
      "    conditions: [has_case_analysis]",
      "    priority_boost: 0.1",
      "    action: verify_solution",
    ],
    sections: phaseSection(
      "pre_final",
      "List the cases with the result of each, and make sure that together they are all and that none is counted twice.",
    ),
  },
};
