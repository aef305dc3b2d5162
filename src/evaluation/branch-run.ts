import type { BranchPoint } from "../harness/branch.ts";
import { START_OF_FILE, type Checked } from "../model/diagnostic.ts";
import type { Episode, SkillRef } from "../model/episode.ts";
import type { Clock, TraceFiles } from "../trace/ports.ts";
import { createRun } from "../trace/create-run.ts";
import { contentOf } from "../trace/run-folder.ts";
import type { InputFile } from "./run-inputs.ts";
import type { EpisodeSettings, RetrieverSettings } from "./run-settings.ts";

/** `settings` of the `run.json` of a branch. Without `questions`, so that no resume takes it for a run of them. */
export interface BranchSettings extends EpisodeSettings {
  readonly branchedFrom: BranchPoint;
  readonly corpus?: InputFile & { readonly passages: number };
  /** Absent in a domain that searches nothing. */
  readonly retriever?: RetrieverSettings;
  readonly library: readonly SkillRef[];
  /** US dollars. */
  readonly maxDollars?: number | undefined;
}

export interface BranchRequest {
  readonly folder: string;
  readonly domain: string;
  readonly episode: Pick<Episode, "question">;
  readonly settings: BranchSettings;
}

/** Characters of the question that a title shows. */
const TITLE_CHARS = 60;

function titleOf({ episode, settings }: BranchRequest): string {
  const { question } = episode;
  const shown =
    question.length > TITLE_CHARS ? `${question.slice(0, TITLE_CHARS).toWellFormed()}…` : question;
  return `Branch from step ${settings.branchedFrom.t + 1}: ${shown}`;
}

/** Makes the run folder of a branch. No value where it holds something already. */
export async function prepareBranch(
  files: TraceFiles,
  clock: Clock,
  request: BranchRequest,
): Promise<Checked<true>> {
  const { folder, domain, settings } = request;
  const found = await contentOf(files, folder);
  if (found !== undefined) {
    const message = `${folder} holds ${JSON.stringify(found)} already.`;
    const taken = { code: "HASP543", severity: "error", message, next: "Name a new folder." } as const;
    return { value: undefined, diagnostics: [{ ...taken, file: folder, range: START_OF_FILE }] };
  }
  const id = folder.split(/[/\\]/).findLast((part) => part !== "" && part !== ".") ?? folder;
  const createdAt = clock.now();
  const run = { id, title: titleOf(request), domain, createdAt, source: "hasp", settings: { ...settings } };
  await createRun(files, folder, run);
  return { value: true, diagnostics: [] };
}

/** Why an environment cannot go on with an episode: a search lists documents here and brought texts there, or the other way round. */
export function misfit(
  recorded: Pick<Episode["facts"], "searchReturnsText">,
  environment: { readonly searchReturnsText: boolean },
): string | undefined {
  if (recorded.searchReturnsText === environment.searchReturnsText) return undefined;
  return recorded.searchReturnsText
    ? "In the recorded steps a search brought text itself, and here it lists documents to read."
    : "In the recorded steps a search listed documents to read, and here it brings text itself.";
}
