import { backtest } from "../analysis/backtest.ts";
import { inLibrary } from "../app/library.ts";
import { worthSources } from "../app/worth-sources.ts";
import { standingEpisodes } from "../trace/placed-episodes.ts";
import type { Epoch } from "./epoch.ts";
import type { RunsOfPart } from "./epoch-runs.ts";
import { noting, type JudgedEpisode } from "./measure.ts";
import { worthEpisodes, type PlacedWorth } from "./worth-episodes.ts";

/** The effect of the generated skills together on each judged episode of a part, by its first change. Empty without a generated skill. */
export async function generatedEffects(
  epoch: Epoch,
  { runs, split }: RunsOfPart,
): Promise<readonly PlacedWorth[]> {
  const { services } = epoch;
  const { files, signal } = services;
  const skills = await epoch.generatedSkills();
  const worth = (await worthSources(services, { runs, signal })).value ?? services;
  const episodes: JudgedEpisode[] = [];
  const read = noting(
    standingEpisodes(files, runs, () => undefined),
    split,
    episodes,
  );
  const report = await inLibrary(skills, services, (library, host) =>
    backtest(library, read, host, { worth, signal, ...(split !== undefined && { split }) }),
  );
  signal.throwIfAborted();
  return worthEpisodes(episodes, { hits: report.skills.flatMap(({ hits }) => hits) });
}
