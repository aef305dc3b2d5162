/** One question of a run. */
export interface Question {
  /** Unique within its file; with the sample it is the id of an episode. */
  readonly id: string;
  readonly question: string;
  /** Accepted answers; undefined where nobody knows, and the episode stays unjudged. */
  readonly gold?: readonly string[] | undefined;
  /** The data set that it comes from, where that is known. */
  readonly dataset?: string;
  /** What the data set says of it, e.g. `hops`, `type`, `level`. No policy and no PF sees it. */
  readonly meta?: Readonly<Record<string, string | number>>;
  /**
   * What the judge needs besides the accepted answers (tests, tolerances), as the domain's data set wrote it. Opaque; no policy and no PF
   * sees it.
   */
  readonly material?: string;
}

/** One of the samples of a question; the first is 1. */
export interface QuestionSample {
  readonly question: Question;
  readonly sample: number;
}

/** The samples of these questions, all first samples before the second ones: an early end leaves every question something. */
export function samplesOf(questions: readonly Question[], samples: number): readonly QuestionSample[] {
  return Array.from({ length: samples }, (_, i) => i + 1).flatMap((sample) =>
    questions.map((question) => ({ question, sample })),
  );
}
