import { setTimeout as delay } from "node:timers/promises";
import { runFolderOf } from "../app/open-run.ts";
import { contextRulesOf, foreignDomain } from "../domains/registry.ts";
import type { Episode } from "../model/episode.ts";
import type { LiveHead } from "../model/live-episode.ts";
import type { NodeFiles } from "../platform/files.ts";
import { contextsOf } from "../trace/context-at.ts";
import { readEpisode } from "../trace/episode-file.ts";
import { followEpisode, followRun, type LiveEpisodeTail } from "../trace/live-tail.ts";
import { openRun } from "../trace/run-folder.ts";
import { runPaths } from "../trace/run-paths.ts";
import { answersArePrograms, textInLine } from "./render-program.ts";
import { renderStepBody } from "./render-step.ts";
import { CliError, type Terminal } from "./terminal.ts";

const LOOK_MS = 300;
/** With no episode running for so long, the run is taken to have ended. */
const IDLE_MS = 5_000;

interface Followed {
  readonly tail: LiveEpisodeTail;
  /** Steps that were printed. */
  printed: number;
}

type Screen = Pick<Terminal, "line" | "context">;

/** Several may run at once: every step says whose it is. */
function printSteps(episode: Episode, whole: number, followed: Followed, screen: Screen): void {
  const print = (line: string): void => screen.line(line);
  const contexts = contextsOf(episode, contextRulesOf(episode.facts.domain));
  const notice = followed.printed === 0 && whole > 0 ? foreignDomain(episode.facts.domain) : undefined;
  if (notice !== undefined) print(notice);
  const isProgram = answersArePrograms(episode);
  for (const step of episode.steps.slice(followed.printed, whole)) {
    print(`${episode.id} · step ${step.t + 1} · ${textInLine(episode.question, isProgram)}`);
    renderStepBody(episode, step, contexts, undefined, screen.context.streams.stdout.columns).forEach(print);
  }
  followed.printed = Math.max(followed.printed, whole);
}

async function runFolder(given: string, files: NodeFiles): Promise<string> {
  const folder = runFolderOf(given);
  const { run, episodes, live } = runPaths(folder);
  const found = await Promise.all([run, episodes, live].map((file) => files.exists(file)));
  if (found.includes(true)) return folder;
  throw new CliError(`There is no run at ${given}.`, "Name the folder that `hasp run -o` writes to.");
}

/**
 * Prints each step of what runs once it is whole, and how each episode ended; of one episode where `only` names its id. Resolves
 * when that one has ended, or when nothing has been running for five seconds.
 */
export async function followSteps(
  given: string,
  only: string | undefined,
  files: NodeFiles,
  screen: Screen,
): Promise<void> {
  const folder = await runFolder(given, files);
  const run = followRun(files, folder);
  const shown = new Map<string, Followed>();
  const isWanted = ({ id, state }: LiveHead): boolean =>
    state === "running" && (only === undefined || id === only);
  const printNew = async (followed: Followed): Promise<void> => {
    const partial = await followed.tail.poll();
    if (partial === undefined) return;
    const { episode, phase } = partial;
    printSteps(episode, phase === undefined ? episode.length : episode.length - 1, followed, screen);
  };
  /** What it did after the last look, and how it ended. */
  const printEnd = async (id: string, followed: Followed): Promise<void> => {
    const { index } = await openRun(files, folder, { save: false });
    const at = index.entries.findLastIndex(({ head }) => head.id === id);
    const episode = at === -1 ? undefined : (await readEpisode(files, index, at)).value;
    if (episode === undefined) return screen.line(`${id} · taken out of the run\n`);
    printSteps(episode, episode.length, followed, screen);
    const answer = textInLine(episode.answer ?? "none", answersArePrograms(episode));
    screen.line(`${id} · ${episode.outcome} · ${episode.stopReason} · answer ${answer}\n`);
  };
  let busyAt = Date.now();
  for (;;) {
    const running = (await run.poll(Date.now())).filter(isWanted);
    for (const { id } of running) {
      const followed = shown.get(id) ?? { tail: followEpisode(files, folder, id), printed: 0 };
      shown.set(id, followed);
      await printNew(followed);
    }
    for (const [id, followed] of shown) {
      if (running.some((head) => head.id === id)) continue;
      shown.delete(id);
      await printEnd(id, followed);
      if (only !== undefined) return;
    }
    if (running.length > 0) busyAt = Date.now();
    else if (Date.now() - busyAt > IDLE_MS) return screen.line("No episode is running in this run.");
    await delay(LOOK_MS);
  }
}
