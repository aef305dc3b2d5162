import { Command } from "commander";
import { describeFields, type EpisodeHit, type HitPlace } from "../../model/episode-hit.ts";
import { textQuery } from "../../model/text-query.ts";
import { nodeFiles } from "../../platform/files.ts";
import { searchFiles } from "../../platform/search-files.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { searchEpisodes, type SearchedBlock } from "../../trace/search-episodes.ts";
import { helpTextWithCodes } from "../help.ts";
import { wholeNumber } from "../numbers.ts";
import { openRunAt } from "../runs.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type SetExit } from "../terminal.ts";

/** Places that are listed unless `--limit` says another number. */
const MOST_PLACES = 200;

interface Options {
  readonly limit: number;
  readonly json?: boolean;
}

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

async function runFind(runPath: string, words: readonly string[], options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const run = await openRunAt(runPath, nodeFiles());
  const { entries } = run.index;
  const idOf = ({ index }: EpisodeHit): string => entries[index]?.head.id ?? String(index + 1);
  const hits: EpisodeHit[] = [];
  let listed = 0;
  let isCut = false;
  for await (const block of search(run, words, options.limit + 1)) {
    for (const hit of block.hits) {
      const places = hit.places.slice(0, options.limit - listed);
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
}

/** `hasp find <run> <text...>`. */
export function findCommand(setExit: SetExit): Command {
  return new Command("find")
    .description(
      "Find a text in the episodes of a run: questions, answers, thoughts, actions, injected texts, observations and documents. Words are a phrase, in any case.",
    )
    .argument("<run>", "a run folder")
    .argument("<text...>", "the words to find, next to each other")
    .option(
      "--limit <n>",
      "places to list; each text of an episode is listed once",
      wholeNumber(0),
      MOST_PLACES,
    )
    .option("--json", "print the hits as JSON")
    .addHelpText(
      "after",
      helpTextWithCodes("found", "not found", "hasp find .hasp/runs/reflexion helen walton"),
    )
    .action(async (run: string, words: string[], options: Options) => {
      setExit(await runFind(run, words, options));
    });
}
