import type { Verdict } from "../model/verdict.ts";
import { verdictIn, whyNoVerdict, type Judge } from "./judge.ts";

/** Reasons for which a judge came to no verdict, with the number of texts. */
export type ReasonCounts = Record<string, number>;

export function countReason(counts: ReasonCounts, why: string | undefined): void {
  if (why !== undefined) counts[why] = (counts[why] ?? 0) + 1;
}

/** A judge without what it decides by. */
type Known = Omit<Judge, "judge">;

/** A judge decides what it can, and another one the rest. */
export function restBy(first: Known, other: Known): Known {
  return {
    name: `${first.name} else ${other.name}`,
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
      const own = await first.judge(task, signal);
      const isLeft = whyNoVerdict(own) !== undefined;
      const judgement = isLeft ? await other.judge(task, signal) : own;
      const verdict = verdictIn(judgement);
      if (verdict === undefined) return judgement;
      const decidedBy = isLeft ? other.name : first.name;
      const evidence: Verdict["evidence"] = { ...verdict.evidence, decidedBy };
      return { ...verdict, judge: known.name, evidence };
    },
  };
}
