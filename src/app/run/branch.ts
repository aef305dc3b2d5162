import type { ToolOrder } from "../../domains/environment.ts";
import { misfit, prepareBranch, type BranchSettings } from "../../evaluation/branch-run.ts";
import { runBranch, type BranchPoint } from "../../harness/branch.ts";
import { redactTexts } from "../../llm/redact.ts";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { readMaterials } from "../../trace/judging-store.ts";
import { carryMessages } from "../../trace/message-copy.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { runFolderOf } from "../open-run.ts";
import { checked, need, refuse } from "../refusal.ts";
import { readCorpus, type NamedFile } from "./inputs.ts";
import { keepJudging, openRecording, recordingOf } from "./recording.ts";
import { withParts, type EpisodeOrder, type RunServices, type Trouble } from "./parts.ts";

/** One branch of a recorded episode. */
export interface BranchOrder extends EpisodeOrder {
  readonly episode: Episode;
  readonly from: BranchPoint;
  readonly corpus: NamedFile | undefined;
  /** A person named the retriever for this branch: it is not fitted to the record. */
  readonly keepsRetriever: boolean;
}

export type BranchEvent =
  /** The run folder stands and can be opened. */
  { readonly kind: "begin"; readonly diagnostics: readonly Diagnostic[] } | Trouble;

/** The tools with which searches go on as they did: where they brought text in the record they bring text here. */
export function toolsLike(tools: ToolOrder, { facts }: Pick<Episode, "facts">): ToolOrder {
  const brings = tools.retriever === "teacher-snippet";
  if (brings === facts.searchReturnsText) return tools;
  return { ...tools, retriever: facts.searchReturnsText ? "teacher-snippet" : "corpus" };
}

/**
 * Goes on from a step of a recorded episode, into a run folder of its own. No value, and nothing written, where a file, a model, the
 * tools or the folder cannot be used. Rejects on I/O errors.
 */
export function branchFrom(
  given: BranchOrder,
  services: RunServices,
  { signal, on }: { readonly signal: AbortSignal; readonly on: (event: BranchEvent) => void },
): Promise<Checked<Episode>> {
  return checked(async (found) => {
    const { files, clock } = services;
    const tools = given.keepsRetriever ? given.tools : toolsLike(given.tools, given.episode);
    const order = { ...given, tools };
    const { folder, domain, episode, from, maxDollars } = order;
    const corpus = await readCorpus(files, order.corpus, found);
    const passages = corpus?.passages;
    const opening = { order, concurrency: 1, passages, spent: 0, signal, on, found };
    return withParts(opening, services, async (parts) => {
      const { task, environment } = parts;
      const why = misfit(episode.facts, task.openEnvironment());
      if (why !== undefined)
        refuse("HASP586", why, "Choose another retriever (`--retriever`, or `tools` in hasp.yaml).");
      const settings: BranchSettings = {
        ...parts.episode,
        branchedFrom: from,
        ...(corpus !== undefined && { corpus: { ...corpus.file, passages: corpus.passages.length } }),
        ...(domain.needsPassages && { retriever: environment }),
        library: task.libraryRefs,
        ...(maxDollars !== undefined && { maxDollars }),
      };
      const about = redactTexts({ domain: domain.name, episode, settings }, task.redact);
      need(await prepareBranch(files, clock, { folder, ...about }));
      await files.append(runPaths(folder).episodes, new Uint8Array());
      on({ kind: "begin", diagnostics: found });
      // The steps that are taken over keep what was read at them.
      const source = runFolderOf(services.models.pathOf(from.run));
      const carried = await carryMessages(files, [source, folder], episode);
      const material = (await readMaterials(files, source)).get(episode.questionId);
      const kept = await keepJudging(recordingOf(services), folder, [{ id: episode.questionId, material }]);
      found.push(...kept);
      const messages = await openRecording(recordingOf(services), folder, parts.library);
      return runBranch({ ...task, messages, from, episode: carried, material });
    });
  });
}
