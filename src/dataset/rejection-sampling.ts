import type { Episode } from "../model/episode.ts";
import { tokenF1 } from "../scoring/f1.ts";
import type { EpisodeSignals } from "../analysis/signals/episode-signals.ts";

/** β1 and β2 of Score(τ) = β1·TaskSuccess + β2·A(τ); ours, the paper gives none (SPEC §8). */
export const BETAS = { success: 0.5, signals: 0.5 } as const;
/** The composite of the filter, and the least that passes (SPEC §8). */
export const COMPOSITE = { em: 0.7, f1: 0.2, economy: 0.1, least: 0.15 } as const;

/** An episode as rejection sampling sees it. */
export interface RankedSample {
  /** Names the episode in its run; equal scores are ordered by it. */
  readonly key: string;
  /** Equal for the samples of one question. */
  readonly question: string;
  /** Score(τ). */
  readonly score: number;
  /** 0.7·EM + 0.2·F1 + 0.1·StepEconomy. */
  readonly composite: number;
}

/** The fate of an episode under rejection sampling. */
export type Ranking = "kept" | "filter_score" | "filter_half";

/** The composite score of an episode, in [0, 1]; without accepted answers its F1 is its EM. */
export function compositeOf({ answer, gold, steps, facts }: Episode, passed: boolean): number {
  const em = passed ? 1 : 0;
  const f1 = answer === undefined ? 0 : gold === undefined ? em : tokenF1(answer, gold);
  const economy = Math.max(0, 1 - steps.length / facts.maxSteps);
  return COMPOSITE.em * em + COMPOSITE.f1 * f1 + COMPOSITE.economy * economy;
}

/** Score(τ) of an episode with an outcome. */
export function scoreOf({ mean }: Pick<EpisodeSignals, "mean">, passed: boolean): number {
  return BETAS.success * (passed ? 1 : 0) + BETAS.signals * mean;
}

/**
 * Rejection sampling over samples: of the k samples of each question those whose composite passes, and of these the better half of k, by
 * Score(τ); an odd k is rounded up. The order of the samples has no influence.
 */
export function rankSamples(samples: readonly RankedSample[]): ReadonlyMap<string, Ranking> {
  const rankings = new Map<string, Ranking>();
  for (const group of Map.groupBy(samples, ({ question }) => question).values()) {
    const most = Math.ceil(group.length / 2);
    const passing = group.filter(({ composite }) => composite >= COMPOSITE.least);
    const sorted = passing.toSorted(
      (a, b) => b.score - a.score || b.composite - a.composite || (a.key < b.key ? -1 : 1),
    );
    for (const { key } of group) rankings.set(key, "filter_score");
    sorted.forEach(({ key }, i) => rankings.set(key, i < most ? "kept" : "filter_half"));
  }
  return rankings;
}
