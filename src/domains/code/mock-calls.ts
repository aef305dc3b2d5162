import { FINAL } from "../../model/action-types.ts";
import type { PfCall } from "../../sandbox/pf-host.ts";
import { initialContext, withProposal } from "../../trace/context-at.ts";
import { codeRules } from "./context-rules.ts";

/** A function to complete, a program that reads its input, and words. */
const QUESTIONS = [
  'def middle(items: list) -> int:\n    """Give the item in the middle of a list of odd length."""\n',
  "Read n, then n integers, one a line. Print the largest difference of two of them. 2 <= n <= 100000",
  "Write a function that tells whether a year is a leap year.",
];
/** A program, one that does not parse, and nothing. */
const ANSWERS = [
  "def middle(items):\n    for i in range(1, len(items)):\n        if items[i] < items[i - 1]:\n            return items[0]\n",
  "def middle(items:\n\treturn [x for x in",
  "",
];

/** 3 questions × 3 answers, since there is one action alone: the nine mock calls of SPEC §7 D. */
export function codeMockCalls(): readonly PfCall[] {
  const facts = {
    domain: "code",
    actionTypes: [FINAL],
    finalAction: FINAL,
    maxSteps: 1,
    searchReturnsText: false,
  };
  return QUESTIONS.flatMap((question) =>
    ANSWERS.map((arg) => {
      const action = { type: FINAL, arg };
      const context = initialContext(question, facts, codeRules);
      return {
        context: withProposal(context, { thought: "", action }, codeRules),
        proposed: action,
        actionTypes: [FINAL],
      };
    }),
  );
}
