import { join } from "node:path";
import type * as vscode from "vscode";
import { type Library, openLibrary } from "../../analysis/library.ts";
import type { Domain } from "../../domains/domain.ts";
import { openWebSearch } from "../../domains/web-search/tools.ts";
import { indexPassages } from "../../domains/web-search/search-index.ts";
import { libraryRefs } from "../../evaluation/library-refs.ts";
import { type PreparedRun, prepareRun, spentIn } from "../../evaluation/prepare-run.ts";
import { type EpisodeSettings, type RunSettings, runSettings } from "../../evaluation/run-settings.ts";
import type { Budgets } from "../../harness/budgets.ts";
import type { Sampling } from "../../harness/model-policy.ts";
import { type RunSummary, runQuestions } from "../../harness/run-questions.ts";
import { createBudget } from "../../llm/budget.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Clock } from "../../trace/ports.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { SETTINGS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { dollarLimit } from "../models/chosen-model.ts";
import type { Models } from "../models/open-model.ts";
import { readSetting } from "../settings.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { readRunInputs } from "./inputs.ts";
import type { RunPlan } from "./plan.ts";
import { openPolicy } from "./policy.ts";

export interface RunServices {
  /** What is on disk: an unsaved change of the questions is not part of a run. */
  readonly files: NodeFiles;
  readonly clock: Clock;
  readonly library: LibrarySource;
  readonly models: Models;
  readonly startHost: () => PfHost;
}

export interface RunOrder extends RunPlan {
  readonly folder: vscode.Uri;
  readonly domain: Domain;
  readonly budgets: Budgets;
  readonly sampling: Sampling;
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
function replyCache(root: vscode.Uri): string {
  return join(root.fsPath, ".hasp", "cache", "replies");
}

/** As `hasp run` makes them, so that either can go on with the other's run. No secret is among them. */
function episodeSettings(order: RunOrder, policy: string, teacher: string | undefined): EpisodeSettings {
  const { budgets, sampling, domain } = order;
  const { maxSteps, maxSearchCalls, maxReadCalls, timeoutSeconds } = budgets;
  const { temperature, maxTokens } = sampling;
  return {
    policy,
    teacher: teacher ?? "none",
    prompt: domain.prompt.version,
    budgets: { maxSteps, maxSearchCalls, maxReadCalls, timeoutSeconds },
    sampling: { temperature, maxTokens },
  };
}

async function openSkills({ library }: RunServices, domain: Domain, host: PfHost): Promise<Library> {
  const skills = (await library.list()).filter(
    (skill) => skill.pf !== undefined && skill.domain === domain.name,
  );
  return openLibrary(await library.read(skills), host);
}

async function openModels({ files, models }: RunServices, order: RunOrder, spent: number) {
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
  const inputs = await readRunInputs(files, order.root, order.questions, order.corpus);
  const host = services.startHost();
  try {
    const library = await openSkills(services, order.domain, host);
    // What is there already counts against the limit.
    const spent = order.resume ? await spentIn(files, folder) : 0;
    const { policy, teacher } = await openModels(services, order, spent);
    const settings = episodeSettings(order, policy.id, teacher?.id);
    const limits = { maxDollars: dollarLimit(), limit: order.limit };
    const { done } = await prepare(services, order, runSettings(settings, inputs.value, library, limits));
    const asked = inputs.value.questions.slice(0, order.limit);
    const open = asked.filter(({ id }) => !done.has(id));
    events.onBegin(open.length);
    const index = indexPassages(inputs.value.passages);
    const summary = await runQuestions({
      files,
      folder,
      questions: open,
      policy,
      host,
      ...(teacher !== undefined && { teacher }),
      library: library.active.map(({ program }) => program),
      libraryRefs: libraryRefs(library),
      domain: order.domain.name,
      rules: order.domain.contextRules,
      budgets: order.budgets,
      settings: { ...settings },
      openEnvironment: () => openWebSearch(index),
      concurrency: Math.max(1, readSetting(SETTINGS.runConcurrency)),
      signal: events.signal,
      onEpisode: events.onEpisode,
    });
    const diagnostics = [...inputs.diagnostics, ...library.diagnostics];
    return { summary, diagnostics, skipped: asked.length - open.length };
  } finally {
    await host.close();
  }
}
