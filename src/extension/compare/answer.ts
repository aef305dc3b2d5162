import type * as vscode from "vscode";
import { compareEpisodes } from "../../analysis/compare-episodes.ts";
import { questionsOf } from "../../analysis/compare-read.ts";
import { compareRuns, sameQuestions, sharedQuestions } from "../../analysis/compare-runs.ts";
import type { Episode, EpisodeHead } from "../../model/episode.ts";
import { RequestError } from "../../protocol/connection.ts";
import type { ComparableEpisode, ComparableRun } from "../../protocol/replay.ts";
import { readEpisode } from "../../trace/episode-file.ts";
import type { TraceFiles } from "../../trace/ports.ts";
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
export function answerCompare(connection: ViewConnection, run: vscode.Uri, services: Services): void {
  answerRuns(connection, run, services);
  answerEpisodes(connection, run, services);
}

function answerRuns(connection: ViewConnection, run: vscode.Uri, services: Services): void {
  const { files, runs } = services;
  connection.handle("comparableRuns", async () => {
    const mine = await runs.read(run);
    const others = (await runs.list()).filter(({ file }) => file.toString() !== run.toString());
    return others.map((other) => comparableRun(mine, other)).toSorted((a, b) => b.shared - a.shared);
  });
  connection.handle("compareRuns", async ({ run: key, measured }, signal) => {
    const [a, b] = [await runs.read(run), await knownRun(run, services, key)];
    const options = { measured, signal };
    const ofA = await questionsOf(files, a.index, options);
    const ofB = await questionsOf(files, b.index, options);
    return compareRuns(ofA.questions, ofB.questions);
  });
}

function answerEpisodes(connection: ViewConnection, run: vscode.Uri, services: Services): void {
  const { files, runs, reveal } = services;
  const own = run.toString();
  connection.handle("comparableEpisodes", async ({ index }) => {
    const mine = await runs.read(run);
    const head = mine.index.entries[index]?.head;
    if (head === undefined) throw new RequestError("The run has no such episode.", "Open the run anew.");
    const others = (await runs.list()).filter(({ file }) => file.toString() !== own);
    return [mine, ...others]
      .flatMap((found) => episodesOf(found, head, own))
      .filter((other) => !(other.isThisRun && other.index === index));
  });
  connection.handle("compareEpisodes", async ({ index, other }) => {
    const mine = await episodeAt(files, await runs.read(run), index);
    const theirs = await episodeAt(files, await knownRun(run, services, other.run), other.index);
    return { other: theirs, comparison: compareEpisodes(mine, theirs) };
  });
  connection.handle("openEpisode", async ({ run: key, index, t }) => {
    const { file } = await knownRun(run, services, key);
    await reveal(file, { index, t });
    return null;
  });
}

/** Only a run that the workspace shows, or this one: the view cannot name any file it likes. */
async function knownRun(run: vscode.Uri, { runs }: Services, key: string): Promise<FoundRun> {
  if (key === run.toString()) return runs.read(run);
  const found = (await runs.list()).find(({ file }) => file.toString() === key);
  if (found !== undefined) return found;
  throw new RequestError("That run is not there any more.", "Choose another run.");
}

async function episodeAt(files: TraceFiles, { index }: FoundRun, at: number): Promise<Episode> {
  if (index.entries[at] === undefined)
    throw new RequestError("The run has no such episode.", "Open the run anew.");
  const { value, diagnostics } = await readEpisode(files, index, at);
  if (value !== undefined) return value;
  throw new RequestError(diagnostics[0]?.message ?? "The episode cannot be read.", diagnostics[0]?.next);
}

function comparableRun(mine: FoundRun, other: FoundRun): ComparableRun {
  const heads = ({ index }: FoundRun): EpisodeHead[] => index.entries.map(({ head }) => head);
  const of = { run: other.file.toString(), title: other.title, episodes: other.index.entries.length };
  return { ...of, ...sharedQuestions(heads(mine), heads(other)) };
}

/** Within a run two ids are two questions, whatever their texts. */
function episodesOf({ file, title, index }: FoundRun, asked: EpisodeHead, own: string): ComparableEpisode[] {
  const run = file.toString();
  const isThisRun = run === own;
  const all = index.entries.map(({ head }, at) => ({ ...head, at }));
  const same = isThisRun
    ? all.filter(({ questionId }) => questionId === asked.questionId)
    : sameQuestions(asked, all);
  return same.map(({ at, ...head }) => ({ run, index: at, title, head, isThisRun }));
}
