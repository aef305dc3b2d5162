import { wasRight } from "../../model/outcomes.ts";
import { finalActionOf, SEARCH } from "../../model/action-types.ts";
import type { Episode } from "../../model/episode.ts";
import type { ReplyCounts } from "../../model/replies.ts";
import { measureEpisode } from "../compare-measures.ts";

/** An episode, as the report on internalised skills needs it. */
export interface ReadEpisode {
  readonly questionId: string;
  readonly question: string;
  readonly sample: number;
  /** Undefined where nobody has judged it. An episode that gave no answer is wrong. */
  readonly right: boolean | undefined;
  /** Skills whose Program Functions changed something. */
  readonly applied: ReadonlySet<string>;
  /** Those, and the ones that fired with nothing to change (noop). */
  readonly triggered: ReadonlySet<string>;
  /** Undefined where the domain has no such action; so are reads. */
  readonly searches: number | undefined;
  readonly reads: number | undefined;
  readonly replies: ReplyCounts;
  /** It ends with an answer, and nothing was searched before. */
  readonly answersUnsearched: boolean;
}

export function readEpisodeFacts(episode: Episode): ReadEpisode {
  const { questionId, question, sample, outcome, steps, facts } = episode;
  const events = steps.flatMap((step) => step.events);
  const withStatus = (...statuses: readonly string[]): ReadonlySet<string> =>
    new Set(events.filter(({ status }) => statuses.includes(status)).map(({ skillId }) => skillId));
  const { searches, reads, replies } = measureEpisode(episode);
  const last = steps.at(-1);
  const answers = last?.notRun === undefined && last?.executed.type === finalActionOf(facts);
  const searched = steps.some(({ executed, notRun }) => executed.type === SEARCH && notRun === undefined);
  return {
    questionId,
    question,
    sample,
    right: wasRight(outcome),
    applied: withStatus("applied"),
    triggered: withStatus("applied", "noop"),
    searches,
    reads,
    replies,
    answersUnsearched: answers && !searched,
  };
}
