import type { Outcome } from "../model/episode.ts";
import type { ReplyCounts } from "../model/replies.ts";
import type { Judge } from "./judge.ts";
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
  isRight,
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
  /** Of no answer where another judge than exact match scores, or none can. */
  readonly score: MeanScore;
  /** Of the judge of the domain; absent where exact match scores. */
  readonly right?: ShareRight;
  /** Model-based equivalence; undefined where no model was asked. */
  readonly mbe: ShareRight | undefined;
}

/**
 * The share of answers that a judge takes for right, between its values if every answer without a verdict is wrong and if every one is right.
 * Leaving those out would flatter: exact matches need no verdict of a model and so are never among them.
 */
export interface ShareRight {
  readonly atLeast: number;
  readonly atMost: number;
  /** Answers that have a verdict, and those that have none; answers that nobody can judge are in neither. */
  readonly judged: number;
  readonly unjudged: number;
}

export interface ScoreReport {
  readonly input: string;
  /** The judge whose verdicts give the outcomes; undefined: as recorded. */
  readonly by: string | undefined;
  /** The judge that scores the answers of a run; undefined for a file of answers and for math, which exact match cannot score. */
  readonly judge: string | undefined;
  readonly rows: readonly ScoreRow[];
  readonly replies: ReplyCounts;
  /** Undefined where the recorded verdicts are those of the judge that scores: they would agree with themselves. */
  readonly agreement: Agreement | undefined;
  /** Undefined where no question has several answers, unless pass@k was asked for. */
  readonly groups: ScoredGroups | undefined;
}

/** The answers of one question. */
export interface QuestionScore extends GroupFigures {
  readonly questionId: string;
}

/** By the judge of the domain, or by the recorded verdict, else by exact match; of the answers with a verdict. */
export interface ScoredGroups {
  readonly figures: QuestionFigures;
  /** In the order in which the questions come first. */
  readonly questions: readonly QuestionScore[];
}

interface Judgeable {
  readonly answer: Answered;
  /** By the model that judges. */
  readonly equivalent: boolean | undefined;
}

/** The share of `true`; undefined is no verdict. */
function shareOf(verdicts: readonly (boolean | undefined)[]): ShareRight {
  const judged = verdicts.filter((verdict) => verdict !== undefined);
  const right = judged.filter(Boolean).length;
  const [total, unjudged] = [verdicts.length, verdicts.length - judged.length];
  const share = (n: number): number => (total === 0 ? 0 : n / total);
  return { atLeast: share(right), atMost: share(right + unjudged), judged: judged.length, unjudged };
}

const mbeOf = (part: readonly Judgeable[]): ShareRight =>
  shareOf(part.flatMap(({ answer, equivalent }) => (answer.gold === undefined ? [] : [equivalent])));

/** By the judge of the domain, of the answers that it can judge. */
function rightOf(part: readonly Judgeable[], { needsMaterial }: Pick<Judge, "needsMaterial">): ShareRight {
  const known = part.filter(({ answer }) => needsMaterial === true || answer.gold !== undefined);
  return shareOf(known.map(({ answer }) => isRight(answer)));
}

type Scoring = Pick<ScoredAnswers, "by" | "judge" | "comparesWords" | "passAt">;

/** The judge of the domain, where it scores in place of exact match. */
const domainJudge = ({ judge, comparesWords }: Pick<Scoring, "judge" | "comparesWords">) =>
  comparesWords ? undefined : judge;

function judgedSample(one: Answered, scoring: Scoring): JudgedSample[] {
  const byDomain = scoring.by === undefined && domainJudge(scoring) !== undefined;
  const verdict = byDomain ? one.scored : one.verdict;
  if (verdict !== undefined) return [{ right: verdict.passed, score: verdict.score }];
  if (byDomain) return one.answer === undefined ? [{ right: false, score: 0 }] : [];
  const score = scoring.comparesWords ? scoreAnswer(one) : undefined;
  return score === undefined ? [] : [{ right: score.em, score: score.em ? 1 : 0 }];
}

function scoredGroups(answers: readonly Answered[], scoring: Scoring): ScoredGroups | undefined {
  const groups = Map.groupBy(answers, ({ questionId }) => questionId);
  if (groups.size === answers.length && scoring.passAt === undefined) return undefined;
  const questions = [...groups].map(([questionId, group]) => {
    // Of several lines about one sample the first counts, as everywhere.
    const samples = [...Map.groupBy(group, ({ sample }) => sample).values()].flatMap(
      ([first]) => first ?? [],
    );
    return { questionId, ...groupFigures(samples.flatMap((one) => judgedSample(one, scoring))) };
  });
  const figures = questionFigures(questions, scoring.passAt);
  return figures === undefined ? undefined : { figures, questions };
}

const OUTCOMES = ["correct", "wrong", "halted", "unjudged", "abandoned", "unrecorded"] as const;

/** Answers to score. */
export interface ScoredAnswers {
  /** Name of the file or run that they come from. */
  readonly name: string;
  readonly answers: readonly Answered[];
  /** None of a file of answers. */
  readonly replies: ReplyCounts;
  /** The judge whose verdicts `answers` have, where it is not that of the run. */
  readonly by: string | undefined;
  /** True where another judge than the one that scores said what is correct: only then does agreement say anything. */
  readonly foreignVerdicts: boolean;
  /** False: there is no exact match and no F1 of them, since they are math (math-answers.ts), or their domain judges otherwise. */
  readonly comparesWords: boolean;
  /** The judge that scores: exact match, or that of the domain. Undefined for files of answers, and for math that exact match cannot score. */
  readonly judge: Pick<Judge, "name" | "needsMaterial"> | undefined;
  /** The k of pass@k, which then has figures also where each question has one answer; undefined: the usual ones of several. */
  readonly passAt: readonly number[] | undefined;
}

/** The scores of one input: of all answers, and of those of each recorded outcome. */
export function scoreReport(
  { name, answers, replies, by, judge, foreignVerdicts, comparesWords, passAt }: ScoredAnswers,
  judged: Judged | undefined,
): ScoreReport {
  const ofDomain = domainJudge({ judge, comparesWords });
  const list = answers.map((answer, i) => ({ answer, equivalent: judged?.judgements[i]?.equivalent }));
  const rowOf = (outcome: ScoreRow["outcome"], part: readonly Judgeable[]): ScoreRow => ({
    outcome,
    answers: part.length,
    score: meanScore(comparesWords ? part.map(({ answer }) => answer) : []),
    ...(ofDomain !== undefined && { right: rightOf(part, ofDomain) }),
    mbe: judged === undefined ? undefined : mbeOf(part),
  });
  const rows = OUTCOMES.flatMap((outcome) => {
    const part = list.filter(({ answer }) => (answer.recorded ?? "unrecorded") === outcome);
    return part.length === 0 ? [] : [rowOf(outcome, part)];
  });
  const isComparable = comparesWords || ofDomain !== undefined;
  const agreement =
    foreignVerdicts && isComparable ? agreementWith(answers, ofDomain !== undefined) : undefined;
  return {
    input: name,
    by,
    judge: judge?.name,
    rows: [...rows, rowOf("all", list)],
    replies,
    agreement,
    groups: scoredGroups(answers, { by, judge, comparesWords, passAt }),
  };
}
