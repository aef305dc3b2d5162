import { domainOfRecord } from "../../domains/registry.ts";
import type { Episode } from "../../model/episode.ts";
import type { OpenContainment } from "../../scoring/containment.ts";
import { verdictIn, type OpenedJudge } from "../../scoring/judge.ts";

/** An episode, as far as its record tells whether an answer to its question is right. */
export interface JudgedEpisode extends Pick<
  Episode,
  "answer" | "outcome" | "gold" | "question" | "questionId" | "facts"
> {
  /** Verdicts on the answers that it proposed, by their text. */
  readonly drafts: ReadonlyMap<string, boolean>;
}

/** The verdicts on the answers that an episode proposed, by their text. */
export function draftVerdicts({ steps }: Pick<Episode, "steps">): ReadonlyMap<string, boolean> {
  return new Map(
    steps.flatMap(({ proposals }) =>
      proposals.flatMap(({ action, verdicts }) => {
        const [first] = verdicts ?? [];
        return first === undefined ? [] : [[action.arg, first.passed] as const];
      }),
    ),
  );
}

/** Finds the material of a question for its judge (`Question.material`). */
export type MaterialOf = (questionId: string) => Promise<string | undefined>;

/** Says of answers whether they are right; judges that it needs are opened with the first such answer. To be closed. */
export class AnswerJudges {
  private readonly opened = new Map<string, Promise<OpenedJudge>>();
  private readonly signal = new AbortController().signal;
  private readonly openContainment: OpenContainment;

  constructor(openContainment: OpenContainment) {
    this.openContainment = openContainment;
  }

  /**
   * Whether an answer is right: by the verdict that the record has on this text, else by the outcome where the domain makes no difference
   * between it and the recorded answer, else by the domain's judge. Undefined where nobody knows, or the judge fails.
   */
  async isRight(
    answer: string,
    episode: JudgedEpisode,
    materialOf?: MaterialOf,
  ): Promise<boolean | undefined> {
    const { answer: recorded, outcome, gold, question, questionId, facts, drafts } = episode;
    const known = drafts.get(answer);
    if (known !== undefined) return known;
    const { name, judge, keys } = domainOfRecord(facts);
    const isRecorded = recorded !== undefined && keys.answer(answer) === keys.answer(recorded);
    if (isRecorded && outcome === "correct") return true;
    if (isRecorded && outcome === "wrong") return false;
    const opened =
      this.opened.get(name) ?? judge.open({ concurrency: 1, openContainment: this.openContainment });
    this.opened.set(name, opened);
    const accepted = gold === undefined || gold.length === 0 ? undefined : gold;
    // It may be large, and a judge of words looks at none.
    const material = judge.comparesWords === true ? undefined : await materialOf?.(questionId);
    const task = { question, answer, gold: accepted, material };
    return opened
      .then((ready) => ready.judge(task, this.signal))
      .then(
        (judgement) => verdictIn(judgement)?.passed,
        () => undefined,
      );
  }

  async close(): Promise<void> {
    for (const opened of this.opened.values())
      await opened.then(
        (judge) => judge.close(),
        () => undefined,
      );
    this.opened.clear();
  }
}
