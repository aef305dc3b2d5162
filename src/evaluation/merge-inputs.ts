import { START_OF_FILE, type Diagnostic, type Severity } from "../model/diagnostic.ts";
import type { Run } from "../model/episode.ts";
import { differenceWords, isUnnamedList } from "../model/prompt-versions.ts";
import { recordedSamples } from "../model/sampling.ts";
import { canonicalJson } from "../trace/canonical-json.ts";
import type { EpisodeIndex } from "../trace/episode-index.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { openRun } from "../trace/run-folder.ts";
import { runPaths } from "../trace/run-paths.ts";
import { parseShard, shardText, type Shard } from "../model/shard.ts";

/** Settings that say which questions were asked and not how: they may differ between the runs of one merge. */
const OF_THE_SITTING: ReadonlySet<string> = new Set(["shard", "merged", "limit", "maxDollars"]);

/** One run of a merge, opened. */
export interface MergeInput {
  readonly folder: string;
  readonly run: Run;
  readonly index: EpisodeIndex;
  /** What it asked of the questions: one shard, several where it was merged itself; none where it asked all. */
  readonly shards: readonly Shard[];
}

export function finding(
  code: string,
  file: string,
  message: string,
  next: string,
  severity: Severity = "error",
): Diagnostic {
  return { code, severity, message, next, file, range: START_OF_FILE };
}

function shardsOf({ settings }: Run): Shard[] {
  const named = [settings?.shard, settings?.merged].flat();
  return named.flatMap((text) => (typeof text === "string" ? (parseShard(text).value ?? []) : []));
}

/** Shards in their order, whole runs first; among equals by folder. Not the order of the command line. */
function byShard(a: MergeInput, b: MergeInput): number {
  const first = ({ shards }: MergeInput): number => shards[0]?.index ?? 0;
  return first(a) - first(b) || (a.folder < b.folder ? -1 : 1);
}

async function openInput(files: TraceFiles, folder: string): Promise<MergeInput | Diagnostic> {
  const { run, index, diagnostics } = await openRun(files, folder, { save: false });
  if (run?.source !== "hasp") {
    const why =
      run === undefined ? (diagnostics[0]?.message ?? "it has no run.json") : `it is of ${run.source}`;
    return finding(
      "HASP551",
      folder,
      `${folder} is no run of \`hasp run\`: ${why}.`,
      "Name the folders of its shards.",
    );
  }
  const live = (await files.list(runPaths(folder).live)).filter((name) => name.endsWith(".jsonl"));
  if (live.length === 0) return { folder, run, index, shards: shardsOf(run) };
  const message = `${folder} has ${live.length} unfinished episodes in live/: it is still running, or was killed.`;
  return finding(
    "HASP554",
    folder,
    message,
    "Wait for its end; one that was killed is ended by its command with --resume.",
  );
}

/** A file is the same by what is in it, wherever it lies. */
function comparable(value: unknown): string {
  const isFile = typeof value === "object" && value !== null && "hash" in value;
  return canonicalJson(isFile ? value.hash : value);
}

/** The names of what two runs were not made alike in. */
function differing(a: Run, b: Run): string[] {
  const [one, other] = [a, b].map((run): Record<string, unknown> => ({
    ...run.settings,
    samples: recordedSamples(run.settings),
    domain: run.domain,
  }));
  const keys = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...keys]
    .filter((key) => !OF_THE_SITTING.has(key) && !isUnnamedList(key, one?.[key], other?.[key]))
    .filter((key) => comparable(one?.[key]) !== comparable(other?.[key]))
    .map((key) => differenceWords(key, one?.[key], other?.[key]));
}

function unlike(first: MergeInput, other: MergeInput): Diagnostic[] {
  const differs = differing(first.run, other.run);
  if (differs.length === 0) return [];
  const message = `${other.folder} was made with other settings than ${first.folder} (${differs.toSorted().join(", ")}), so their episodes do not compare.`;
  const next =
    "Merge runs of one command line that differ only in --shard and -o; settings are in each run.json.";
  return [finding("HASP552", other.folder, message, next)];
}

/** Runs that were cut in different numbers of shards: neither is a part of the other's whole. */
function cutOtherwise(inputs: readonly MergeInput[]): Diagnostic[] {
  const cuts = [...new Set(inputs.flatMap(({ shards }) => shards.map(({ of }) => of)))];
  if (cuts.length < 2) return [];
  const message = `The runs were cut in different numbers of shards (${cuts.toSorted((a, b) => a - b).join(", ")}).`;
  return [finding("HASP553", inputs[0]?.folder ?? "", message, "Merge the shards of one n.")];
}

/** Opens the runs of a merge, in an order that does not depend on how they were named; all that forbids the merge is an error. */
export async function openInputs(
  files: TraceFiles,
  folders: readonly string[],
): Promise<{ readonly inputs: readonly MergeInput[]; readonly diagnostics: readonly Diagnostic[] }> {
  const opened: (MergeInput | Diagnostic)[] = [];
  for (const folder of [...new Set(folders)].toSorted()) opened.push(await openInput(files, folder));
  const inputs = opened.filter((one) => "folder" in one).toSorted(byShard);
  const diagnostics = opened.filter((one) => "code" in one);
  const [first, ...others] = inputs;
  if (first !== undefined)
    diagnostics.push(...others.flatMap((other) => unlike(first, other)), ...cutOtherwise(inputs));
  return { inputs, diagnostics };
}

/** `1/4` and so on, each once and in order; none where a run asked all questions. */
export function coveredShards(inputs: readonly MergeInput[]): readonly Shard[] {
  if (inputs.some(({ shards }) => shards.length === 0)) return [];
  const all = new Map(inputs.flatMap(({ shards }) => shards.map((shard) => [shardText(shard), shard])));
  return [...all.values()].toSorted((a, b) => a.index - b.index);
}

/** A warning that names the shards which no run is of. */
export function missingShards(inputs: readonly MergeInput[], output: string): Diagnostic[] {
  const covered = coveredShards(inputs);
  const of = covered[0]?.of ?? 0;
  if (covered.length === of) return [];
  const there = new Set(covered.map(({ index }) => index));
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !there.has(index));
  const named = missing.length > 20 ? `${missing.slice(0, 20).join(", ")} and more` : missing.join(", ");
  const message = `${missing.length} of ${of} shards ${missing.length === 1 ? "is" : "are"} missing: ${named}.`;
  const next = `Run what is missing (--shard ${missing[0]}/${of}) and merge all into a new folder.`;
  return [finding("HASP556", output, message, next, "warning")];
}

/** The settings of the merged run: what all agree in, with the shards that it is made of. */
export function mergedSettings(inputs: readonly MergeInput[]): Record<string, unknown> {
  const all = inputs.map(({ run }) => run.settings ?? {});
  const agreed = Object.entries(all[0] ?? {}).filter(
    ([key, value]) =>
      key !== "shard" &&
      key !== "merged" &&
      (!OF_THE_SITTING.has(key) ||
        all.every((settings) => canonicalJson(settings[key]) === canonicalJson(value))),
  );
  const covered = coveredShards(inputs).map(shardText);
  return { ...Object.fromEntries(agreed), ...(covered.length > 0 && { merged: covered }) };
}
