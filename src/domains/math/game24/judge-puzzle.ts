import type { Verdict } from "../../../model/verdict.ts";
import type { JudgeTask } from "../../../scoring/judge.ts";
import { answerText } from "../draft/answer-text.ts";
import { toText } from "../expression/rational.ts";
import { checkSolution } from "./check.ts";
import { puzzleOf, puzzleOfMaterial, type GivenPuzzle } from "./puzzle.ts";

/** Judges an answer to a puzzle by its rule, with or without accepted answers. Undefined: the question is no puzzle. */
export function judgePuzzle(task: JudgeTask): Omit<Verdict, "judge"> | undefined {
  const puzzle = puzzleOfTask(task);
  if (puzzle === undefined) return undefined;
  const { problem, value } = checkSolution(puzzle, answerText(task.answer));
  const passed = problem === undefined;
  const evidence = {
    ...(problem !== undefined && { problem }),
    ...(value !== undefined && { makes: toText(value) }),
  };
  return { score: passed ? 1 : 0, passed, evidence };
}

/** Material decides; a text counts where its accepted answers, if there are any, do not say otherwise. */
function puzzleOfTask({ question, gold, material }: JudgeTask): GivenPuzzle | undefined {
  const byMaterial = puzzleOfMaterial(material);
  if (byMaterial !== undefined) return byMaterial;
  const puzzle = puzzleOf(question);
  return puzzle !== undefined && (gold ?? []).every((one) => isGoldOfPuzzle(one, puzzle))
    ? puzzle
    : undefined;
}

/** An accepted answer of a puzzle is its target or solves it; another one says that the question asks for something else. */
function isGoldOfPuzzle(gold: string, puzzle: GivenPuzzle): boolean {
  return gold.trim() === String(puzzle.target) || checkSolution(puzzle, gold).problem === undefined;
}
