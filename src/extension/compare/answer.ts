import type * as vscode from "vscode";
import { compareEpisodes } from "../../analysis/compare-episodes.ts";
import { questionsOf } from "../../analysis/compare-read.ts";
import { compareRuns } from "../../analysis/compare-runs.ts";
import { findPatterns } from "../../analysis/failure-patterns.ts";
import type { Episode } from "../../model/episode.ts";
import type { FoundPattern } from "../../model/failure-pattern.ts";
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

interface PatternsAt {
  readonly index: number;
  readonly patterns: readonly FoundPattern[];
}

/** Answers what the view of a run asks about failure patterns and about other runs of the workspace. */
export function answerCompare(connection: ViewConnection, run: vscode.Uri, services: Services): void {
  answerPatterns(connection, run, services);
  answerRuns(connection, run, services);
  answerEpisodes(connection, run, services);
}

function answerPatterns(connection: ViewConnection, run: vscode.Uri, { files, runs }: Services): void {
  connection.handle("findPatterns", async ({ from, count }, signal) => {
    const { index: episodes } = await runs.read(run);
    const page: PatternsAt[] = [];
    const end = Math.min(from + count, episodes.entries.length);
    for (let index = Math.max(0, from); index < end; index++) {
      signal.throwIfAborted();
      const { value } = await readEpisode(files, episodes, index);
      page.push({ index, patterns: value === undefined ? [] : findPatterns(value) });
    }
    return page;
  });
}

function answerRuns(connection: ViewConnection, run: vscode.Uri, services: Services): void {
  const { files, runs } = services;
  connection.handle("comparableRuns", async () => {
    const questions = questionIds(await runs.read(run));
    const others = (await runs.list()).filter(({ file }) => file.toString() !== run.toString());
    return others.map((other) => comparableRun(other, questions)).toSorted((a, b) => b.shared - a.shared);
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
      .flatMap((found) => episodesOf(found, head.questionId, own))
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

function questionIds({ index }: FoundRun): ReadonlySet<string> {
  return new Set(index.entries.map(({ head }) => head.questionId));
}

function comparableRun(other: FoundRun, questions: ReadonlySet<string>): ComparableRun {
  const shared = [...questionIds(other)].filter((id) => questions.has(id)).length;
  return { run: other.file.toString(), title: other.title, episodes: other.index.entries.length, shared };
}

function episodesOf({ file, title, index }: FoundRun, questionId: string, own: string): ComparableEpisode[] {
  const run = file.toString();
  return index.entries.flatMap(({ head }, at) =>
    head.questionId === questionId ? [{ run, index: at, title, head, isThisRun: run === own }] : [],
  );
}
