import type { Proposal, Step } from "./episode.ts";

/** The replies of a policy's model, by how an action was read in them. */
export interface ReplyCounts {
  readonly replies: number;
  /** Replies in which no action was found, whether or not a PF repaired them afterwards. */
  readonly invalid: number;
  /** Replies whose action had another form than the prompt asks for. */
  readonly lenient: number;
}

export const NO_REPLIES: ReplyCounts = { replies: 0, invalid: 0, lenient: 0 };

/** With fewer replies than these, one of them is more than one percent: their number says what they are. */
const LEAST_FOR_PERCENT = 100;

/** A model said it: the record has it word for word, and it was not rendered from a recording. */
const isSaid = ({ completion }: Proposal): boolean =>
  completion !== undefined && completion.rendered !== true;

/**
 * Counts every reply of a model, also the second one of a step whose first was held back: it was asked for and paid like the first.
 * Imports other than recorded answers, and recorded policies, have no replies.
 */
export function countReplies(steps: readonly Pick<Step, "proposals">[]): ReplyCounts {
  const said = steps.flatMap(({ proposals }) => proposals).filter(isSaid);
  return {
    replies: said.length,
    invalid: said.filter(({ action }) => action.type === "invalid").length,
    lenient: said.filter(({ lenient }) => lenient === true).length,
  };
}

export function addReplies(a: ReplyCounts, b: ReplyCounts): ReplyCounts {
  return {
    replies: a.replies + b.replies,
    invalid: a.invalid + b.invalid,
    lenient: a.lenient + b.lenient,
  };
}

/** A whole percentage; neither none nor all are the result of rounding. */
function percent(count: number, of: number): string {
  const share = (100 * count) / of;
  if (count > 0 && share < 0.5) return "<1%";
  if (count < of && share > 99.5) return ">99%";
  return `${Math.round(share)}%`;
}

/** `invalid 3% of 212 replies, 5% read leniently`, or `invalid 1 of 9 replies`; undefined where no model replied. */
export function repliesText({ replies, invalid, lenient }: ReplyCounts): string | undefined {
  if (replies === 0) return undefined;
  const part = (count: number): string =>
    replies < LEAST_FOR_PERCENT ? String(count) : percent(count, replies);
  const all = replies === 1 ? "1 reply" : `${replies.toLocaleString("en")} replies`;
  const read = lenient === 0 ? "" : `, ${part(lenient)} read leniently`;
  return `invalid ${part(invalid)} of ${all}${read}`;
}
