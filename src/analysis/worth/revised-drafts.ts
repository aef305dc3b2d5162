import { finalActionOf } from "../../model/action-types.ts";
import type { Episode, Proposal, Step } from "../../model/episode.ts";
import type { Revisions } from "../../model/revisions.ts";
import { signTest } from "../compare-measures.ts";

/** A draft that was held back in a record, and the answer that came of it. */
export interface RevisedDraft {
  /** 0-based. */
  readonly t: number;
  /** Those whose texts held it back, by the record. */
  readonly skillIds: readonly string[];
  /** Whether it was right; undefined where nobody judged it. */
  readonly draft: boolean | undefined;
  /** The same of the revision. */
  readonly revision: boolean | undefined;
}

const isRight = ({ verdicts }: Pick<Proposal, "verdicts">): boolean | undefined => verdicts?.[0]?.passed;

/** The skills that held back the first proposal of a step: by their contexts, or where there is none by phase texts on the draft. */
function holdersOf({ events, instructions = [] }: Step): readonly string[] {
  const contexts = events.flatMap(({ skillId, proposal, pass, status, intervention }) =>
    proposal === 0 && pass !== "post" && status === "applied" && intervention?.type === "INJECT_CONTEXT"
      ? [skillId]
      : [],
  );
  const texts = instructions.flatMap(({ skillId, proposal }) => (proposal === 1 ? [skillId] : []));
  return [...new Set(contexts.length > 0 ? contexts : texts)];
}

/**
 * The drafts of an episode that were held back, as it records them. The revision is the next answer that its policy proposed, in the same
 * step or later; where there is none, the answer that the episode ended with.
 */
export function revisedDrafts(
  episode: Pick<Episode, "facts" | "steps" | "outcome">,
): readonly RevisedDraft[] {
  const finalAction = finalActionOf(episode.facts);
  const answers = episode.steps.flatMap((step) =>
    step.proposals.flatMap((proposal, nth) =>
      proposal.action.type === finalAction ? [{ step, nth, right: isRight(proposal) }] : [],
    ),
  );
  const { outcome } = episode;
  const ended = outcome === "unjudged" ? undefined : outcome === "correct";
  return answers.flatMap(({ step, nth, right }, i) => {
    if (nth !== 0 || step.proposals.length < 2) return [];
    const next = answers[i + 1];
    const revision = next === undefined ? ended : next.right;
    return [{ t: step.t, skillIds: holdersOf(step), draft: right, revision }];
  });
}

/** Counts drafts; those whose two verdicts are not both known are counted apart. */
export function countRevisions(drafts: readonly Pick<RevisedDraft, "draft" | "revision">[]): Revisions {
  const count = (draft: boolean, revision: boolean): number =>
    drafts.filter((one) => one.draft === draft && one.revision === revision).length;
  const [fixed, broken] = [count(false, true), count(true, false)];
  const [sameRight, sameWrong] = [count(true, true), count(false, false)];
  const notMeasured = drafts.length - fixed - broken - sameRight - sameWrong;
  return { fixed, broken, sameRight, sameWrong, notMeasured, p: signTest(fixed, broken) };
}
