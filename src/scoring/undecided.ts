import type { Verdict } from "../model/verdict.ts";
import type { Judge } from "./judge.ts";

/** A judge without what it decides by. */
type Known = Omit<Judge, "judge">;

/** A judge decides what it can, and another one the rest. */
export function restBy(first: Known, other: Known): Known {
  return {
    name: `${first.name}, else ${other.name}`,
    ...(first.needsMaterial === true && { needsMaterial: true }),
    callOf: (task) => (first.whyUndecided?.(task) === undefined ? undefined : other.callOf?.(task)),
  };
}

/** The same, with both opened. `evidence.decidedBy` of a verdict names the judge that decided. Rejects as they do. */
export function judgeRestBy(first: Judge, other: Judge): Judge {
  const known = restBy(first, other);
  return {
    ...known,
    async judge(task, signal) {
      const decides = first.whyUndecided?.(task) === undefined ? first : other;
      const verdict = await decides.judge(task, signal);
      if (verdict === undefined) return undefined;
      const evidence: Verdict["evidence"] = { ...verdict.evidence, decidedBy: decides.name };
      return { ...verdict, judge: known.name, evidence };
    },
  };
}
