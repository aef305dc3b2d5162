import { needsOutcome } from "../analysis/signals/aggregate.ts";
import { episodeSignals, type EpisodeSignals } from "../analysis/signals/episode-signals.ts";
import type { SemanticScores } from "../analysis/signals/evidence.ts";
import { finalActionOf } from "../model/action-types.ts";
import type { Episode, Step } from "../model/episode.ts";
import { isRight, revisedDrafts } from "../model/revised-drafts.ts";
import type { SignalWeights, StepSignals } from "../model/signals.ts";
import type { DropReason } from "../model/train-data.ts";

/** Limits of layer 1 (SPEC §8). */
export interface ScoringRules {
  readonly weights: SignalWeights;
  /** The least reward of a step that is kept. */
  readonly floor: number;
}

/** Whether answers of a step were right, by the judge of the run; undefined where there is no such answer, or no verdict. */
export interface AnswerVerdicts {
  /** The first proposal. */
  readonly draft: boolean | undefined;
  /** The answer that came of a first proposal which was held back (`revisedDrafts`). */
  readonly revision: boolean | undefined;
}

/** A step of layer 1: its signals, and why it is no training data, where it is none. */
export interface ScoredStep {
  readonly step: Step;
  readonly signals: StepSignals;
  readonly answers: AnswerVerdicts;
  readonly dropped: DropReason | undefined;
  /** Of a step without an outcome: why it would be none with one, whatever its reward. */
  readonly otherReason: DropReason | undefined;
  /** Its call stands in the reply of an earlier step: the agent made several calls at once. */
  readonly sharesReply: boolean;
}

/** An episode of layer 1. */
export interface ScoredEpisode {
  readonly episode: Episode;
  readonly signals: EpisodeSignals;
  readonly steps: readonly ScoredStep[];
}

/** Steps that a branch has from the episode that it leaves. */
function prefixOf({ extra }: Pick<Episode, "extra">): number {
  const from = extra?.["branchedFrom"];
  const t = typeof from === "object" && from !== null && "t" in from ? from.t : undefined;
  return typeof t === "number" ? t : 0;
}

/** The steps whose calls stand in the reply of a step before them, which has it as its completion. */
function laterInReply(steps: readonly Step[]): ReadonlySet<number> {
  const later = new Set<number>();
  let hasReply = false;
  let before: Step | undefined;
  for (const step of steps) {
    const turn = step.extra?.["turn"];
    const isTogether =
      before !== undefined &&
      ((turn !== undefined && turn === before.extra?.["turn"]) ||
        step.unanswered?.includes(before.t) === true);
    if (step.proposals.some(({ completion }) => completion !== undefined)) hasReply = true;
    else if (isTogether && hasReply) later.add(step.t);
    else hasReply = false;
    before = step;
  }
  return later;
}

interface About {
  readonly isAbandoned: boolean;
  readonly prefix: number;
  readonly noOutcome: boolean;
  readonly isHeldOut: boolean;
  readonly types: ReadonlySet<string>;
  readonly divergedAt: number;
  readonly floor: number;
}

function dropReason(
  { t, notRun, executed }: Step,
  { reward, correction }: StepSignals,
  { draft, revision }: AnswerVerdicts,
  about: About,
): DropReason | undefined {
  if (about.isAbandoned) return "abandoned";
  if (about.isHeldOut) return "held_out";
  if (about.noOutcome) return "no_outcome";
  if (t > about.divergedAt) return "behind_divergence";
  if (t < about.prefix) return "branch_prefix";
  if (notRun !== undefined) return "not_run";
  if (!about.types.has(executed.type) || executed.arg.trim() === "") return "invalid_action";
  if (correction === "revised" && draft === true && revision === false) return "broken_draft";
  return reward < about.floor ? "under_floor" : undefined;
}

/**
 * Layer 1: the steps of an episode with their signals, and the first reason why a step is no training data. An episode without a verdict is
 * dropped where the weights need one; a re-driven one that diverged keeps the steps up to there, without an outcome (SPEC §8).
 */
export function scoreEpisode(
  episode: Episode,
  { weights, floor }: ScoringRules,
  { semantic, isHeldOut }: { readonly semantic: SemanticScores | undefined; readonly isHeldOut: boolean },
): ScoredEpisode {
  const signals = episodeSignals(episode, weights, semantic);
  const { facts } = episode;
  const about: About = {
    isAbandoned: episode.outcome === "abandoned",
    prefix: prefixOf(episode),
    noOutcome: signals.passed === undefined && signals.divergence === undefined && needsOutcome(weights),
    isHeldOut,
    types: new Set([...facts.actionTypes, finalActionOf(facts)]),
    divergedAt: signals.divergence?.t ?? Infinity,
    floor,
  };
  const byStep = new Map(signals.steps.map((one) => [one.t, one]));
  const sharing = laterInReply(episode.steps);
  const revised = new Map(revisedDrafts(episode).map((one) => [one.t, one]));
  const steps = episode.steps.flatMap((step) => {
    const found = byStep.get(step.t);
    const [first] = step.proposals;
    if (found === undefined || first === undefined) return [];
    const answers = { draft: isRight(first), revision: revised.get(step.t)?.revision };
    const dropped = dropReason(step, found, answers, about);
    const otherReason =
      dropped === "no_outcome"
        ? dropReason(step, found, answers, { ...about, noOutcome: false, floor: -Infinity })
        : undefined;
    return { step, signals: found, answers, dropped, otherReason, sharesReply: sharing.has(step.t) };
  });
  return { episode, signals, steps };
}
