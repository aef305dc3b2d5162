import { filterEpisodes, hasOutcome } from "./filter.ts";
import { firstBadStep } from "./first-bad-step.ts";
import { select, type Context } from "./showing.ts";
import { factsOf, valueOf, type ReplayState } from "./state.ts";

/** Milliseconds: patterns and labels that arrive later than this do not keep the episode from its reader. */
const PATIENCE_MS = 1_000;

/** Position of the first failed episode in the order of the list; of the first one where none failed. */
export function firstFailure(state: ReplayState): number | undefined {
  const episodes = valueOf(state.run)?.episodes ?? [];
  const listed = filterEpisodes(episodes, state.filter, factsOf(state));
  // A filter by what whole episodes show lists nothing before they were read.
  const candidates =
    listed.length > 0
      ? listed
      : filterEpisodes(episodes, { text: "", outcome: "all", sort: state.filter.sort });
  return (candidates.find(({ head }) => hasOutcome(head.outcome, "failed")) ?? candidates[0])?.index;
}

/** Opens the run on its first failure, at the first bad step. `notesRead` settles when the labels are known. */
export async function openAtFailure(context: Context, notesRead: Promise<unknown>): Promise<void> {
  const { store, facets, connection } = context;
  const index = firstFailure(store.get());
  if (index === undefined) return;
  store.update({ episode: { state: "loading" } });
  const known = Promise.all([facets.readFacetsOf(index), notesRead]);
  const episode = connection.request("readEpisode", { index });
  // A failure is reported where the episode is awaited.
  episode.catch(() => undefined);
  await Promise.race([known, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  const { index: chosen, live, compare } = store.get();
  if (chosen !== undefined || live.shown !== undefined) return;
  select(context, index, firstBadStep(store.get(), index)?.t ?? 0, episode);
  // Nobody chose this episode: a comparison that was asked for meanwhile stays in front of it.
  store.update({ compare });
}
