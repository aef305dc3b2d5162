import type { PfCall } from "../../sandbox/pf-host.ts";
import { answerCalls } from "../single-step/mock-calls.ts";
import { codeRules } from "./context-rules.ts";

/** A function to complete, a program that reads its input, and words; with a plan, and without one. */
const DRAFTS: readonly { readonly question: string; readonly thought: string }[] = [
  {
    question:
      'def middle(items: list) -> int:\n    """Give the item in the middle of a list of odd length."""\n',
    thought: "The middle has as many items before it as behind it.",
  },
  {
    question:
      "Read n, then n integers, one a line. Print the largest difference of two of them. 2 <= n <= 100000",
    thought: "",
  },
  {
    question: "Write a function that tells whether a year is a leap year.",
    thought: "Example: 1900 % 100 == 0, so it is none; 2000 is one.",
  },
];
/** A program, one that does not parse, and nothing. */
const ANSWERS = [
  "def middle(items):\n    for i in range(1, len(items)):\n        if items[i] < items[i - 1]:\n            return items[0]\n",
  "def middle(items:\n\treturn [x for x in",
  "",
];

export function codeMockCalls(): readonly PfCall[] {
  return answerCalls({ domain: "code", contextRules: codeRules, drafts: DRAFTS, answers: ANSWERS });
}
