import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { skillRefSchema, type Run } from "../model/episode.ts";
import { differenceWords, isUnnamedList } from "../model/prompt-versions.ts";
import { z } from "../model/zod.ts";
import { sampleId } from "../model/sample.ts";
import { recordedSamples } from "../model/sampling.ts";
import { readEpisodes } from "../trace/episode-file.ts";
import type { EpisodeIndex } from "../trace/episode-index.ts";
import { recoverRun } from "../trace/live.ts";
import type { Clock, TraceFiles } from "../trace/ports.ts";
import { createRun } from "../trace/create-run.ts";
import { contentOf, openRun, readRun } from "../trace/run-folder.ts";
import type { RunSettings } from "./run-settings.ts";
import { runTitle } from "./run-title.ts";

/** Settings that make the episodes of a run comparable; a resume with others would mix two runs in one folder. */
const SAME = [
  "policy",
  "teacher",
  "prompt",
  "control",
  "sampling",
  "corpus",
  "retriever",
  "library",
  "triggers",
  "shard",
  "dataset",
  "split",
] as const;

export interface RunRequest {
  readonly folder: string;
  readonly domain: string;
  readonly settings: RunSettings;
  readonly resume: boolean;
}

export interface PreparedRun {
  /** The `sampleId` of each sample that has its episode. */
  readonly done: ReadonlySet<string>;
  /** Episodes that a killed run left unfinished; they were removed, and their questions are asked again. */
  readonly dropped: number;
}

function refuse(folder: string, code: string, message: string, next: string): Checked<PreparedRun> {
  const diagnostic: Diagnostic = {
    code,
    severity: "error",
    message,
    next,
    file: folder,
    range: START_OF_FILE,
  };
  return { value: undefined, diagnostics: [diagnostic] };
}

function taken(folder: string, found: string, run: Run | undefined): Checked<PreparedRun> {
  return run?.source === "hasp"
    ? refuse(folder, "HASP543", `${folder} holds a run already.`, "Resume it, or name another folder.")
    : refuse(folder, "HASP543", `${folder} holds ${JSON.stringify(found)} already.`, "Name a new folder.");
}

async function begin(files: TraceFiles, clock: Clock, request: RunRequest): Promise<Checked<PreparedRun>> {
  const { folder, domain, settings } = request;
  const found = await contentOf(files, folder);
  if (found !== undefined) return taken(folder, found, (await readRun(files, folder)).run);
  const name = folder.split(/[/\\]/).findLast((part) => part !== "" && part !== ".") ?? folder;
  const createdAt = clock.now();
  const run = {
    id: name,
    title: runTitle(settings, createdAt),
    domain,
    createdAt,
    source: "hasp",
    settings: { ...settings },
  };
  await createRun(files, folder, run);
  return { value: { done: new Set(), dropped: 0 }, diagnostics: [] };
}

/** A corpus is the same by what is in it, wherever it lies. */
function comparable(
  settings: Readonly<Record<string, unknown>>,
  key: (typeof SAME)[number],
): string | undefined {
  const value = settings[key];
  const isFile = typeof value === "object" && value !== null && "hash" in value;
  return JSON.stringify(isFile ? value.hash : value);
}

/** Before episodes kept the texts of their skills, a hash of another kind named a skill: there id and version must do. */
function withoutOldHashes(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const refs = z.array(skillRefSchema).safeParse(settings.library).data ?? [];
  return { ...settings, library: refs.map(({ skillId, version }) => ({ skillId, version })) };
}

const OLD_HASH_CHARS = 14;

function hasOldHashes(settings: Readonly<Record<string, unknown>>): boolean {
  const refs = z.array(skillRefSchema).safeParse(settings.library).data ?? [];
  return refs.some(({ hash }) => hash.length === OLD_HASH_CHARS);
}

/** Where `run.json` and the settings do not say the same. */
function differing(run: Run, settings: RunSettings): string[] {
  const given = [run.settings ?? {}, { ...settings }];
  const isOld = hasOldHashes(given[0] ?? {});
  const [before = {}, now = {}] = isOld ? given.map(withoutOldHashes) : given;
  return SAME.filter((key) => !isUnnamedList(key, before[key], now[key]))
    .filter((key) => comparable(before, key) !== comparable(now, key))
    .map((key) => differenceWords(key, before[key], now[key]));
}

/** The `sampleId` of each episode; one of `hasp.episode/1` that `hasp run` made was the only one of its question. */
export function doneIn({ entries }: Pick<EpisodeIndex, "entries">): ReadonlySet<string> {
  return new Set(entries.map(({ head: { questionId, sample = 1 } }) => sampleId(questionId, sample)));
}

/** More samples of the same questions belong to the run: `run.json` then says how many. */
async function noteSamples(
  files: TraceFiles,
  folder: string,
  { schema: _schema, ...run }: Run,
  { samples = 1 }: RunSettings,
): Promise<void> {
  if (samples <= recordedSamples(run.settings)) return;
  await createRun(files, folder, { ...run, settings: { ...run.settings, samples } });
}

async function goOn(files: TraceFiles, request: RunRequest, run: Run): Promise<Checked<PreparedRun>> {
  const { folder, settings } = request;
  if (run.source !== "hasp") return taken(folder, "run.json", run);
  const differs = differing(run, settings);
  if (differs.length > 0) {
    const message = `The run at ${folder} was made with other settings (${differs.join(", ")}), so its episodes would not compare.`;
    return refuse(
      folder,
      "HASP544",
      message,
      "Resume with what its run.json names, or start another run in a new folder.",
    );
  }
  const { dropped, diagnostics } = await recoverRun(files, folder, { interrupted: "drop" });
  const { index } = await openRun(files, folder);
  const done = doneIn(index);
  if (settings.samples !== run.settings?.samples) await noteSamples(files, folder, run, settings);
  return {
    value: { done, dropped: dropped.length },
    diagnostics: diagnostics.filter((d) => d.severity === "error"),
  };
}

/**
 * Makes a new run folder; with `resume`, opens the one that is there. There, an episode that had finished and was not yet in
 * `episodes.jsonl` is put there, and one that was cut off is removed: its question is asked again from the beginning, with the
 * model's replies from the cache. So every question ends in exactly one episode. No value where the folder is not free, or where the
 * run was made in another way.
 */
export async function prepareRun(
  files: TraceFiles,
  clock: Clock,
  request: RunRequest,
): Promise<Checked<PreparedRun>> {
  const { run, diagnostics } = await readRun(files, request.folder);
  if (!request.resume || (run === undefined && diagnostics.length === 0)) return begin(files, clock, request);
  return run === undefined ? { value: undefined, diagnostics } : goOn(files, request, run);
}

/** US dollars that the episodes of a run have cost; 0 where there is no run. */
export async function spentIn(files: TraceFiles, folder: string): Promise<number> {
  const { index } = await openRun(files, folder, { save: false });
  let sum = 0;
  for await (const { value } of readEpisodes(files, index)) sum += value?.cost?.cost ?? 0;
  return sum;
}
