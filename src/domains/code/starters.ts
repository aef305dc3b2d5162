import { FINAL } from "../../model/action-types.ts";
import {
  CASES_NOTE,
  classHead,
  HELD_BACK_ONCE,
  importing,
  type StarterCode,
} from "../../skill/scaffold-pf.ts";
import { handlerSection, phaseSection, type Starters } from "../../skill/scaffold-starters.ts";
import { TODO_TEXT } from "../../skill/template-text.ts";

/** A program with three loops in one another is held back. */
const DEEP_LOOP: StarterCode = {
  pf: (name) => `${importing("injectContext", "CodeContext", "CodeLoop")}

${classHead(name, { context: "CodeContext", when: `actionType === "${FINAL}" && deepLoop(ctx) !== undefined` })}
  intervene(ctx: CodeContext): Intervention {
    return injectContext(
      \`${TODO_TEXT} The loop "\${deepLoop(ctx)?.text}" runs within two others. Say how often it runs for the largest input.\`,
      "${TODO_TEXT} three loops in one another",
    );
  }
}

/** The first loop that stands in two others. */
function deepLoop({ code }: CodeContext): CodeLoop | undefined {
  return code.loops.find(({ depth, isFixed }) => depth > 2 && !isFixed);
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} three loops in one another"
    context:
      question: Write count(items), which counts the triples of equal items.
    proposed:
      type: ${FINAL}
      arg: |
        def count(items):
            found = 0
            for a in items:
                for b in items:
                    for c in items:
                        found += a == b == c
            return found
    expect:
      fires: true
      type: INJECT_CONTEXT
      contextContains: "for c in items"

  - name: "${TODO_TEXT} two loops"
    context:
      question: Write count(items), which counts the pairs of equal items.
    proposed:
      type: ${FINAL}
      arg: |
        def count(items):
            found = 0
            for a in items:
                for b in items:
                    found += a == b
            return found
    expect: { fires: false }

  - name: "${TODO_TEXT} no program"
    context:
      question: Write count(items), which counts the triples of equal items.
    proposed: { type: ${FINAL}, arg: "I do not know." }
    expect: { fires: false }
`,
};

/** A program without a name that the question asks for is held back, and voted against. */
const MISSING_NAME: StarterCode = {
  pf: (name) => `${importing("injectContext", "CodeContext", "CodeEntry", "SearchVote")}

${classHead(name, { context: "CodeContext", when: `actionType === "${FINAL}" && missing(ctx) !== undefined`, fires: HELD_BACK_ONCE })}
  intervene(ctx: CodeContext): Intervention {
    return injectContext(
      \`${TODO_TEXT} The task says "\${missing(ctx)?.words}", and the program defines nothing of this name.\`,
      "${TODO_TEXT} a name that the task asks for is missing",
    );
  }

  /** The vote of its handler on a ${FINAL} that would stand: undefined lets it stand. */
  override vote(ctx: CodeContext): SearchVote | undefined {
    return missing(ctx) === undefined ? undefined : { reason: "${TODO_TEXT} the name is still missing" };
  }
}

/** The first name that the question asks for and the program does not define. */
function missing({ code }: CodeContext): CodeEntry | undefined {
  return code.entries.find(({ isDefined }) => !isDefined);
}
`,
  cases: `${CASES_NOTE}
  - name: "${TODO_TEXT} the function has another name"
    context:
      question: |
        def double(x: int) -> int:
            """Return twice x."""
    proposed:
      type: ${FINAL}
      arg: |
        def twice(x):
            return 2 * x
    expect:
      fires: true
      type: INJECT_CONTEXT
      contextContains: "defines nothing of this name"

  - name: "${TODO_TEXT} the function is there"
    context:
      question: |
        def double(x: int) -> int:
            """Return twice x."""
    proposed:
      type: ${FINAL}
      arg: |
        def double(x):
            return 2 * x
    expect: { fires: false }

  - name: "${TODO_TEXT} a task without a name"
    context:
      question: The input is an integer. Print its double.
    proposed: { type: ${FINAL}, arg: "print(2 * int(input()))" }
    expect: { fires: false }
`,
};

/** The starters of skills for programs. None changes a program: a skill holds it back and says why (SPEC §3). */
export const codeStarters: Starters = {
  inject: {
    phase: "answer",
    trigger: `The proposed action is a ${FINAL}, and its program has three loops in one another.`,
    does: "It quotes the innermost loop, once per episode.",
    code: DEEP_LOOP,
  },
  "final-code": {
    phase: "answer",
    trigger: `The proposed action is a ${FINAL} whose program lacks a function or class that the task names.`,
    does: "It holds the answer back once. An episode of one step ends with the next answer, so that its vote changes nothing there.",
    handler: "code",
    code: MISSING_NAME,
  },
  "final-llm": {
    phase: "answer",
    trigger: `Every ${FINAL}: the teacher is asked the question below.`,
    does: "It has none. Where there is no teacher, the handler abstains.",
    handler: "llm",
    sections: handlerSection(
      "Does the program do what each sentence of the task says, for the smallest input, too?",
      "Vote against the answer when it leaves a sentence out. Let the answer stand when it covers all of them.",
    ),
  },
  prompt: {
    phase: "answer",
    trigger: "The program distinguishes cases, and the policy is about to answer.",
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
      "Go through the branches of the program with one input each, the smallest that the task allows among them.",
    ),
  },
};
