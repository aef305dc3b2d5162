import type { PfCall } from "../../sandbox/pf-host.ts";
import { answerCalls } from "../single-step/mock-calls.ts";
import { mathRules } from "./context-rules.ts";

/** Drafts with an equation, with cases, and with nothing. */
const DRAFTS: readonly { readonly question: string; readonly thought: string }[] = [
  {
    question: "A box holds 12 rows of 7 screws. How many screws are in 3 boxes?",
    thought: "One box has 12 * 7 = 84 screws, so three have 84 * 3 = 252.",
  },
  {
    question: "How many ordered pairs (a, b) of positive integers satisfy ab = 6?",
    thought: "Case 1: a = 1, b = 6.\nCase 2: a = 2, b = 3.\nCase 3: a = 3, b = 2.\nCase 4: a = 6, b = 1.",
  },
  { question: "What is the slope of a horizontal line?", thought: "" },
];
/** A number, an expression that is none, and nothing. */
const ANSWERS = ["252", "\\frac{1}{0} + \\sqrt{x} miles", ""];

export function mathMockCalls(): readonly PfCall[] {
  return answerCalls({ domain: "math", contextRules: mathRules, drafts: DRAFTS, answers: ANSWERS });
}
