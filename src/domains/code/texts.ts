import { FIELDS_OF_SEARCHES } from "../../model/search-context-fields.ts";
import type { DomainTexts } from "../texts.ts";

/** The words of code in the prompts of teachers, judges and authors of skills. */
export const CODE_TEXTS: Partial<DomainTexts> = {
  can: "plan before it writes its program",
  does: "solves a programming task with one Python program",
  difficulties:
    "1: one loop or one call of the library solves it. 3: several steps, or cases at the edges to get right. 5: it needs an idea, or an algorithm that is fast enough for large input.",
  stepScores: `- 1: the program does what the task states, for the cases at its edges, too.
- about 0.5: the approach fits the task, but a case is missing or a line has a slip.
- 0: there is no program, it is a stub, it does not run, or it solves another task.`,
  doubtful: "a program that leaves out something that the task states",
  advice:
    "Take the task sentence by sentence, run the program in your head on each of its examples and on the smallest input, and write the whole program again.",
  sameAnswer: `- Two programs are the same answer if they give the same results on every input that the task allows. Names, comments, layout and imports do not matter.
- A result of another type or in another order is another answer, unless the task leaves that open. What is printed is no result that is returned.
- A program that is too slow for the largest input that the task names is not the same as one that is fast enough.`,
  context: {
    fields: "question, stepCount,\nmaxSteps, actionHistory, thought, code",
    inCases:
      "question, stepCount, maxSteps, actionHistory (a list of `{ type, arg }`), thought (the text around the program; `code` follows from the question and the proposed program)",
    bears: "a program that does not parse, an empty answer, ",
    state: "",
    gathering: "",
    without: FIELDS_OF_SEARCHES,
  },
  // The program is all that the one step shows, and its lines mean something.
  summary: { prediction: 3_000, hasLines: true, trace: 1_800, thought: 0.9 },
};
