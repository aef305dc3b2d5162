import type { Episode, Origin, Step } from "../model/episode.ts";
import { LINK_KEYS, linkedFrom } from "../model/episode-links.ts";
import type { ReadEpisode } from "./formats/turn.ts";
import { type PlacedFile, placeOf, type Tally, withPlace } from "./import-tally.ts";

/**
 * Episodes that a file gave together, with their places in the run. Their links lead to these places, and the step that a branch left, or
 * that called a sub-agent, leads to it.
 */
export function placeTogether(
  read: readonly ReadEpisode[],
  at: PlacedFile,
  tally: Tally,
): readonly ReadEpisode[] {
  const placed = read.map(({ episode, prompts }) => ({ episode: withPlace(episode, at, tally), prompts }));
  const comers = Map.groupBy(
    placed.flatMap(({ episode: { id, origin } }) =>
      origin === undefined ? [] : [{ id, origin: moved(origin, at, tally) }],
    ),
    ({ origin }) => origin.episode,
  );
  return placed.map(({ episode, prompts }) => ({
    episode: linked(episode, comers.get(episode.id) ?? [], at, tally),
    prompts,
  }));
}

/** An episode that came out of another one. */
interface Comer {
  readonly id: string;
  readonly origin: Origin;
}

const newId = (id: string, { renamed }: PlacedFile): string => renamed.get(id.trim()) ?? id.trim();

/** An episode may have come out of one of another file. */
function moved(origin: Origin, at: PlacedFile, tally: Tally): Origin {
  const id = origin.episode.trim();
  return { ...origin, episode: at.renamed.get(id) ?? placeOf(id, at.file, tally) };
}

function linked(episode: Episode, comers: readonly Comer[], at: PlacedFile, tally: Tally): Episode {
  const { origin, steps } = episode;
  const isOf = (t: number | undefined): number | undefined =>
    t !== undefined && t < steps.length ? t : undefined;
  const byStep = Map.groupBy(comers, ({ origin: { t } }) => isOf(t));
  return {
    ...withLinks(episode, byStep.get(undefined) ?? [], at),
    ...(origin !== undefined && { origin: moved(origin, at, tally) }),
    steps: steps.map((step, t) => withLinks(step, byStep.get(t) ?? [], at)),
  };
}

/** With the ids of these comers beside those that the file itself names. */
function withLinks<T extends Pick<Step | Episode, "extra">>(
  from: T,
  comers: readonly Comer[],
  at: PlacedFile,
): T {
  const links: Record<string, readonly string[]> = {};
  for (const [as, key] of Object.entries(LINK_KEYS) as [Origin["as"], string][]) {
    const known = linkedFrom(from, as).map((id) => newId(id, at));
    const own = comers.filter(({ origin }) => origin.as === as).map(({ id }) => id);
    if (known.length + own.length > 0) links[key] = [...new Set([...known, ...own])];
  }
  return Object.keys(links).length === 0 ? from : { ...from, extra: { ...from.extra, ...links } };
}
