import type { BacktestRun } from "../app/backtest.ts";
import { runnableDomain } from "../domains/registry.ts";
import type { RunnableDomain } from "../domains/domain.ts";
import type { Episode } from "../model/episode.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import type { NodeFiles } from "../platform/files.ts";
import { episodeOf, openRunAt as openRun } from "../app/open-run.ts";
import { configuredSearch, searchOf } from "../app/run-corpora.ts";
import { need } from "./checked.ts";
import { readConfig } from "./control-options.ts";
import { CliError } from "./terminal.ts";

/** Opens a run folder; a path to its `episodes.jsonl` means its folder. CliError where there is none. */
export async function openRunAt(given: string, files: NodeFiles): Promise<OpenedRunFolder> {
  return need(await openRun(files, given));
}

/** Runs as a backtest takes them, each under the name of its folder; `hasp.yaml` names the corpus of those without one. */
export async function backtestRuns(
  paths: readonly string[],
  files: NodeFiles,
): Promise<readonly BacktestRun[]> {
  const asNamed = async (file: string): Promise<string> => file;
  const usual = await configuredSearch((await readConfig(files)).value, asNamed);
  const runs: BacktestRun[] = [];
  for (const given of paths) {
    const { folder, run, index, diagnostics } = await openRunAt(given, files);
    runs.push({ run: folder, folder, index, diagnostics, ...(await searchOf(run, asNamed, usual)) });
  }
  return runs;
}

/** The episode with this id, or with this 1-based number. CliError where there is none. */
export async function findEpisode(run: OpenedRunFolder, wanted: string, files: NodeFiles): Promise<Episode> {
  return need(await episodeOf(files, run, wanted));
}

/** The domain of this name where its questions can be run; else the refusal. */
export function runnableOrRefuse(name: string): RunnableDomain {
  const found = runnableDomain(name);
  if ("domain" in found) return found.domain;
  throw new CliError(found.message, found.next);
}

/** The 0-based index of a step that a person named by its 1-based number. */
export function stepIndex(given: string, length: number): number {
  const n = Number(given);
  if (Number.isInteger(n) && n >= 1 && n <= length) return n - 1;
  throw new CliError(`There is no step ${given}.`, `Steps are counted from 1; this episode has ${length}.`);
}
