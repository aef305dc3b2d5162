import { entryOf, episodeOf } from "../../app/open-run.ts";
import type { Episode } from "../../model/episode.ts";
import { openRun, type OpenedRunFolder } from "../../trace/run-folder.ts";
import { oneLine } from "./answer.ts";
import { AssistError, need, type AssistCall, type AssistWorld } from "./world.ts";

/** Episode files of a workspace that are offered; whoever has more names the one that is meant. */
export const MOST_RUNS = 50;

/** Opens a run folder of the workspace; a path to its `episodes.jsonl` means its folder. */
export async function findRun(
  world: AssistWorld,
  given: string,
  { signal }: AssistCall,
): Promise<OpenedRunFolder> {
  const folder = (await world.inside(given))?.replace(/\/episodes\.jsonl$/, "");
  const names = folder === undefined ? [] : await world.files.list(folder).catch((): string[] => []);
  if (folder !== undefined && names.includes("episodes.jsonl"))
    return openRun(world.files, folder, { save: world.mayRun, signal });
  const known = (await world.runFolders()).map(world.shown).slice(0, MOST_RUNS);
  throw new AssistError(
    `The workspace has no run at ${JSON.stringify(given.slice(0, 80))}.`,
    known.length === 0
      ? "A person makes one with `hasp import` or `hasp run`."
      : `There are: ${known.join(", ")}.`,
  );
}

/** The episode with this id, or with this 1-based number. */
export async function findEpisode(world: AssistWorld, run: OpenedRunFolder, given: string): Promise<Episode> {
  if (entryOf(run, given).value !== undefined) return need(await episodeOf(world.files, run, given));
  const { entries } = run.index;
  throw new AssistError(
    `The run has no episode ${JSON.stringify(given.slice(0, 80))}.`,
    `Name an id, or a number from 1 to ${entries.length}. The first is ${oneLine(entries[0]?.head.id ?? "missing", 80)}.`,
  );
}
