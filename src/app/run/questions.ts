import { redactTexts } from "../../llm/redact.ts";
import { prepareRun, spentIn } from "../../evaluation/prepare-run.ts";
import { runSettings } from "../../evaluation/run-settings.ts";
import { samplesOf } from "../../harness/question.ts";
import { runQuestions, type RunSummary } from "../../harness/run-questions.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import { sampleId } from "../../model/sample.ts";
import { shardText } from "../../model/shard.ts";
import {
  groupFigures,
  outcomeScore,
  questionFigures,
  type QuestionFigures,
} from "../../scoring/group-figures.ts";
import { openIndex } from "../../trace/episode-index.ts";
import type { TraceFiles } from "../../trace/ports.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { progressOf, type Progress } from "../progress.ts";
import { checked, take } from "../refusal.ts";
import { askedOf, readingOf, readInputs, type InputOrder, type QuestionPart } from "./inputs.ts";
import { withParts, type EpisodeOrder, type RunServices, type Trouble } from "./parts.ts";
import { withoutMaterial } from "../open-judge.ts";
import { keepJudging, openRecording, recordingOf } from "./recording.ts";

export type { RunSummary } from "../../harness/run-questions.ts";

/** One run of questions. */
export interface RunOrder extends EpisodeOrder, InputOrder, QuestionPart {
  /** Goes on with the run in the folder. */
  readonly resume: boolean;
  /** Episodes of each question. */
  readonly samples: number;
  /** Episodes at once. */
  readonly concurrency: number;
  /** As of `RunTask`. */
  readonly endsRun?: (stopReason: string) => boolean;
}

export type RunEvent =
  | {
      /** The run folder exists and can be opened; `total` samples remain to be drawn. */
      readonly kind: "begin";
      readonly total: number;
      /** Unfinished episodes of a killed run, which are run again. */
      readonly dropped: number;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: "episode"; readonly episode: Episode }
  | Progress
  | Trouble;

export interface RunResult {
  readonly summary: RunSummary;
  /** Samples that had their episode before. */
  readonly skipped: number;
  /** Of all episodes in the folder, where there are several samples a question and one is judged. */
  readonly questions: QuestionFigures | undefined;
}

/** Figures by question from the list of a run's episodes. */
async function questionsIn(files: TraceFiles, folder: string): Promise<QuestionFigures | undefined> {
  const { entries } = await openIndex(files, runPaths(folder).episodes, { save: false });
  const groups = Map.groupBy(entries, ({ head }) => head.questionId);
  const figures = [...groups.values()].map((group) =>
    groupFigures(
      group.flatMap(({ head: { outcome } }) => {
        const score = outcomeScore(outcome);
        return score === undefined ? [] : [{ right: outcome === "correct", score }];
      }),
    ),
  );
  return questionFigures(figures);
}

/** Nobody chooses at temperature 0: all samples of a question say the same (HASP588). */
function sameSamples({ samples, policy, sampling }: RunOrder): Diagnostic[] {
  const isModel = !/^(?:recorded|scripted):/.test(policy.spec);
  const isGreedy = [sampling.temperature].flat().every((temperature) => temperature === 0);
  if (samples === 1 || !isModel || !isGreedy) return [];
  const message = `All ${samples} samples of a question will be the same: the temperature is 0.`;
  const next = "Set --temperature, e.g. to 0.7.";
  return [{ code: "HASP588", severity: "warning", message, next, range: START_OF_FILE }];
}

/**
 * Runs the questions of an order into its folder, PFs in a sandbox of their own. No value, and nothing written, where a file, a
 * model, the tools or the folder cannot be used; a failure of a model ends only its episode. Rejects on I/O errors.
 */
export function runQuestionsOf(
  order: RunOrder,
  services: RunServices,
  { signal, on }: { readonly signal: AbortSignal; readonly on: (event: RunEvent) => void },
): Promise<Checked<RunResult>> {
  return checked(async (found) => {
    const { files, clock } = services;
    const { domain, tools, limit, shard, dataset, split, folder, resume, maxDollars } = order;
    const inputs = await readInputs(files, order, readingOf(domain, tools), found);
    found.push(...sameSamples(order));
    // What is there already counts against the limit.
    const spent = resume && maxDollars !== undefined ? await spentIn(files, folder) : 0;
    const passages = inputs.corpus?.passages;
    const { concurrency, endsRun } = order;
    const opening = { order, concurrency, passages, spent, signal, on, found };
    return withParts(opening, services, async (parts) => {
      const several = order.samples > 1 ? { samples: order.samples } : {};
      const scope = {
        maxDollars,
        limit,
        dataset,
        split,
        ...(shard && { shard: shardText(shard) }),
        ...several,
      };
      const retriever = domain.needsPassages && { retriever: parts.environment };
      const material = { inputs, library: parts.task.libraryRefs, ...retriever };
      // An address in it may hold a password.
      const settings = redactTexts(runSettings(parts.episode, material, scope), parts.task.redact);
      const prepared = await prepareRun(files, clock, { folder, domain: domain.name, settings, resume });
      const { done, dropped } = take(prepared, found);
      // A link in the place of either is refused before anything is asked.
      await files.append(runPaths(folder).episodes, new Uint8Array());
      await files.makeFolder(runPaths(folder).live);
      const messages = await openRecording(recordingOf(services), folder, parts.library);
      const questions = askedOf(inputs, order);
      found.push(...withoutMaterial(domain, questions));
      found.push(...(await keepJudging(recordingOf(services), folder, questions)));
      const asked = samplesOf(questions, order.samples);
      const samples = asked.filter(({ question, sample }) => !done.has(sampleId(question.id, sample)));
      const total = samples.length;
      on({ kind: "begin", total, dropped, diagnostics: found });
      let ended = 0;
      const onEpisode = (episode: Episode): void => {
        on({ kind: "episode", episode });
        on(progressOf(++ended, total, order.samples > 1 ? "samples" : "questions"));
      };
      const ends = endsRun && { endsRun };
      const summary = await runQuestions({
        ...parts.task,
        samples,
        messages,
        concurrency,
        onEpisode,
        ...ends,
      });
      const figures = order.samples > 1 ? await questionsIn(files, folder) : undefined;
      return { summary, skipped: asked.length - total, questions: figures };
    });
  });
}
