import { describeFields, type EpisodeHit, type HitPlace } from "../../model/episode-hit.ts";
import { textQuery } from "../../model/text-query.ts";
import { searchFiles } from "../../platform/search-files.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { searchEpisodes, type SearchedBlock } from "../../trace/search-episodes.ts";
import { defineCommand } from "../define-command.ts";
import { whole, withDefault } from "../options.ts";
import { openRunAt } from "../runs.ts";
import { CliError, EXIT } from "../terminal.ts";

/** Places that are listed unless `--limit` says another number. */
const MOST_PLACES = 200;

function placeLine(id: string, { field, t, excerpt }: HitPlace): string {
  return `${id}${t === undefined ? "" : `:${t + 1}`} ${field}: ${excerpt}`;
}

function search(run: OpenedRunFolder, words: readonly string[], limit: number): AsyncIterable<SearchedBlock> {
  const query = textQuery(words.join(" "));
  if (query === undefined) throw new CliError("The text to find is empty.", "Name at least one word.");
  const lines = run.index.entries.map(({ offset, bytes }, index) => ({ index, offset, bytes }));
  return searchEpisodes(searchFiles(), run.index.path, lines, query, { mostPlaces: limit });
}

function summary(words: readonly string[], hits: readonly EpisodeHit[], all: number): string {
  const fields = describeFields(hits);
  const episodes = `${hits.length.toLocaleString("en")} of ${all.toLocaleString("en")} episodes`;
  return `“${words.join(" ")}”: ${episodes}${fields === "" ? "" : ` · ${fields}`}`;
}

/** `hasp find <run> <text...>`. */
export const findCommand = defineCommand({
  name: "find",
  about:
    "Find a text in the episodes of a run: questions, answers, thoughts, actions, injected texts, observations and documents. Words are a phrase, in any case.",
  takes: [
    ["<run>", "a run folder"],
    ["<text...>", "the words to find, next to each other"],
  ],
  options: {
    limit: withDefault(
      whole("--limit <n>", "places to list; each text of an episode is listed once"),
      MOST_PLACES,
    ),
  },
  json: "print the hits as JSON",
  codes: ["found", "not found"],
  examples: ["hasp find .hasp/runs/reflexion helen walton"],
  async run({ options: { limit }, terminal, files }, path: string, words: readonly string[]) {
    const run = await openRunAt(path, files);
    const { entries } = run.index;
    const idOf = ({ index }: EpisodeHit): string => entries[index]?.head.id ?? String(index + 1);
    const hits: EpisodeHit[] = [];
    let listed = 0;
    let isCut = false;
    for await (const block of search(run, words, limit + 1)) {
      for (const hit of block.hits) {
        const places = hit.places.slice(0, limit - listed);
        for (const place of places) terminal.line(placeLine(idOf(hit), place));
        isCut ||= places.length < hit.places.length;
        listed += places.length;
        hits.push({ ...hit, places });
      }
      terminal.progress(block.searched, entries.length, `${hits.length} episodes found`);
    }
    terminal.endProgress();
    if (isCut) terminal.line(`${listed} places are listed; --limit lists more.`);
    terminal.line(summary(words, hits, entries.length));
    const found = hits.map((hit) => ({
      episode: idOf(hit),
      number: hit.index + 1,
      count: hit.count,
      fields: hit.fields,
      places: hit.places.map(({ t, ...place }) => ({ ...(t !== undefined && { step: t + 1 }), ...place })),
    }));
    terminal.result({ episodes: entries.length, hits: found });
    return hits.length === 0 ? EXIT.findings : EXIT.fine;
  },
});
