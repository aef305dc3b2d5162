import { FIELDS_OF_SEARCHES } from "../../model/search-context-fields.ts";
import type { DomainTexts } from "../texts.ts";

/** The words of math in the prompts of teachers, judges and authors of skills. */
export const MATH_TEXTS: Partial<DomainTexts> = {
  can: "write out its working before it answers",
  does: "solves a math problem step by step",
  difficulties:
    "1: one or two calculations solve it. 3: several steps in a row, or an equation to set up first. 5: it needs an idea, or many cases.",
  stepScores: `- 1: the working is sound, and the answer follows from it.
- about 0.5: the approach fits the problem, but a step has a slip or is skipped.
- 0: there is no working, it is about another quantity than the asked one, or the answer does not follow from it.`,
  doubtful: "at odds with its own working",
  advice:
    "Take the problem's words and numbers again, redo each calculation, and give the answer that follows from them.",
  sameAnswer: `- The same value is the same answer, however it is written: \`1/2\`, \`\\frac{1}{2}\` and \`0.5\`; \`\\sqrt{8}\` and \`2\\sqrt{2}\`.
- Signs, brackets and the order in a tuple matter: \`-7\` is not \`7\`, and \`(1, 2)\` is not \`(2, 1)\`. The order of a list or set does not.
- A rounded value is not the exact one, unless the question asks for a rounded one. A missing unit does not matter; another unit does.`,
  context: {
    fields: "question, stepCount,\nmaxSteps, actionHistory, thought, draft",
    inCases:
      "question, stepCount, maxSteps, actionHistory (a list of `{ type, arg }`), thought (the working; `draft` follows from it and from the proposed answer)",
    bears: "a draft without an equation, an empty answer, ",
    state: "",
    gathering: "",
    without: FIELDS_OF_SEARCHES,
  },
  // The working is all that the one step shows.
  summary: { prediction: 200, trace: 1_800, thought: 0.9 },
};
