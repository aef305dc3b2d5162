import type { Outcome } from "../model/episode.ts";
import type { Verdict } from "../model/verdict.ts";
import type { OpenContainment } from "./containment.ts";
import { exactMatch, normaliseAnswer } from "./exact-match.ts";
import { wordOverlap } from "./f1.ts";
import type { Likeness } from "./same-answer.ts";

/** An answer to judge. */
export interface JudgeTask {
  readonly question: string;
  readonly answer: string;
  /** Accepted answers; undefined if none is known. */
  readonly gold: readonly string[] | undefined;
  /** What the question has for its judge alone (`Question.material`). */
  readonly material?: string | undefined;
  /** What makes no difference in its domain, for a judge that is told; of answers of a few words where nothing is said. */
  readonly likeness?: Likeness | undefined;
}

/** The call of a model by which a judge decides on an answer. Tokens are guessed from characters. */
export interface JudgeCall {
  readonly inputTokens: number;
  /** Of the longest reply. */
  readonly outputTokens: number;
}

/** A judge came to no verdict on an answer. */
export interface NoVerdict {
  /** For people, and the same for answers of one cause, which are counted by it: `needs pandas, which is not installed here`. */
  readonly why: string;
}

/** The reply of a judge; undefined where there is nothing to judge by. */
export type Judgement = Verdict | NoVerdict | undefined;

/** The verdict of a reply, if it is one. */
export const verdictIn = (judgement: Judgement): Verdict | undefined =>
  judgement !== undefined && "judge" in judgement ? judgement : undefined;

/** Why there is no verdict, if the reply says so. */
export const whyNoVerdict = (judgement: Judgement): string | undefined =>
  judgement !== undefined && "why" in judgement ? judgement.why : undefined;

/** Decides whether an answer is right. */
export interface Judge {
  /** The judge's name in its verdicts. */
  readonly name: string;
  /** It compares words, and so says nothing about math (math-answers.ts). */
  readonly comparesWords?: true;
  /** It comes to no verdict on a question without material. */
  readonly needsMaterial?: true;
  /** The call that this answer needs; undefined where nobody is asked about it. Absent: the judge asks no model. */
  readonly callOf?: (task: JudgeTask) => JudgeCall | undefined;
  /**
   * Why the judge will come to no verdict on this answer, known without judging it; undefined where it comes to one, or has nothing to judge
   * by. A judge that has this may leave what it cannot decide to a model (undecided.ts).
   */
  readonly whyUndecided?: (task: JudgeTask) => string | undefined;
  /** It can read this accepted answer. Absent: it reads any. */
  readonly readsGold?: (accepted: string) => boolean;
  /** A judge that asks a model rejects as the model does; with the signal's reason on abort. */
  judge(task: JudgeTask, signal: AbortSignal): Promise<Judgement>;
}

/** What a domain's judge may use of the outside. */
export interface JudgePorts {
  /** Answers that are judged at once, at most. */
  readonly concurrency: number;
  /** For judges that run an answer. */
  readonly openContainment: OpenContainment;
}

/** A judge with what it holds open for a run. */
export interface OpenedJudge extends Judge {
  /** It can judge nothing on this machine: why, and what to do. Each answer stays without a verdict. */
  readonly judgesNothing?: { readonly why: string; readonly next: string };
  /** Ends what it started; may be called again. Does not reject. */
  close(): Promise<void>;
}

/** How a domain judges: known by name without being opened. */
export interface DomainJudge extends Omit<Judge, "judge"> {
  /** Rejects where the judge cannot work here at all. */
  open(ports: JudgePorts): Promise<OpenedJudge>;
}

/** A judge that holds nothing open, as that of a domain. */
export function judgeOf(judge: Judge): DomainJudge {
  const opened = { ...judge, close: async () => undefined };
  return { ...judge, open: async () => opened };
}

/** Exact match (EM) with one of the accepted answers, as HotpotQA's evaluation compares them (SPEC §9). */
export const exactMatchJudge: Judge = {
  name: "exact_match",
  comparesWords: true,
  async judge({ answer, gold }) {
    if (gold === undefined) return undefined;
    const passed = exactMatch(answer, gold);
    const given = normaliseAnswer(answer);
    const accepted = gold.find((one) => normaliseAnswer(one) === given);
    const evidence = accepted === undefined ? {} : { evidence: { accepted } };
    return { judge: "exact_match", score: passed ? 1 : 0, passed, ...evidence };
  },
};

/** Default F1 at which an answer counts as right: half of the words are shared. */
const F1_PASSES = 0.5;

/** F1 of the words with the nearest accepted answer (SPEC §9). `passes`: the least F1 of a right answer, over 0 and at most 1. */
export function f1Judge(passes: number = F1_PASSES): Judge {
  const name = `f1>=${passes}`;
  return {
    name,
    comparesWords: true,
    async judge({ answer, gold }) {
      if (gold === undefined) return undefined;
      const { f1, precision, recall } = wordOverlap(answer, gold);
      return { judge: name, score: f1, passed: f1 >= passes, evidence: { precision, recall } };
    },
  };
}

/** The outcome of an episode with this answer and this verdict. */
export function outcomeOf(answer: string | undefined, verdict: Verdict | undefined): Outcome {
  if (answer === undefined) return "halted";
  if (verdict === undefined) return "unjudged";
  return verdict.passed ? "correct" : "wrong";
}
