import type { KeptGain } from "../../model/internalised.ts";
import { countedShare } from "../../scoring/exact-interval.ts";
import type { RunQuestions } from "./by-question.ts";

/** The runs that a kept gain is read from. */
export interface GainRuns {
  readonly beforeOff: RunQuestions;
  readonly beforeOn: RunQuestions;
  readonly afterOff: RunQuestions;
}

/** One question in these runs, where all have judged it. */
function rightIn({ beforeOff, beforeOn, afterOff }: GainRuns, id: string) {
  const [off, on, after] = [beforeOff, beforeOn, afterOff].map((run) => run.get(id)?.right);
  return off === undefined || on === undefined || after === undefined ? [] : [{ off, on, after }];
}

/**
 * Questions that Program Functions gained before training (more right samples with them than without), and how many of these are as right
 * without them after it. Beside it the questions that were wrong both ways: what training does to a question that PFs never solved.
 */
export function keptGain(runs: GainRuns, ids: Iterable<string>): KeptGain {
  const known = [...ids].flatMap((id) => rightIn(runs, id));
  const gained = known.filter(({ off, on }) => on > off);
  const others = known.filter(({ off, on }) => on === 0 && off === 0);
  return {
    kept: countedShare(gained.filter(({ on, after }) => after >= on).length, gained.length),
    others: countedShare(others.filter(({ after }) => after > 0).length, others.length),
  };
}
