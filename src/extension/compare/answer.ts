import type * as vscode from "vscode";
import {
  compareTwoEpisodes,
  compareTwoRuns,
  questionsInCommon,
  samePositions,
} from "../../app/compare-runs.ts";
import { entryOf } from "../../app/open-run.ts";
import type { EpisodeHead } from "../../model/episode.ts";
import { RequestError } from "../../protocol/connection.ts";
import type { ComparableEpisode, ComparableRun } from "../../protocol/replay.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { need } from "../checked.ts";
import type { ViewConnection } from "../replay/connection.ts";
import type { Place } from "../replay/editor.ts";
import type { FoundRun, Runs } from "../runs/find-runs.ts";

interface Services {
  readonly files: TraceFiles;
  readonly runs: Pick<Runs, "list" | "read">;
  /** Shows a step of a run. */
  readonly reveal: (run: vscode.Uri, place: Place) => PromiseLike<unknown>;
}

/** Answers what the view of a run asks about other runs of the workspace. */
export function answerCompare(
  connection: ViewConnection,
  run: vscode.Uri,
  { files, runs, reveal }: Services,
): void {
  const own = run.toString();
  const others = async (): Promise<readonly FoundRun[]> =>
    (await runs.list()).filter(({ file }) => file.toString() !== own);

  /** Only a run that the workspace shows, or this one: the view cannot name any file it likes. */
  async function knownRun(key: string): Promise<FoundRun> {
    if (key === own) return runs.read(run);
    const found = (await others()).find(({ file }) => file.toString() === key);
    if (found !== undefined) return found;
    throw new RequestError("That run is not there any more.", "Choose another run.");
  }

  connection.handle("comparableRuns", async () => {
    const mine = await runs.read(run);
    return (await others())
      .map((other) => comparableRun(mine, other))
      .toSorted((a, b) => b.shared - a.shared);
  });
  connection.handle("compareRuns", async ({ run: key, measured }, signal) => {
    const order = { runs: [await runs.read(run), await knownRun(key)] as const, measured };
    const { comparison, remarks } = (await compareTwoRuns(order, { files, signal })).value;
    return { comparison, remarks };
  });
  connection.handle("comparableEpisodes", async ({ index }) => {
    const mine = await runs.read(run);
    const { head } = need(entryOf(mine, index));
    return [mine, ...(await others())]
      .flatMap((found) => episodesOf(found, head, found === mine))
      .filter((other) => !(other.isThisRun && other.index === index));
  });
  connection.handle("compareEpisodes", async ({ index, other }) => {
    const sides = [await runs.read(run), await knownRun(other.run)] as const;
    const { episodes, comparison } = need(await compareTwoEpisodes(sides, [index, other.index], files));
    return { other: episodes[1], comparison };
  });
  connection.handle("openEpisode", async ({ run: key, index, t }) => {
    await reveal((await knownRun(key)).file, { index, t });
    return null;
  });
}

function comparableRun(mine: FoundRun, other: FoundRun): ComparableRun {
  const { file, title, index } = other;
  return {
    run: file.toString(),
    title,
    episodes: index.entries.length,
    ...questionsInCommon(mine, other),
  };
}

function episodesOf(found: FoundRun, asked: EpisodeHead, isThisRun: boolean): ComparableEpisode[] {
  const run = found.file.toString();
  return samePositions(asked, found, isThisRun).flatMap((index) => {
    const head = found.index.entries[index]?.head;
    return head === undefined ? [] : { run, index, title: found.title, head, isThisRun };
  });
}
