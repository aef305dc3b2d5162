import { signalsOfEpisode } from "../../app/signals-of-episode.ts";
import type { Episode } from "../../model/episode.ts";
import type { ShownSignals } from "../../model/signals.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import type { ViewConnection } from "./connection.ts";

/** Answers with the signals of an episode; those of an episode that is kept are computed once. */
export function answerSignals(
  connection: ViewConnection,
  files: TraceFiles,
  run: {
    readonly folder: () => Promise<string>;
    readonly episodeAt: (index: number) => Promise<Episode>;
  },
): void {
  const computed = new WeakMap<Episode, Promise<ShownSignals>>();
  const compute = async (episode: Episode): Promise<ShownSignals> =>
    signalsOfEpisode(files, await run.folder(), episode);
  connection.handle("signals", async ({ index }) => {
    const episode = await run.episodeAt(index);
    const signals = computed.get(episode) ?? compute(episode);
    computed.set(episode, signals);
    signals.catch(() => computed.delete(episode));
    return signals;
  });
}
