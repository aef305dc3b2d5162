import type { Action } from "../model/action.ts";
import type { Proposal } from "../model/episode.ts";
import type { Policy } from "./policy.ts";

/** What a script says at one step: an action, or two where the first is expected to be held back. */
export type ScriptedStep = Action | Proposal | readonly (Action | Proposal)[];

const isProposal = (said: Action | Proposal): said is Proposal => "action" in said;

/**
 * A policy for tests: says what its script holds for the step, whatever it has seen. A second proposal that the script lacks is the
 * first again. Past the end of the script it ends the episode.
 */
export function scriptedPolicy(
  id: string,
  scriptOf: (questionId: string) => readonly ScriptedStep[],
): Policy {
  return {
    id,
    async propose({ questionId, t, proposal }) {
      const step = scriptOf(questionId)[t];
      const said = Array.isArray(step)
        ? (step as readonly (Action | Proposal)[])
        : step === undefined
          ? []
          : [step as Action | Proposal];
      const chosen = said[proposal] ?? said.at(-1);
      if (chosen === undefined) return undefined;
      return isProposal(chosen) ? chosen : { thought: "", action: chosen };
    },
  };
}
