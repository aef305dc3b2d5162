import { ModelError } from "../llm/chat-model.ts";

/** Calls that failed or were not made because others had failed, and the failure to report. */
export interface AskFailures {
  readonly failed: number;
  /** The first failure, or the one after which nothing more could succeed. */
  readonly failure: ModelError | undefined;
}

export interface AskOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

const HOPELESS: ReadonlySet<string> = new Set(["budget", "unauthorised"]);
/** After such a failure no further call would fare better. */
export const isHopeless = ({ kind }: ModelError): boolean => HOPELESS.has(kind);

/** An endpoint that fails as often as this in a row is down. */
const MOST_FAILURES_IN_A_ROW = 5;

/**
 * Does `work` for each item, several at a time. `work` gets a guard for its calls of a model: once the model is down, a guarded call
 * rejects without being made, so that work that needs no call goes on. Answers true where it made one. Rejects with the signal's reason,
 * and with what is no failure of a model.
 */
export async function askEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T, guarded: <R>(call: () => Promise<R>) => Promise<R>) => Promise<boolean>,
  { concurrency, signal }: AskOptions,
): Promise<AskFailures> {
  let [failed, inARow] = [0, 0];
  let failure: ModelError | undefined;
  const isDown = (): boolean =>
    inARow >= MOST_FAILURES_IN_A_ROW || (failure !== undefined && isHopeless(failure));
  const guarded = async <R>(call: () => Promise<R>): Promise<R> => {
    if (isDown() && failure !== undefined) throw failure;
    return call();
  };
  const queue = (async function* () {
    yield* items;
  })();
  async function worker(): Promise<void> {
    for await (const item of { [Symbol.asyncIterator]: () => ({ next: () => queue.next() }) }) {
      signal.throwIfAborted();
      try {
        if (await work(item, guarded)) inARow = 0;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        failure ??= error;
        if (isHopeless(error)) failure = error;
        failed++;
        inARow++;
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { failed, failure };
}
