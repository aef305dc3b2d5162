import type { Verdict } from "../../../model/verdict.ts";
import type { Judge, JudgeTask } from "../../../scoring/judge.ts";
import { judgePuzzle } from "../game24/judge-puzzle.ts";
import { canRead, compareAnswers, type Compared } from "./same-answer.ts";

const NAME = "exact_math";

interface Decision {
  readonly verdict?: Verdict;
  /** Why there is none. */
  readonly why?: string;
}

function verdictOf(passed: boolean, { given, accepted }: Compared): Verdict {
  return { judge: NAME, score: passed ? 1 : 0, passed, evidence: { given, accepted } };
}

/** A puzzle by its rule; else right is what equals one accepted answer, and wrong what certainly equals none. */
function decide(task: JudgeTask): Decision {
  const { question, answer, gold = [] } = task;
  const byRule = judgePuzzle(task);
  if (byRule !== undefined) return { verdict: { judge: NAME, ...byRule } };
  const compared: Compared[] = [];
  for (const accepted of gold) {
    const one = compareAnswers(answer, accepted, question);
    if (one.same === true) return { verdict: verdictOf(true, one) };
    compared.push(one);
  }
  const undecided = compared.find(({ same }) => same === undefined);
  const [first] = compared;
  if (undecided !== undefined) return { why: undecided.why ?? "" };
  return first === undefined ? {} : { verdict: verdictOf(false, first) };
}

/** Decides on exact values whether an answer is one of the accepted ones; docs/math.md has what counts as the same. */
export const mathJudge: Judge = {
  name: NAME,
  whyUndecided: (task) => decide(task).why,
  readsGold: canRead,
  async judge(task) {
    const { verdict, why } = decide(task);
    return verdict ?? (why === undefined ? undefined : { why });
  },
};
