import type { ReplyCounts } from "./replies.ts";

/** The four runs of a report, by their time and by whether Program Functions took part. The runs without them may be missing. */
export const INTERNALISED_RUNS = ["beforeOff", "beforeOn", "afterOff", "afterOn"] as const;
export type InternalisedRun = (typeof INTERNALISED_RUNS)[number];

export const INTERNALISED_RUN_WORDS: Readonly<Record<InternalisedRun, string>> = {
  beforeOff: "before training, PFs off",
  beforeOn: "before training, PFs on",
  afterOff: "after training, PFs off",
  afterOn: "after training, PFs on",
};

export const INTERNALISED_SCHEMA = "hasp.internalised/1";

/** The rule of the verdicts (docs/internalisation.md). */
export const INTERNALISED_RULE = {
  /** Questions on which a skill was applied before training; with fewer nothing is said. */
  leastQuestions: 20,
  /** The lower end of the silent share's interval that lets a skill go. */
  leastSilent: 0.5,
  /** Two-sided level of the sign tests. */
  alpha: 0.05,
} as const;

/** A share of questions, in [0, 1], with its 95% interval. */
export interface CountedShare {
  readonly count: number;
  readonly of: number;
  /** 0 where `of` is 0. */
  readonly share: number;
  /** Clopper-Pearson: exact, and at `of` 0 from 0 to 1. */
  readonly low: number;
  readonly high: number;
}

/** A mean over questions with its 95% interval, by a bootstrap over them. */
export interface MeanOfQuestions {
  readonly questions: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The right answers of one run less those of another, by question. */
export interface Gain extends MeanOfQuestions {
  /** Questions with more right samples, and with fewer. */
  readonly better: number;
  readonly worse: number;
  /** Exact two-sided sign test of the two. */
  readonly p: number;
}

/** Questions that Program Functions got right before training, and those of them that are right without them after it. */
export interface KeptGain {
  readonly kept: CountedShare;
  /** Questions wrong before training with PFs and without: those of them that are right without PFs after it. */
  readonly others: CountedShare;
}

/** Averages of an episode, over questions. */
export interface Behaviour {
  readonly searches: number;
  readonly reads: number;
  /** Share of episodes that end with an answer before any search. */
  readonly answersWithoutSearch: number;
}
export const BEHAVIOUR_WORDS: Readonly<Record<keyof Behaviour, string>> = {
  searches: "searches of an episode",
  reads: "reads of an episode",
  answersWithoutSearch: "episodes that answer without a search",
};

export interface BehaviourShift {
  readonly before: Behaviour;
  readonly after: Behaviour;
  /** After less before. */
  readonly change: Readonly<Record<keyof Behaviour, MeanOfQuestions>>;
}

export const INTERNALISED_VERDICTS = ["internalised", "partly", "not", "too_few"] as const;
export type InternalisedVerdict = (typeof INTERNALISED_VERDICTS)[number];

export const INTERNALISED_VERDICT_WORDS: Readonly<Record<InternalisedVerdict, string>> = {
  internalised: "internalised: this skill can go",
  partly: "partly internalised",
  not: "not internalised",
  too_few: "too few questions",
};

/** The part of one skill. */
export interface InternalisedSkill {
  readonly skillId: string;
  readonly verdict: InternalisedVerdict;
  /** The reason for the verdict, as a sentence. */
  readonly why: string;
  /** Questions on which it was applied or had nothing to change (noop), of all. */
  readonly triggered: { readonly before: CountedShare; readonly after: CountedShare };
  /** Of the questions on which it was applied before training, those on which it is not applied after it. */
  readonly silent: CountedShare;
  /** Questions on which it is applied after training, and was not before. */
  readonly woken: number;
  /** Exact two-sided sign test of silent against woken questions. */
  readonly p: number;
  /** PFs on less PFs off after training, on the questions on which it was applied before or after. Absent without that run. */
  readonly stillHelps?: Gain;
  /** Of the questions on which it was applied before. Absent without both runs with PFs off. */
  readonly gain?: KeptGain;
}

export interface InternalisedReport {
  readonly schema: typeof INTERNALISED_SCHEMA;
  readonly questions: number;
  /** Of each run. */
  readonly episodes: number;
  readonly titles: Readonly<Partial<Record<InternalisedRun, string>>>;
  /** Share of right answers, over the questions that are judged. A run without a judged question has none. */
  readonly right: Readonly<Partial<Record<InternalisedRun, MeanOfQuestions>>>;
  readonly replies: Readonly<Partial<Record<InternalisedRun, ReplyCounts>>>;
  /** PFs on less PFs off, before and after training; after less before, with PFs off and on. */
  readonly gains: {
    readonly before?: Gain;
    readonly after?: Gain;
    readonly trainingOff?: Gain;
    readonly trainingOn?: Gain;
  };
  readonly kept?: KeptGain;
  /** Of the questions that training won with PFs on, those on which a skill is silent now. */
  readonly wonSilently: CountedShare;
  /** With PFs off. */
  readonly behaviour?: BehaviourShift;
  /** The most often applied first. */
  readonly skills: readonly InternalisedSkill[];
}
