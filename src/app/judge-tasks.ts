import { isStanding } from "../model/outcomes.ts";
import { domainOfRecord } from "../domains/registry.ts";
import { likenessOf } from "../domains/texts.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Judge, JudgeTask } from "../scoring/judge.ts";
import { readEpisode } from "../trace/episode-file.ts";
import type { EpisodeIndex } from "../trace/episode-index.ts";
import type { Materials } from "../trace/judging-store.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { textsToJudge, type WantedVerdicts } from "./judge-texts.ts";
import { progressOf, type Progress } from "./progress.ts";

/** One text of one episode on which a verdict is wanted. */
export interface TextToJudge {
  /** Position of the episode in the index. */
  readonly n: number;
  readonly episode: Pick<Episode, "outcome" | "verdicts">;
  readonly task: JudgeTask;
  /** The episode's answer wants the verdict. */
  readonly isAnswer: boolean;
  /** Proposals of this text that want it. */
  readonly drafts: number;
  /** A verdict that the judge gave on this text elsewhere in the episode: nobody is asked again. */
  readonly known: Verdict | undefined;
}

/** Counts of what needs no verdict or can get none. */
export interface Skipped {
  /** Answers, and proposed answers, that had a verdict of this judge already. */
  had: number;
  draftsHad: number;
  /** Episodes without an answer or without an accepted one. */
  nothingToJudge: number;
  /** Questions whose material the judge needs and the folder lacks. */
  readonly withoutMaterial: Set<string>;
}

export const noneSkipped = (): Skipped => ({
  had: 0,
  draftsHad: 0,
  nothingToJudge: 0,
  withoutMaterial: new Set(),
});

/** Whose verdicts on which texts of a run are wanted. */
export interface TasksOrder {
  readonly index: EpisodeIndex;
  readonly judge: Pick<Judge, "name" | "needsMaterial">;
  readonly wanted: WantedVerdicts;
  readonly materials: Materials;
}

interface TasksServices {
  readonly files: TraceFiles;
  readonly on: (event: Progress) => void;
}

/** Collects what is found on the way. */
interface Finds {
  readonly skipped: Skipped;
  readonly diagnostics: Diagnostic[];
}

/**
 * The texts of a run on which verdicts are wanted, each text of an episode once; one episode in memory at a time. A judge that needs no
 * material judges by gold alone. Rejects on I/O errors.
 */
export async function* textsOfRun(
  order: TasksOrder,
  { files, on }: TasksServices,
  { skipped, diagnostics: found }: Finds,
): AsyncGenerator<TextToJudge> {
  const total = order.index.entries.length;
  for (const n of order.index.entries.keys()) {
    on(progressOf(n, total, "episodes"));
    const { value, diagnostics } = await readEpisode(files, order.index, n);
    found.push(...diagnostics);
    if (value !== undefined && isStanding(value)) yield* textsOfEpisode(n, value, order, skipped);
  }
}

function* textsOfEpisode(
  n: number,
  episode: Episode,
  { judge, wanted, materials }: TasksOrder,
  skipped: Skipped,
): Generator<TextToJudge> {
  const { question, questionId, gold, outcome, verdicts, facts } = episode;
  const likeness = likenessOf(domainOfRecord(facts));
  const { answer, drafts, known, had } = textsToJudge(episode, wanted);
  const material = materials.get(questionId);
  if (had.answer) skipped.had++;
  skipped.draftsHad += had.drafts;
  const hasGold = gold !== undefined || judge.needsMaterial === true;
  if (!had.answer && (!hasGold || answer === undefined)) skipped.nothingToJudge++;
  if (!hasGold) return;
  for (const text of new Set([...(answer === undefined ? [] : [answer]), ...drafts])) {
    const verdict = known.get(text);
    if (verdict === undefined && material === undefined && judge.needsMaterial === true) {
      skipped.withoutMaterial.add(questionId);
      continue;
    }
    yield {
      n,
      episode: { outcome, ...(verdicts !== undefined && { verdicts }) },
      task: { question, answer: text, gold, material, likeness },
      isAnswer: text === answer,
      drafts: drafts.filter((draft) => draft === text).length,
      known: verdict,
    };
  }
}
