import { readAnswer } from "./draft/answer.ts";
import { readAsked } from "./draft/asked.ts";
import { DRAWING } from "./draft/asking.ts";
import { readCases } from "./draft/cases.ts";
import { checksOf } from "./draft/checks.ts";
import { claimsOf } from "./draft/claims.ts";
import { equationsOf } from "./draft/equations.ts";
import { MOST_LISTED } from "./draft/limits.ts";
import { linksOf } from "./draft/links.ts";
import { draftNumbersOf, givenOf } from "./draft/numbers.ts";
import { readPuzzle } from "./draft/puzzle.ts";
import { readRules } from "./draft/rules.ts";
import { solvedOf } from "./draft/solved.ts";
import { tokensOf } from "./draft/tokens.ts";
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
    ...workingOf(question, thought, answer),
    claims: claimsOf(thought),
    ...readCases(question, thought),
    rules: readRules(thought),
    ...(puzzle !== undefined && { puzzle }),
  };
}

/** Fields that read the numbers and equations. */
function workingOf(
  question: string,
  thought: string,
  answer: string,
): Pick<MathDraft, "given" | "numbers" | "equations" | "solved" | "checks"> {
  const tokens = tokensOf(thought);
  const links = linksOf(tokens);
  const equations = equationsOf(thought, tokens, links, MOST_LISTED);
  const asked = tokensOf(question);
  return {
    given: givenOf(
      tokensOf(question.replaceAll(DRAWING, " ")),
      [...tokens, ...tokensOf(answer)],
      MOST_LISTED,
    ),
    numbers: draftNumbersOf(tokens, asked, equations, MOST_LISTED),
    equations,
    solved: solvedOf(thought, links, MOST_LISTED),
    checks: checksOf(question, answer),
  };
}
