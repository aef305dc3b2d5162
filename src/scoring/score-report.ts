import type { Outcome } from "../model/episode.ts";
import type { ReplyCounts } from "../model/replies.ts";
import type { Judged } from "./judge-answers.ts";
import {
  groupFigures,
  questionFigures,
  type GroupFigures,
  type JudgedSample,
  type QuestionFigures,
} from "./group-figures.ts";
import {
  agreementWith,
  meanScore,
  scoreAnswer,
  type Agreement,
  type Answered,
  type MeanScore,
} from "./score-answers.ts";

/** Answers of one recorded outcome, or all of them under `all`. */
export interface ScoreRow {
  readonly outcome: Outcome | "unrecorded" | "all";
  readonly answers: number;
  readonly score: MeanScore;
  /** Undefined where no judge was asked. */
  readonly mbe: MbeScore | undefined;
}

/**
 * Model-based equivalence: the share of answers that a judge takes for right, between what it is if every answer without a verdict
 * is wrong and if every one is right. Leaving those out would flatter: exact matches need no verdict and so are never among them.
 */
export interface MbeScore {
  readonly atLeast: number;
  readonly atMost: number;
  /** Answers with gold that have a verdict, and those that have none. */
  readonly judged: number;
  readonly unjudged: number;
}

export interface ScoreReport {
  readonly input: string;
  /** The judge whose verdicts give the outcomes; undefined: as recorded. */
  readonly by: string | undefined;
  readonly rows: readonly ScoreRow[];
  readonly replies: ReplyCounts;
  /** Undefined where the verdicts are our own: they would agree with themselves. */
  readonly agreement: Agreement | undefined;
  /** Undefined where no question has several answers. */
  readonly groups: ScoredGroups | undefined;
}

/** The answers of one question. */
export interface QuestionScore extends GroupFigures {
  readonly questionId: string;
}

/** By the verdict of the judge of the run, else by exact match; of the answers with one of the two. */
export interface ScoredGroups {
  readonly figures: QuestionFigures;
  /** In the order in which the questions come first. */
  readonly questions: readonly QuestionScore[];
}

type Verdict = boolean | undefined;

interface Judgeable {
  readonly answer: Answered;
  readonly verdict: Verdict;
}

function mbeOf(list: readonly Judgeable[]): MbeScore {
  const withGold = list.filter(({ answer }) => answer.gold !== undefined);
  const judged = withGold.filter(({ verdict }) => verdict !== undefined);
  const right = judged.filter(({ verdict }) => verdict === true).length;
  const [total, unjudged] = [withGold.length, withGold.length - judged.length];
  const share = (n: number): number => (total === 0 ? 0 : n / total);
  return { atLeast: share(right), atMost: share(right + unjudged), judged: judged.length, unjudged };
}

function judgedSample(one: Answered, comparesWords: boolean): JudgedSample[] {
  if (one.verdict !== undefined) return [{ right: one.verdict.passed, score: one.verdict.score }];
  const score = comparesWords ? scoreAnswer(one) : undefined;
  return score === undefined ? [] : [{ right: score.em, score: score.em ? 1 : 0 }];
}

function scoredGroups(answers: readonly Answered[], comparesWords: boolean): ScoredGroups | undefined {
  const groups = Map.groupBy(answers, ({ questionId }) => questionId);
  if (groups.size === answers.length) return undefined;
  const questions = [...groups].map(([questionId, group]) => {
    // Of several lines about one sample the first counts, as everywhere.
    const samples = [...Map.groupBy(group, ({ sample }) => sample).values()].flatMap(
      ([first]) => first ?? [],
    );
    return { questionId, ...groupFigures(samples.flatMap((one) => judgedSample(one, comparesWords))) };
  });
  const figures = questionFigures(questions);
  return figures === undefined ? undefined : { figures, questions };
}

const OUTCOMES = ["correct", "wrong", "halted", "unjudged", "unrecorded"] as const;

/** Answers to score. */
export interface ScoredAnswers {
  /** Name of the file or run that they come from. */
  readonly name: string;
  readonly answers: readonly Answered[];
  /** None of a file of answers. */
  readonly replies: ReplyCounts;
  /** The judge whose verdicts `answers` have, where it is not that of the run. */
  readonly by: string | undefined;
  /** True where another program said what is correct: only then does agreement say anything. */
  readonly foreignVerdicts: boolean;
  /** False: the answers are math, and there is no exact match and no F1 of them (math-answers.ts). */
  readonly comparesWords: boolean;
}

/** The scores of one input: of all answers, and of those of each recorded outcome. */
export function scoreReport(
  { name, answers, replies, by, foreignVerdicts, comparesWords }: ScoredAnswers,
  judged: Judged | undefined,
): ScoreReport {
  const list = answers.map((answer, i) => ({ answer, verdict: judged?.judgements[i]?.equivalent }));
  const rowOf = (outcome: ScoreRow["outcome"], part: readonly Judgeable[]): ScoreRow => ({
    outcome,
    answers: part.length,
    score: meanScore(comparesWords ? part.map(({ answer }) => answer) : []),
    mbe: judged === undefined ? undefined : mbeOf(part),
  });
  const rows = OUTCOMES.flatMap((outcome) => {
    const part = list.filter(({ answer }) => (answer.recorded ?? "unrecorded") === outcome);
    return part.length === 0 ? [] : [rowOf(outcome, part)];
  });
  const agreement = foreignVerdicts && comparesWords ? agreementWith(answers) : undefined;
  return {
    input: name,
    by,
    rows: [...rows, rowOf("all", list)],
    replies,
    agreement,
    groups: scoredGroups(answers, comparesWords),
  };
}
