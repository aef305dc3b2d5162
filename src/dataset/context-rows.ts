import type { AgentPrompt, PromptSeen } from "../domains/domain.ts";
import { heldBackBy, seenIn } from "../harness/branch-prefix.ts";
import { finalActionOf } from "../model/action-types.ts";
import type { Episode, Step } from "../model/episode.ts";
import type { DropReason } from "../model/train-data.ts";
import { conversation, float, text, type Columns, type Message } from "./encode-row.ts";
import { placeColumns, weightOf, type PlacedStep } from "./step-rows.ts";

/** A context that a policy read, with the skill that gave it. */
type Context = Step["injected"][number];

/** The contexts that a policy read for the first time in one step. */
export interface StepContexts {
  /** The step before with the contexts that were read with its observation; undefined where there were none. */
  readonly observed: Extract<PromptSeen, { kind: "step" }> | undefined;
  /** All of them, in the order in which they were read: with the observation before, then those that held back the answer. */
  readonly all: readonly Context[];
}

/** The decisions have the reason of an action that a vote or the settings put in the place of another: the policy read it. */
type Recorded = Pick<Episode, "steps" | "facts" | "decisions">;

/** Contexts that came with the observation of the step before. */
function observedBefore({ steps, facts, decisions = [] }: Recorded, t: number): StepContexts {
  const before = steps.find((one) => one.t === t - 1);
  const [last] =
    before === undefined
      ? []
      : seenIn({ steps: [before], finalAction: finalActionOf(facts), decisions }).slice(-1);
  if (before === undefined || last?.kind !== "step" || last.injected.length === 0)
    return { observed: undefined, all: [] };
  return { observed: last, all: before.injected.slice(heldBackBy(before)) };
}

/** The contexts of a step that its policy could answer to; none where none came, or the episode ended before. */
export function contextsOf(episode: Recorded, step: Step): StepContexts {
  const { observed, all } = observedBefore(episode, step.t);
  return { observed, all: [...all, ...step.injected.slice(0, heldBackBy(step))] };
}

/** The prompt of a step twice, as its policy would have read it without the contexts, and as it read it. */
export interface ContextPrompts {
  readonly prompt: readonly Message[];
  readonly privileged: readonly Message[];
}

type ChatMessages = Parameters<AgentPrompt["withoutContexts"]>[0];

/**
 * The two prompts of a step (SPEC §8, E7). Both are recorded messages: those of the first proposal, and those of the last one, which differ
 * where an answer was held back. From the first ones the contexts of the observation before are removed, and nothing else is.
 */
export function contextPrompts(
  { observed }: StepContexts,
  [first, last]: readonly [first: ChatMessages | undefined, last: ChatMessages | undefined],
  prompt: Pick<AgentPrompt, "withoutContexts"> | undefined,
): ContextPrompts | DropReason {
  if (first === undefined || first.length === 0 || last === undefined || last.length === 0)
    return "no_prompt";
  const bare = observed === undefined ? first : prompt?.withoutContexts(first, observed);
  return bare === undefined ? "other_prompt" : { prompt: bare, privileged: last };
}

/** A step of which the policy read contexts, with its texts. */
export interface ContextStep extends PlacedStep, ContextPrompts {
  readonly contexts: readonly Context[];
}

/** The skills whose contexts stand in the one prompt alone, each once. */
export const contextSkills = (contexts: readonly Context[]): readonly string[] => [
  ...new Set(contexts.map(({ skillId }) => skillId)),
];

export function contextRow(one: ContextStep): Columns {
  return {
    prompt: conversation(one.prompt),
    privileged: conversation(one.privileged),
    sample_weight: float(weightOf(one.signals)),
    contexts: text(contextSkills(one.contexts).join(",")),
    ...placeColumns(one),
  };
}
