import type { SkillBacktest } from "../analysis/backtest.ts";
import type { WorthEpisode } from "./held-out-worth.ts";
import type { JudgedEpisode } from "./measure.ts";

/** With its place. */
export type PlacedWorth = WorthEpisode & Pick<JudgedEpisode, "run" | "index">;

/** Every episode with a verdict, and the effect that the skill's first change has there. */
export function worthEpisodes(
  episodes: readonly JudgedEpisode[],
  { hits }: Pick<SkillBacktest, "hits">,
): readonly PlacedWorth[] {
  const effects = new Map(
    hits.flatMap(({ run, index, worth }) =>
      worth === undefined ? [] : [[`${run}\n${index}`, worth.value] as const],
    ),
  );
  return episodes.flatMap(({ run, index, question, outcome }) => {
    if (outcome !== "wrong" && outcome !== "correct") return [];
    const value = effects.get(`${run}\n${index}`);
    const helped = value === "helped" || value === "could_help";
    return [{ run, index, question: question.trim(), outcome, helped, harmed: value === "harmed" }];
  });
}
