import type { SkillBacktest } from "../analysis/backtest.ts";
import type { WorthEpisode } from "./held-out-worth.ts";
import type { JudgedEpisode } from "./measure.ts";

/** With its place and its number of steps. */
export type PlacedWorth = WorthEpisode & Pick<JudgedEpisode, "run" | "index" | "steps">;

/** Every episode with a verdict, and the effect that the skill's changes have there. */
export function worthEpisodes(
  episodes: readonly JudgedEpisode[],
  { hits }: Pick<SkillBacktest, "hits">,
): readonly PlacedWorth[] {
  // A change that is worth the same as what it replaced hides no other one.
  const effects = Map.groupBy(
    hits.filter(({ worth }) => worth !== undefined),
    ({ run, index }) => `${run}\n${index}`,
  );
  return episodes.flatMap(({ run, index, question, outcome, steps }) => {
    if (outcome !== "wrong" && outcome !== "correct") return [];
    const values = (effects.get(`${run}\n${index}`) ?? []).map(({ worth }) => worth?.value);
    const helped = values.includes("helped") || values.includes("could_help");
    const harmed = values.includes("harmed");
    return [{ run, index, steps, question: question.trim(), outcome, helped, harmed }];
  });
}
