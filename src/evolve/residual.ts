import { backtest } from "../analysis/backtest.ts";
import { inLibrary } from "../app/library.ts";
import { worthSources } from "../app/worth-sources.ts";
import { placedEpisodes } from "../trace/placed-episodes.ts";
import type { Epoch } from "./epoch.ts";
import { authorRuns } from "./epoch-runs.ts";

/**
 * Wrong recorded episodes whose first change by the generated skills helps or could help, as `run\nindex`. Recorded runs stay the same
 * from epoch to epoch; without these an epoch works on the failures that are left. Live rollouts show them by themselves.
 */
export async function helpedEpisodes(epoch: Epoch): Promise<ReadonlySet<string>> {
  const { order, services } = epoch;
  if (order.rollouts.kind === "live") return new Set();
  const generated = (await epoch.library()).filter(({ folder }) => folder.startsWith(`${order.generated}/`));
  if (generated.length === 0) return new Set();
  const { runs, split } = await authorRuns(epoch);
  const worth = (await worthSources(services.files, { runs, signal: services.signal })).value ?? {};
  const report = await inLibrary(generated, services, (library, host) =>
    backtest(
      library,
      placedEpisodes(services.files, runs, () => undefined),
      host,
      {
        worth,
        signal: services.signal,
        ...(split !== undefined && { split }),
      },
    ),
  );
  services.signal.throwIfAborted();
  const helps = report.skills.flatMap(({ hits }) =>
    hits.filter(
      ({ outcome, worth: found }) =>
        outcome === "wrong" && (found?.value === "helped" || found?.value === "could_help"),
    ),
  );
  return new Set(helps.map(({ run, index }) => `${run}\n${index}`));
}
