import { wasRight } from "./outcomes.ts";
import { finalActionOf } from "./action-types.ts";
import type { Episode, Proposal, Step } from "./episode.ts";

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

/** The first verdict is that of the judge of the run. Undefined where there is none. */
export const isRight = ({ verdicts }: Pick<Proposal, "verdicts">): boolean | undefined =>
  verdicts?.[0]?.passed;

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

type Recorded = Pick<Episode, "facts" | "steps" | "outcome">;

/** The drafts that were held back, each with its step. */
function heldBack({ facts, steps, outcome }: Recorded) {
  const finalAction = finalActionOf(facts);
  const answers = steps.flatMap((step) =>
    step.proposals.flatMap((proposal, nth) =>
      proposal.action.type === finalAction ? [{ step, nth, right: isRight(proposal) }] : [],
    ),
  );
  const ended = wasRight(outcome);
  return answers.flatMap(({ step, nth, right }, i) => {
    if (nth !== 0 || step.proposals.length < 2) return [];
    const next = answers[i + 1];
    return [{ step, draft: right, revision: next === undefined ? ended : next.right }];
  });
}

/**
 * The drafts of an episode that were held back, as it records them. The revision is the next answer that its policy proposed, in the same
 * step or later; where there is none, the answer that the episode ended with.
 */
export function revisedDrafts(episode: Recorded): readonly RevisedDraft[] {
  return heldBack(episode).map(({ step, ...verdicts }) => ({
    t: step.t,
    skillIds: holdersOf(step),
    ...verdicts,
  }));
}

/** What the revision did to the draft that a step held back: undefined where it held back none, or a verdict is missing. */
export function revisionAt(
  episode: Recorded,
  { t, proposals }: Step,
): "fixed" | "broken" | "same" | undefined {
  // Most steps have one proposal: the episode is not looked through for them.
  if (proposals.length < 2) return undefined;
  const { draft, revision } = heldBack(episode).find(({ step }) => step.t === t) ?? {};
  if (draft === undefined || revision === undefined) return undefined;
  if (draft === revision) return "same";
  return revision ? "fixed" : "broken";
}
