import { readAnswer } from "./draft/answer.ts";
import { readAsked } from "./draft/asked.ts";
import { readCases } from "./draft/cases.ts";
import { readPuzzle } from "./draft/puzzle.ts";
import { readRules } from "./draft/rules.ts";
import type { MathDraft } from "./math-types.d.ts";

/** Reads the thought and the proposed answer to a question. Never fails; what cannot be read is left out. */
export function readDraft(about: {
  readonly question: string;
  readonly thought: string;
  readonly answer: string;
}): MathDraft {
  const { question, thought, answer } = about;
  const puzzle = readPuzzle(question, answer);
  return {
    answer: readAnswer(answer, thought),
    asked: readAsked(question),
    given: [],
    numbers: [],
    equations: [],
    solved: [],
    checks: [],
    claims: [],
    ...readCases(question, thought),
    rules: readRules(thought),
    ...(puzzle !== undefined && { puzzle }),
  };
}
