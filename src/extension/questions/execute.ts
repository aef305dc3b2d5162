import { join } from "node:path";
import type * as vscode from "vscode";
import { type Library, openLibrary } from "../../analysis/library.ts";
import type { Domain } from "../../domains/domain.ts";
import { openSnippetSearch } from "../../domains/web-search/retrievers/snippet-mode.ts";
import { indexPassages } from "../../domains/web-search/search-index.ts";
import { openWebSearch, type WebSearchTools } from "../../domains/web-search/tools.ts";
import type { ControlChoice } from "../../evaluation/choose-control.ts";
import { libraryConflicts } from "../../evaluation/control-conflicts.ts";
import type { DatasetName } from "../../evaluation/dataset-rows.ts";
import { type PreparedRun, prepareRun, spentIn } from "../../evaluation/prepare-run.ts";
import type { RunInputs } from "../../evaluation/run-inputs.ts";
import { type EpisodeSettings, type RunSettings, runSettings } from "../../evaluation/run-settings.ts";
import { inShard, type Shard, shardText } from "../../evaluation/shard.ts";
import type { SplitName } from "../../evaluation/splits.ts";
import type { Sampling } from "../../harness/model-policy.ts";
import type { Question } from "../../harness/question.ts";
import { type RunSummary, runQuestions } from "../../harness/run-questions.ts";
import { createBudget } from "../../llm/budget.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Clock } from "../../trace/ports.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { SETTINGS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { dollarLimit } from "../models/chosen-model.ts";
import type { Models } from "../models/open-model.ts";
import { readSetting } from "../settings.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { COMMANDS } from "../contributions.ts";
import { wayTo } from "../unmet.ts";
import { readRunInputs } from "./inputs.ts";
import type { RunPlan } from "./plan.ts";
import { openPolicy } from "./policy.ts";
import type { LocalRetriever } from "./run-config.ts";

export interface RunServices {
  /** What is on disk: an unsaved change of the questions is not part of a run. */
  readonly files: NodeFiles;
  readonly clock: Clock;
  readonly library: LibrarySource;
  readonly models: Models;
  readonly startHost: () => PfHost;
}

/** Which part of the questions `hasp run` was told to ask; a run of the editor asks all. */
export interface RunPart {
  readonly shard?: Shard | undefined;
  readonly dataset?: DatasetName | undefined;
  readonly split?: SplitName | undefined;
}

export interface RunOrder extends RunPlan, ControlChoice, RunPart {
  readonly folder: vscode.Uri;
  readonly domain: Domain;
  readonly sampling: Sampling;
  readonly retriever: LocalRetriever;
  /** What was to be said of the settings. */
  readonly remarks: readonly Diagnostic[];
  /** Goes on with the run that stands in the folder. */
  readonly resume: boolean;
}

export interface RunEvents {
  readonly signal: AbortSignal;
  /** The run folder stands and can be opened; `total` questions are to be asked. */
  readonly onBegin: (total: number) => void;
  readonly onEpisode: (episode: Episode) => void;
}

export interface RunResult {
  readonly summary: RunSummary;
  /** What was left out: lines of the files, skills that do not load. */
  readonly diagnostics: readonly Diagnostic[];
  /** Questions that had their episode before. */
  readonly skipped: number;
}

/** Replies stand below the workspace folder, where `hasp run` and `hasp gc` look for them. */
export function replyCache(root: vscode.Uri): string {
  return join(root.fsPath, ".hasp", "cache", "replies");
}

/** What models and settings are opened from. */
export type RunOpening = Pick<
  RunOrder,
  "root" | "domain" | "sampling" | "policy" | "teacher" | "setting" | "control"
>;

/** As `hasp run` makes them, so that either can go on with the other's run. No secret is among them. */
export function episodeSettings(
  order: RunOpening,
  policy: string,
  teacher: string | undefined,
): EpisodeSettings {
  const { setting, control, sampling, domain } = order;
  return { policy, teacher: teacher ?? "none", prompt: domain.prompt.version, setting, control, sampling };
}

/** All skills of the domain that can be used, with or without a Program Function. */
export async function openSkills(
  { library }: Pick<RunServices, "library">,
  domain: Domain,
  host: PfHost,
): Promise<Library> {
  const skills = (await library.list()).filter((skill) => skill.domain === domain.name);
  return openLibrary(await library.read(skills), host);
}

/** The tools of each episode. */
export function environments(
  { retriever: { kind, topK }, teacher }: Pick<RunOrder, "retriever" | "teacher">,
  { corpus }: { readonly corpus: Pick<NonNullable<RunInputs["corpus"]>, "passages"> | undefined },
): () => WebSearchTools {
  const index = corpus === undefined ? undefined : indexPassages(corpus.passages);
  if (kind === "corpus" && index !== undefined) return () => openWebSearch(index, { results: topK });
  if (index === undefined && teacher === undefined)
    throw new Unmet(
      "Without a teacher and without a corpus no search finds anything.",
      "Choose a teacher, or a file that is searched.",
      wayTo(COMMANDS.configureModel),
    );
  return () => openSnippetSearch(index);
}

export async function openModels(
  { files, models }: Pick<RunServices, "files" | "models">,
  order: RunOpening,
  spent: number,
) {
  const { root, domain, sampling } = order;
  const use = { budget: createBudget(dollarLimit(), spent), cache: replyCache(root) };
  const policy = await openPolicy({ files, models, domain, root, sampling }, order.policy, use);
  const teacher = order.teacher === undefined ? undefined : await models.open(order.teacher, use);
  return { policy, teacher };
}

/** Makes the run folder, or opens it; an empty `episodes.jsonl` lets the run editor show it at once. */
async function prepare(services: RunServices, order: RunOrder, settings: RunSettings): Promise<PreparedRun> {
  const { files, clock } = services;
  const folder = order.folder.fsPath;
  const { domain, resume } = order;
  const prepared = await prepareRun(files, clock, { folder, domain: domain.name, settings, resume });
  if (prepared.value === undefined) {
    const [why] = prepared.diagnostics;
    throw new Failure(
      why?.message ?? "The run folder cannot be used.",
      why?.next ?? "Run the questions as a new run.",
    );
  }
  await files.append(runPaths(folder).episodes, new Uint8Array());
  return prepared.value;
}

/** `run.json`, as `hasp run` writes it. */
function settingsOf(
  order: RunOrder,
  episode: EpisodeSettings,
  parts: { readonly inputs: RunInputs; readonly library: Library },
): RunSettings {
  const { retriever, limit, shard, dataset, split } = order;
  const part = { dataset, split, shard: shard === undefined ? undefined : shardText(shard) };
  return runSettings(episode, { ...parts, retriever }, { maxDollars: dollarLimit(), limit, ...part });
}

/** The questions that a run is to ask. */
export function askedOf(
  { questions }: RunInputs,
  { shard, limit }: Pick<RunOrder, "shard" | "limit">,
): readonly Question[] {
  return questions.filter((question) => shard === undefined || inShard(question, shard)).slice(0, limit);
}

/**
 * Runs the plan's questions into its folder, PFs in a sandbox of their own. Fails before anything is sent where a file,
 * the library or the folder cannot be used; what a model does wrong ends only its episode.
 */
export async function executeRun(
  services: RunServices,
  order: RunOrder,
  events: RunEvents,
): Promise<RunResult> {
  const { files } = services;
  const folder = order.folder.fsPath;
  const { dataset, split, retriever, control } = order;
  const searchesPassages = retriever.kind === "corpus";
  const inputs = await readRunInputs(files, order, { dataset, split, searchesPassages });
  const openEnvironment = environments(order, inputs.value);
  const host = services.startHost();
  try {
    const library = await openSkills(services, order.domain, host);
    // What is there already counts against the limit.
    const spent = order.resume ? await spentIn(files, folder) : 0;
    const { policy, teacher } = await openModels(services, order, spent);
    const episode = episodeSettings(order, policy.id, teacher?.id);
    const settings = settingsOf(order, episode, { inputs: inputs.value, library });
    const { done } = await prepare(services, order, settings);
    const asked = askedOf(inputs.value, order);
    const open = asked.filter(({ id }) => !done.has(id));
    events.onBegin(open.length);
    const summary = await runQuestions({
      files,
      folder,
      questions: open,
      policy,
      host,
      ...(teacher !== undefined && { teacher }),
      library: library.skills,
      libraryRefs: settings.library,
      domain: order.domain,
      control,
      settings: { ...episode },
      openEnvironment,
      concurrency: Math.max(1, readSetting(SETTINGS.runConcurrency)),
      signal: events.signal,
      onEpisode: events.onEpisode,
    });
    const conflicts = libraryConflicts(order, library.skills);
    const diagnostics = [...order.remarks, ...inputs.diagnostics, ...library.diagnostics, ...conflicts];
    return { summary, diagnostics, skipped: asked.length - open.length };
  } finally {
    await host.close();
  }
}
