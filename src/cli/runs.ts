import { domainOf } from "../domains/registry.ts";
import type { Domain } from "../domains/domain.ts";
import type { Episode } from "../model/episode.ts";
import { readEpisode } from "../trace/episode-file.ts";
import { openRun, type OpenedRunFolder } from "../trace/run-folder.ts";
import type { NodeFiles } from "../platform/files.ts";
import path from "node:path";
import { CliError } from "./terminal.ts";

/** Opens a run folder; a path to its `episodes.jsonl` means its folder. */
export async function openRunAt(given: string, files: NodeFiles): Promise<OpenedRunFolder> {
  const folder = path.basename(given) === "episodes.jsonl" ? path.dirname(given) : given;
  if (!(await files.exists(path.join(folder, "episodes.jsonl")))) {
    throw new CliError(
      `There is no run at ${given}.`,
      "A run is a folder with an episodes.jsonl. Make one with `hasp import`.",
    );
  }
  return openRun(files, folder);
}

/** The episode with this id, or with this 1-based number. */
export async function findEpisode(run: OpenedRunFolder, wanted: string, files: NodeFiles): Promise<Episode> {
  const { entries } = run.index;
  const byId = entries.findIndex((entry) => entry.head.id === wanted);
  const position = byId >= 0 ? byId : /^\d+$/.test(wanted) ? Number(wanted) - 1 : -1;
  if (position < 0 || position >= entries.length) {
    throw new CliError(
      `The run has no episode ${wanted}.`,
      `Name an id, or a number from 1 to ${entries.length}. The first is ${entries[0]?.head.id ?? "missing"}.`,
    );
  }
  const { value, diagnostics } = await readEpisode(files, run.index, position);
  if (value === undefined)
    throw new CliError(diagnostics[0]?.message ?? "The episode cannot be read.", diagnostics[0]?.next);
  return value;
}

export function domainOfEpisode(episode: Episode): Domain {
  const domain = domainOf(episode.facts.domain);
  if (domain === undefined) {
    throw new CliError(
      `No domain is called "${episode.facts.domain}".`,
      "Update HASP Studio, or correct facts.domain.",
    );
  }
  return domain;
}

/** The 0-based index of a step that a person named by its 1-based number. */
export function stepIndex(given: string, length: number): number {
  const n = Number(given);
  if (Number.isInteger(n) && n >= 1 && n <= length) return n - 1;
  throw new CliError(`There is no step ${given}.`, `Steps are counted from 1; this episode has ${length}.`);
}
