/** Steps and episodes for tests of the signals, written by hand: each test names all that its slot depends on. */
import { episodeSignals } from "../../src/analysis/signals/episode-signals.ts";
import type { SemanticScores } from "../../src/analysis/signals/evidence.ts";
import type { Action } from "../../src/model/action.ts";
import { EPISODE_SCHEMA, type DomainFacts, type Episode, type Step } from "../../src/model/episode.ts";
import type { Intervention, PfEvent } from "../../src/model/intervention.ts";
import {
  DEFAULT_WEIGHTS,
  FAMILIES,
  SLOTS,
  type SignalSlot,
  type SignalWeights,
  type StepSignals,
} from "../../src/model/signals.ts";
import { final, read, search } from "./episodes.ts";

export const FACTS: DomainFacts = {
  domain: "web-search",
  actionTypes: ["SEARCH", "READ"],
  searchReturnsText: false,
  maxSteps: 12,
};

/** Over a step that ran as it was proposed. */
export interface StepParts extends Partial<Omit<Step, "t" | "proposals">> {
  /** Further proposals, after contexts. */
  readonly again?: readonly Action[];
}

export type MadeStep = Omit<Step, "t">;

/** A step in which `proposed` runs and brings something, except for what `parts` say. */
export function step(proposed: Action, { again = [], ...parts }: StepParts = {}): MadeStep {
  const { executed = again.at(-1) ?? proposed } = parts;
  return {
    proposals: [proposed, ...again].map((action) => ({ thought: "", action })),
    events: [],
    injected: [],
    observation: `${executed.type} brought ${executed.arg}`,
    ...parts,
    executed,
  };
}

/** An episode of these steps with a right answer. */
export function episodeOf(steps: readonly MadeStep[], parts: Partial<Episode> = {}): Episode {
  return {
    schema: EPISODE_SCHEMA,
    id: "e1",
    questionId: "q1",
    sample: 1,
    outcome: "correct",
    question: "Who was it?",
    source: "hasp",
    facts: FACTS,
    library: [],
    stopReason: "final",
    ...parts,
    steps: steps.map((one, t) => ({ t, ...one })),
    length: steps.length,
  };
}

export function event(
  status: PfEvent["status"],
  intervention?: Intervention,
  more: Partial<PfEvent> = {},
): PfEvent {
  return {
    skillId: "helper",
    proposal: 0,
    status,
    reason: "test",
    ...(intervention !== undefined && { intervention }),
    ...more,
  };
}

export const modify = (newActionType: string, newActionArg: string): Intervention => ({
  type: "MODIFY_ACTION",
  newActionType,
  newActionArg,
  reason: "test",
});
export const inject: Intervention = { type: "INJECT_CONTEXT", contextText: "Look again.", reason: "test" };

/** A step whose proposal a Program Function changed into another action. */
export const changed = (proposed: Action, executed: Action): MadeStep =>
  step(proposed, { executed, events: [event("applied", modify(executed.type, executed.arg))] });

/** A search, and a document that was read. */
export const looked: readonly MadeStep[] = [step(search("Walton")), step(read("doc_0"))];

/** So many steps that nothing touched, the last of them an answer. */
export const plain = (length: number): MadeStep[] => [
  ...Array.from({ length: length - 1 }, (_, i) => step(search(`query ${i}`))),
  step(final("Sam Walton")),
];

/** Weights under which this slot alone counts. */
export function only(slot: SignalSlot): SignalWeights {
  return { ...DEFAULT_WEIGHTS, dropped: SLOTS.filter((one) => one !== slot) };
}

export function signalsAt(
  episode: Episode,
  t: number,
  { weights = DEFAULT_WEIGHTS, semantic }: { weights?: SignalWeights; semantic?: SemanticScores } = {},
): StepSignals {
  const found = episodeSignals(episode, weights, semantic).steps.find((one) => one.t === t);
  if (found === undefined) throw new Error(`no step ${t}`);
  return found;
}

/** The value of a slot; by default at the last step. */
export function slotAt(
  slot: SignalSlot,
  episode: Episode,
  t = episode.length - 1,
  semantic?: SemanticScores,
): number {
  return signalsAt(episode, t, semantic && { semantic }).values[slot].value;
}

/** The values of the families to 4 digits, with A: as SPEC writes them. */
export function rounded({ families, reward }: Pick<StepSignals, "families" | "reward">) {
  const digits = (value: number): number => Number(value.toFixed(4));
  return { families: FAMILIES.map((family) => digits(families[family])), A: digits(reward) };
}
