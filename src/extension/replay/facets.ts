import type * as vscode from "vscode";
import { facetsOf, type RecordedJudgement } from "../../app/judge-replay.ts";
import type { Episode } from "../../model/episode.ts";
import type { EpisodeFacets } from "../../protocol/replay.ts";
import { readEpisode } from "../../trace/episode-file.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import type { Runs } from "../runs/find-runs.ts";
import type { ViewConnection } from "./connection.ts";

interface Services {
  readonly files: TraceFiles;
  readonly runs: Pick<Runs, "read">;
  /** The decisions of today's library on every step. */
  readonly judged: (episode: Episode) => Promise<readonly RecordedJudgement[]>;
}

/** An episode that cannot be read has nothing to be found by; opening it says why. */
const NOTHING: EpisodeFacets = { patterns: [], recorded: [], today: [] };

/** Answers what whole episodes of a run can be filtered by. One that is asked for is read once for all of it. */
export function answerFacets(
  connection: ViewConnection,
  run: vscode.Uri,
  { files, runs, judged }: Services,
): void {
  connection.handle("readFacets", async ({ from, count, today }, signal) => {
    const { index: episodes } = await runs.read(run);
    const page: (EpisodeFacets & { index: number })[] = [];
    const end = Math.min(from + count, episodes.entries.length);
    for (let index = Math.max(0, from); index < end; index++) {
      signal.throwIfAborted();
      const { value } = await readEpisode(files, episodes, index);
      const facets = value === undefined ? NOTHING : facetsOf(value, today ? await judged(value) : undefined);
      page.push({ index, ...facets });
    }
    return page;
  });
}
