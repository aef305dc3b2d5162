import type { ChatModel } from "../llm/chat-model.ts";
import { askEach, type AskFailures, type AskOptions } from "./ask-each.ts";
import { judgeAnswer, type Judgement } from "./llm-judge.ts";
import { asking } from "./model-judge.ts";
import type { Answered } from "./score-answers.ts";

/** The verdicts of a judge on a list of answers. */
export interface Judged extends AskFailures {
  /** One for each answer, in order; undefined: it has no gold, or the judge could not be asked. */
  readonly judgements: readonly (Judgement | undefined)[];
}

export interface JudgeOptions extends AskOptions {
  readonly onJudged?: (done: number) => void;
}

/**
 * Has a judge look at every answer that has gold, several at a time; the order in which replies come has no influence. A failed call
 * leaves its answer unjudged, and the rest is not asked where it would fail too. Rejects with the signal's reason.
 */
export async function judgeAnswers(
  answers: readonly Answered[],
  model: ChatModel,
  { concurrency, signal, onJudged }: JudgeOptions,
): Promise<Judged> {
  const judgements: (Judgement | undefined)[] = answers.map(() => undefined);
  const ask = asking(model, signal);
  let done = 0;
  const known = [...answers.entries()].flatMap(([i, { gold, ...one }]) =>
    gold === undefined ? [] : [{ i, task: { ...one, gold } }],
  );
  const failures = await askEach(
    known,
    async ({ i, task }, guarded) => {
      try {
        const judgement = await judgeAnswer(task, (prompt) => guarded(() => ask(prompt)));
        judgements[i] = judgement;
        return judgement.by === "judge";
      } finally {
        onJudged?.(++done);
      }
    },
    { concurrency: Math.min(concurrency, answers.length), signal },
  );
  return { judgements, ...failures };
}
