import { START_OF_FILE, type Checked, type Diagnostic } from "../../model/diagnostic.ts";
import type { Run } from "../../model/episode.ts";
import { sampleId } from "../../model/sample.ts";
import { recoverRun } from "../../trace/live.ts";
import type { Clock, TraceFiles } from "../../trace/ports.ts";
import { createRun } from "../../trace/create-run.ts";
import { contentOf, openRun, readRun } from "../../trace/run-folder.ts";

/** `settings.policy` of a run whose episodes were served. */
export const SERVED = "served";

export interface ServedRunRequest {
  readonly folder: string;
  readonly domain: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Adds to a run that was served before. */
  readonly resume: boolean;
}

export interface ServedRun {
  /** Ids of the episodes that it holds. */
  readonly known: ReadonlySet<string>;
  /** Their questions and samples, as `sampleId` writes them. */
  readonly knownSamples: ReadonlySet<string>;
}

function refuse(folder: string, message: string, next: string): Checked<ServedRun> {
  const diagnostic: Diagnostic = {
    code: "HASP543",
    severity: "error",
    message,
    next,
    file: folder,
    range: START_OF_FILE,
  };
  return { value: undefined, diagnostics: [diagnostic] };
}

async function begin(
  files: TraceFiles,
  clock: Clock,
  request: ServedRunRequest,
): Promise<Checked<ServedRun>> {
  const { folder, domain, settings } = request;
  const name = folder.split(/[/\\]/).findLast((part) => part !== "" && part !== ".") ?? folder;
  const run = { id: name, title: name, domain, createdAt: clock.now(), source: "hasp" };
  await createRun(files, folder, { ...run, settings: { ...settings, policy: SERVED } });
  return { value: { known: new Set(), knownSamples: new Set() }, diagnostics: [] };
}

async function goOn(files: TraceFiles, folder: string, run: Run): Promise<Checked<ServedRun>> {
  if (run.settings?.policy !== SERVED)
    return refuse(folder, `The run at ${folder} was not served.`, "Name a new folder for what is served.");
  const { diagnostics } = await recoverRun(files, folder);
  const { index } = await openRun(files, folder);
  const heads = index.entries.map(({ head }) => head);
  const known = new Set(heads.map(({ id }) => id));
  const knownSamples = new Set(heads.map(({ questionId, sample = 1 }) => sampleId(questionId, sample)));
  return { value: { known, knownSamples }, diagnostics };
}

/**
 * Makes the run folder of served episodes. With `resume` it may be one that was served before: what a killed server left in it is
 * kept as halted. No value where the folder is not free. The caller holds the folder's lock.
 */
export async function openServedRun(
  files: TraceFiles,
  clock: Clock,
  request: ServedRunRequest,
): Promise<Checked<ServedRun>> {
  const { folder, resume } = request;
  const found = await contentOf(files, folder);
  if (found === undefined) return begin(files, clock, request);
  const { run } = await readRun(files, folder);
  if (run !== undefined && resume) return goOn(files, folder, run);
  return refuse(
    folder,
    `${folder} holds ${run === undefined ? JSON.stringify(found) : "a run"} already.`,
    run?.settings?.policy === SERVED
      ? "Add --resume to go on with it, or name a new folder."
      : "Name a new folder.",
  );
}
