import type { Outcome } from "../model/episode.ts";
import type { Verdict } from "../model/verdict.ts";
import { exactMatch } from "./exact-match.ts";
import { wordOverlap, type Overlap } from "./f1.ts";

/** An answer with what it is measured by. */
export interface Answered {
  readonly id: string;
  readonly questionId: string;
  /** Which of the answers to its question it is; the first is 1. */
  readonly sample: number;
  readonly question: string;
  /** Undefined: none was given. It scores 0. */
  readonly answer: string | undefined;
  /** Undefined: nobody knows, and it is in no mean. */
  readonly gold: readonly string[] | undefined;
  /** What its own source says became of it; undefined where it says nothing. */
  readonly recorded: Outcome | undefined;
  /** Of the judge of its run; undefined where the source has none. */
  readonly verdict?: Verdict | undefined;
}

export interface AnswerScore extends Overlap {
  readonly em: boolean;
}

/** Means over the answers with gold, each from 0 to 1. */
export interface MeanScore extends Overlap {
  /** Answers that count. */
  readonly count: number;
  readonly em: number;
}

/** The score of an answer; undefined where there is nothing to compare with. */
export function scoreAnswer({ answer, gold }: Pick<Answered, "answer" | "gold">): AnswerScore | undefined {
  if (gold === undefined || gold.length === 0) return undefined;
  if (answer === undefined) return { em: false, f1: 0, precision: 0, recall: 0 };
  return { em: exactMatch(answer, gold), ...wordOverlap(answer, gold) };
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The means of these answers; those without gold do not count. */
export function meanScore(answers: readonly Answered[]): MeanScore {
  const scores = answers.flatMap((answer) => scoreAnswer(answer) ?? []);
  return {
    count: scores.length,
    em: mean(scores.map(({ em }) => (em ? 1 : 0))),
    f1: mean(scores.map(({ f1 }) => f1)),
    precision: mean(scores.map(({ precision }) => precision)),
    recall: mean(scores.map(({ recall }) => recall)),
  };
}

/** Where our exact match and a source's own verdict part. */
export interface Disagreement {
  readonly id: string;
  readonly answer: string | undefined;
  readonly gold: readonly string[];
  readonly recorded: Outcome;
  readonly em: boolean;
}

export interface Agreement {
  /** Answers with gold and with a verdict of their source. */
  readonly compared: number;
  readonly agreed: number;
  readonly disagreements: readonly Disagreement[];
}

/** How far exact match gives the verdicts that were recorded: `correct` is a match, `wrong` and `halted` are none. */
export function agreementWith(answers: readonly Answered[]): Agreement {
  let compared = 0;
  const disagreements = answers.flatMap((one): Disagreement[] => {
    const score = scoreAnswer(one);
    const { id, answer, gold, recorded } = one;
    if (score === undefined || gold === undefined) return [];
    if (recorded === undefined || recorded === "unjudged") return [];
    compared++;
    return score.em === (recorded === "correct") ? [] : [{ id, answer, gold, recorded, em: score.em }];
  });
  return { compared, agreed: compared - disagreements.length, disagreements };
}
