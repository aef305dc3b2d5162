import * as vscode from "vscode";
import type { LiveHead, PartialEpisode } from "../../model/live-episode.ts";
import { followEpisode, followRun, type LiveEpisodeTail } from "../../trace/live-tail.ts";
import { runPaths } from "../../trace/run-paths.ts";
import type { EditorServices } from "../services.ts";
import { watchFiles } from "../watch-files.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import type { ViewConnection } from "./connection.ts";
import { liveUpdate } from "./live-update.ts";

/** Milliseconds between two looks while an episode runs: not every file system tells of changes. */
const OFTEN_MS = 400;
/** And while none does, so that a run that begins is seen without a watcher too. */
const RARELY_MS = 3_000;
/** Changes within this time are read together: with many episodes at once there are changes all the time. */
const SOON_MS = 100;

interface Followed {
  readonly id: string;
  readonly tail: LiveEpisodeTail;
  /** The episode as the view has it. */
  sent: PartialEpisode | undefined;
}

/** Calls `look` again and again, never twice at once, at the pace that its answer asks for. */
function keepLooking(look: () => Promise<number>): { readonly soon: () => void } & vscode.Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let again = false;
  let isSoon = false;
  let ended = false;
  const after = (milliseconds: number): void => {
    clearTimeout(timer);
    isSoon = milliseconds === SOON_MS;
    if (!ended) timer = setTimeout(() => void work(), milliseconds);
  };
  async function work(): Promise<void> {
    busy = true;
    again = false;
    const pause = await look();
    busy = false;
    after(again ? SOON_MS : pause);
  }
  after(RARELY_MS);
  return {
    soon: () => {
      if (busy) again = true;
      // A look that is put off by each change would never come while there are many.
      else if (!isSoon) after(SOON_MS);
    },
    dispose: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}

/** Tells a view which episodes of its run are under way, and the steps of the one it follows. */
export function answerLive(
  connection: ViewConnection,
  file: vscode.Uri,
  { files, runs, log }: Pick<EditorServices, "files" | "runs" | "log">,
): vscode.Disposable {
  const folder = parentOf(file).fsPath;
  const run = followRun(files, folder);
  let told = "";
  let before: readonly LiveHead[] = [];
  let followed: Followed | undefined;

  const follow = (id: string): Followed => ({ id, tail: followEpisode(files, folder, id), sent: undefined });

  /** An episode that ended is in the run's file by now; whoever watches that file may not have heard of it yet. */
  async function readEnded(heads: readonly LiveHead[]): Promise<void> {
    const now = new Set(heads.map(({ id }) => id));
    if (before.every(({ id }) => now.has(id))) return;
    const size = (await files.stat(runPaths(folder).episodes))?.size;
    if (size !== (await runs.read(file)).index.size) runs.forget(file);
  }

  async function tellSteps(): Promise<void> {
    const mine = followed;
    const partial = await mine?.tail.poll();
    if (mine === undefined || partial === undefined || mine !== followed) return;
    connection.send("liveSteps", liveUpdate(mine.sent, partial));
    mine.sent = partial;
  }

  async function look(): Promise<number> {
    try {
      // The steps first: else an episode could leave the list with its last step untold.
      await tellSteps();
      const heads = await run.poll(Date.now());
      await readEnded(heads);
      before = heads;
      const text = JSON.stringify(heads);
      if (text !== told) connection.send("live", { episodes: heads });
      told = text;
      return heads.some(({ state }) => state === "running") ? OFTEN_MS : RARELY_MS;
    } catch (error) {
      log.warn(`The episodes under way in ${folder} could not be read: ${String(error)}`);
      return RARELY_MS;
    }
  }

  const looking = keepLooking(look);
  connection.on("ready", () => {
    told = "";
    looking.soon();
  });
  connection.on("followLive", (wanted) => {
    followed = wanted === null ? undefined : follow(wanted.id);
    looking.soon();
  });
  const pattern = new vscode.RelativePattern(parentOf(file), "live/*.jsonl");
  return vscode.Disposable.from(looking, watchFiles(pattern, looking.soon));
}
