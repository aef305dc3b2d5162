import { ModelError, type ChatModel } from "../llm/chat-model.ts";
import { judgeAnswer, JUDGE_SAMPLING, type Judgement } from "./llm-judge.ts";
import type { Answered } from "./score-answers.ts";

/** The verdicts of a judge on a list of answers. */
export interface Judged {
  /** One for each answer, in order; undefined: it has no gold, or the judge could not be asked. */
  readonly judgements: readonly (Judgement | undefined)[];
  /** Calls that failed, or were not made since others had. */
  readonly failed: number;
  /** The first failure. */
  readonly failure: ModelError | undefined;
}

export interface JudgeOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onJudged?: (done: number) => void;
}

/** After one of these no further call would fare better. */
const HOPELESS: ReadonlySet<string> = new Set(["budget", "unauthorised"]);
/** An endpoint that fails as often as this in a row is down. */
const MOST_FAILURES_IN_A_ROW = 5;

const asking = (model: ChatModel, signal: AbortSignal) =>
  async function ask({ system, user }: { readonly system: string; readonly user: string }): Promise<string> {
    const messages = [
      { role: "system", content: system },
      { role: "user", content: user },
    ] as const;
    return (await model.chat({ messages, ...JUDGE_SAMPLING }, { signal })).text;
  };

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
  let [done, failed, inARow] = [0, 0, 0];
  let failure: ModelError | undefined;
  const isDown = (): boolean =>
    inARow >= MOST_FAILURES_IN_A_ROW || (failure !== undefined && HOPELESS.has(failure.kind));
  const guarded = async (task: Parameters<typeof ask>[0]): Promise<string> => {
    if (isDown() && failure !== undefined) throw failure;
    return ask(task);
  };
  const queue = answers.entries();
  async function work(): Promise<void> {
    for (const [i, { question, gold, answer }] of queue) {
      signal.throwIfAborted();
      if (gold === undefined) continue;
      try {
        judgements[i] = await judgeAnswer({ question, gold, answer }, guarded);
        if (judgements[i]?.by === "judge") inARow = 0;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        failure ??= error;
        if (HOPELESS.has(error.kind)) failure = error;
        failed++;
        inARow++;
      }
      onJudged?.(++done);
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, answers.length) }, work));
  return { judgements, failed, failure };
}
