import type { Episode, Step } from "../model/episode.ts";
import type { Verdict } from "../model/verdict.ts";
import { outcomeOf } from "./judge.ts";

type Judged = Pick<Episode, "answer" | "outcome" | "verdicts" | "steps">;

/** The latest verdict of a judge, alone in its list. */
function latestOf(judge: string, verdicts: readonly Verdict[] | undefined): Verdict[] {
  const latest = verdicts?.findLast((one) => one.judge === judge);
  return latest === undefined ? [] : [latest];
}

function draftsBy(judge: string, step: Step): Step {
  const proposals = step.proposals.map((proposal) => ({
    ...proposal,
    ...(proposal.verdicts !== undefined && { verdicts: latestOf(judge, proposal.verdicts) }),
  }));
  return { ...step, proposals };
}

/**
 * The episode as if this judge had been that of its run: only its latest verdict on the answer and on each draft is left, and the outcome
 * follows from the former. Without one, an answer is unjudged.
 */
export function judgedBy<E extends Judged>(episode: E, judge: string): E {
  const verdicts = latestOf(judge, episode.verdicts);
  const outcome = outcomeOf(episode.answer, verdicts[0]);
  return { ...episode, outcome, verdicts, steps: episode.steps.map((step) => draftsBy(judge, step)) };
}
