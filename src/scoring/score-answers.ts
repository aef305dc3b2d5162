import { wasRight } from "../model/outcomes.ts";
import type { Likeness } from "./same-answer.ts";
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
  /** Of the judge of its domain, where that one scores in place of exact match; undefined where it came to none. */
  readonly scored?: Verdict | undefined;
  /** Of its domain; of answers of a few words where nothing is said. */
  readonly likeness?: Likeness | undefined;
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

/** An answer that is right by its source's own verdict or by the judge that scores it, and not by both. */
export interface Disagreement {
  readonly id: string;
  readonly answer: string | undefined;
  readonly gold: readonly string[];
  readonly recorded: Outcome;
  /** Whether it matches exactly; absent where the judge of another domain scores. */
  readonly em?: boolean;
}

export interface Agreement {
  /** Answers with gold and with a verdict of their source. */
  readonly compared: number;
  readonly agreed: number;
  readonly disagreements: readonly Disagreement[];
}

/** Whether it is right by the judge of its domain: no answer is not. Undefined for an answer without a verdict. */
export function isRight({ answer, scored }: Pick<Answered, "answer" | "scored">): boolean | undefined {
  return answer === undefined ? false : scored?.passed;
}

/**
 * How far exact match, or the judge of the domain, gives the outcomes that were recorded: `correct` is right, `wrong` and `halted` are not.
 * An outcome that this judge of a domain gave itself is not compared, nor an episode without an answer, which no such judge is asked about.
 */
export function agreementWith(answers: readonly Answered[], byDomain = false): Agreement {
  let compared = 0;
  const disagreements = answers.flatMap((one): Disagreement[] => {
    const right = byDomain ? isRight(one) : scoreAnswer(one)?.em;
    const { id, answer, gold = [], recorded } = one;
    if (right === undefined || recorded === undefined || wasRight(recorded) === undefined) return [];
    // There are no two verdicts to compare if no judge was asked, or if this judge gave the recorded outcome itself.
    if (byDomain && (answer === undefined || one.verdict?.judge === one.scored?.judge)) return [];
    compared++;
    if (right === (recorded === "correct")) return [];
    return [{ id, answer, gold, recorded, ...(!byDomain && { em: right }) }];
  });
  return { compared, agreed: compared - disagreements.length, disagreements };
}
