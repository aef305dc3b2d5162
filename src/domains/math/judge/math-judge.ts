import type { Judge } from "../../../scoring/judge.ts";

const NAME = "exact_math";

/** Decides on exact values whether an answer is one of the accepted ones. */
export const mathJudge: Judge = {
  name: NAME,
  async judge({ answer, gold }) {
    if (gold === undefined) return undefined;
    const passed = gold.some((accepted) => accepted.trim() === answer.trim());
    return { judge: NAME, score: passed ? 1 : 0, passed };
  },
};
