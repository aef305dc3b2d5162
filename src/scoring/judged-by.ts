import type { Episode } from "../model/episode.ts";
import { outcomeOf } from "./judge.ts";

type Judged = Pick<Episode, "answer" | "outcome" | "verdicts">;

/**
 * The episode as if this judge had been that of its run: only its latest verdict is left, and the outcome follows from it. Without one,
 * an answer is unjudged.
 */
export function judgedBy<E extends Judged>(episode: E, judge: string): E {
  const verdict = episode.verdicts?.findLast((one) => one.judge === judge);
  const outcome = outcomeOf(episode.answer, verdict);
  return { ...episode, outcome, verdicts: verdict === undefined ? [] : [verdict] };
}
