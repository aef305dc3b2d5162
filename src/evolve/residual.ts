import type { Epoch } from "./epoch.ts";
import { authorRuns } from "./epoch-runs.ts";
import { generatedEffects } from "./generated-backtest.ts";

/**
 * Wrong recorded episodes whose first change by the generated skills helps or could help, as `run\nindex`. Recorded runs stay the same
 * from epoch to epoch; without these an epoch works on the failures that are left. Live rollouts show them by themselves.
 */
export async function helpedEpisodes(epoch: Epoch): Promise<ReadonlySet<string>> {
  if (epoch.order.rollouts.kind === "live" || (await epoch.generatedSkills()).length === 0) return new Set();
  const effects = await generatedEffects(epoch, await authorRuns(epoch));
  return new Set(
    effects.flatMap(({ run, index, helped, outcome }) =>
      helped && outcome === "wrong" ? [`${run}\n${index}`] : [],
    ),
  );
}
