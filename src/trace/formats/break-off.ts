import { finalActionOf } from "../../model/action-types.ts";
import type { Episode } from "../../model/episode.ts";

/** Of the episode at the break nobody knows what came after it: the last words that can be read are not the answer. */
export function breakOff(episode: Episode): Episode {
  const { answer: _, ...rest } = episode;
  const final = finalActionOf(episode.facts);
  const steps = episode.steps.map((step) => {
    const { type, arg } = step.executed;
    if (type !== final) return step;
    const action = { type: "other", arg, raw: arg };
    return {
      ...step,
      executed: action,
      proposals: step.proposals.map((proposal) => ({ ...proposal, action })),
    };
  });
  const actionTypes = rest.facts.actionTypes.filter((type) => type !== final);
  return { ...rest, steps, facts: { ...rest.facts, actionTypes }, stopReason: "interrupted" };
}
