import { checkSolution } from "../game24/check.ts";
import { puzzleOf } from "../game24/puzzle.ts";
import type { Puzzle } from "../math-types.d.ts";
import { answerText } from "./answer-text.ts";

/** The puzzle of a question, and what the proposed answer makes of it; undefined where the question is none. */
export function readPuzzle(question: string, answer: string): Puzzle | undefined {
  const puzzle = puzzleOf(question);
  if (puzzle === undefined) return undefined;
  const { problem } = checkSolution(puzzle, answerText(answer));
  return {
    numbers: puzzle.numbers.map(String),
    target: String(puzzle.target),
    ...(problem !== undefined && { problem }),
  };
}
