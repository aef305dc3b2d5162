import type * as vscode from "vscode";
import { type Passage, parseCorpus } from "../../domains/web-search/corpus.ts";
import { type BranchSettings, misfit, prepareBranch } from "../../evaluation/branch-run.ts";
import type { ControlChoice } from "../../evaluation/choose-control.ts";
import { libraryRefs } from "../../evaluation/library-refs.ts";
import type { InputFile } from "../../evaluation/run-inputs.ts";
import type { BranchPoint } from "../../harness/branch.ts";
import { runBranch } from "../../harness/branch.ts";
import { DEFAULT_SAMPLING } from "../../harness/model-policy.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { hashText } from "../../trace/hash.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { Failure } from "../failure.ts";
import type { RecordedStep } from "../from-step/recorded-step.ts";
import { dollarLimit } from "../models/chosen-model.ts";
import {
  environments,
  episodeSettings,
  openModels,
  openSkills,
  type RunServices,
} from "../questions/execute.ts";
import { nameIn, readText, usable } from "../questions/inputs.ts";
import type { RunMeans } from "../questions/plan.ts";
import type { LocalRetriever } from "../questions/run-config.ts";

export interface BranchOrder extends RunMeans, ControlChoice {
  readonly root: vscode.Uri;
  readonly folder: vscode.Uri;
  readonly step: RecordedStep;
  readonly from: BranchPoint;
  readonly retriever: LocalRetriever;
}

export interface BranchEvents {
  readonly signal: AbortSignal;
  /** The run folder stands and can be opened. */
  readonly onBegin: () => void;
}

export interface BranchResult {
  readonly episode: Episode;
  /** What was left out: lines of the corpus, skills that do not load. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Corpus {
  readonly passages: readonly Passage[];
  readonly file: InputFile;
  readonly diagnostics: readonly Diagnostic[];
}

async function readCorpus(files: NodeFiles, { root, corpus }: BranchOrder): Promise<Corpus | undefined> {
  if (corpus === undefined) return undefined;
  const { fsPath } = corpus;
  const text = await readText(files, fsPath);
  const file = nameIn(root, fsPath);
  const { value, diagnostics } = usable(fsPath, parseCorpus(text, file));
  return { passages: value, file: { file, hash: hashText(text) }, diagnostics };
}

/** Runs the branch into its folder, PFs in a sandbox of their own. Fails before anything is sent where something cannot be used. */
export async function executeBranch(
  services: RunServices,
  order: BranchOrder,
  { signal, onBegin }: BranchEvents,
): Promise<BranchResult> {
  const { files, clock } = services;
  const { step, from, control, retriever } = order;
  const { episode, domain } = step;
  const folder = order.folder.fsPath;
  const corpus = await readCorpus(files, order);
  const openEnvironment = environments(order, { corpus });
  const why = misfit(episode.facts, openEnvironment());
  if (why !== undefined) throw new Failure(why, "Set the retriever in hasp.yaml to one of the same kind.");
  const host = services.startHost();
  try {
    const library = await openSkills(services, domain, host);
    const opening = { ...order, domain, sampling: DEFAULT_SAMPLING };
    const { policy, teacher } = await openModels(services, opening, 0);
    const asEpisodes = episodeSettings(opening, policy.id, teacher?.id);
    const maxDollars = dollarLimit();
    const settings: BranchSettings = {
      ...asEpisodes,
      branchedFrom: from,
      ...(corpus !== undefined && { corpus: { ...corpus.file, passages: corpus.passages.length } }),
      retriever,
      library: libraryRefs(library),
      ...(maxDollars !== undefined && { maxDollars }),
    };
    const request = { folder, domain: domain.name, episode, settings };
    usable(folder, await prepareBranch(files, clock, request));
    // An empty file lets the run editor show the run at once.
    await files.append(runPaths(folder).episodes, new Uint8Array());
    onBegin();
    const made = await runBranch({
      files,
      folder,
      policy,
      host,
      domain,
      control,
      from,
      episode,
      signal,
      openEnvironment,
      library: library.skills,
      libraryRefs: settings.library,
      settings: { ...asEpisodes },
      ...(teacher !== undefined && { teacher }),
    });
    return { episode: made, diagnostics: [...(corpus?.diagnostics ?? []), ...library.diagnostics] };
  } finally {
    await host.close();
  }
}
