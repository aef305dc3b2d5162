import type { ContainedEnd, ContainedOrder, ContainedProgram } from "../../scoring/containment.ts";

/** A contained interpreter, for one program. */
export interface Interpreter extends ContainedProgram {
  /** True when it waits for its order; false where it ended before. */
  readonly ready: Promise<boolean>;
  /** Once. Throws where the program's limits cannot be set. */
  run(order: ContainedOrder): void;
}

/** Interpreters of one program each, at most so many at once. */
export interface InterpreterPool {
  start(order: ContainedOrder, signal: AbortSignal): ContainedProgram;
  close(): Promise<void>;
}

type Ended = Awaited<ContainedProgram["ended"]>;
type StopReason = Parameters<ContainedProgram["stop"]>[0];

const withoutOutput = (end: ContainedEnd): Ended => ({ ...end, stdout: "", stderr: "" });

const failedBy = (error: unknown): Ended =>
  withoutOutput({ kind: "failed", message: error instanceof Error ? error.message : String(error) });

/** Runs one order to its end. */
async function runOrder(
  interpreter: Interpreter,
  order: ContainedOrder,
  isWanted: () => boolean,
): Promise<Ended> {
  if (!(await interpreter.ready) || !isWanted()) return await interpreter.ended;
  try {
    interpreter.run(order);
  } catch (error) {
    interpreter.stop("stopped");
    await interpreter.ended;
    return failedBy(error);
  }
  return await interpreter.ended;
}

/** Places that are taken one after the other. */
function placeQueue(places: number) {
  const waiting: (() => void)[] = [];
  let free = places;
  return {
    async take(): Promise<void> {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave(): void {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}

async function* linesOf(begun: Promise<Interpreter | undefined>): AsyncGenerator<string> {
  const interpreter = await begun;
  if (interpreter !== undefined) yield* interpreter.results;
}

/** `startOne`: starts the interpreter for an order. It may throw where the system has no room for it. */
export function interpreterPool(
  places: number,
  startOne: (order: ContainedOrder) => Interpreter,
): InterpreterPool {
  const queue = placeQueue(places);
  const running = new Set<ContainedProgram>();
  let isClosed = false;

  function start(order: ContainedOrder, signal: AbortSignal): ContainedProgram {
    let stopped: StopReason | undefined;
    let interpreter: Interpreter | undefined;
    /** Resolves to undefined if the program is stopped before it has a place. */
    const begun = Promise.withResolvers<Interpreter | undefined>();

    function stop(why: StopReason): void {
      stopped ??= why;
      interpreter?.stop(why);
      begun.resolve(interpreter);
    }

    async function run(): Promise<Ended> {
      await queue.take();
      try {
        if (stopped !== undefined) return withoutOutput({ kind: "stopped", why: stopped });
        interpreter = startOne(order);
        begun.resolve(interpreter);
        return await runOrder(interpreter, order, () => stopped === undefined);
      } catch (error) {
        return failedBy(error);
      } finally {
        begun.resolve(undefined);
        queue.leave();
      }
    }

    /** A program that is stopped while it waits for a place ends at once. */
    async function end(): Promise<Ended> {
      const whole = run();
      const early = begun.promise.then((one) => (one === undefined ? stopped : undefined));
      const why = await Promise.race([whole.then(() => undefined), early]);
      return why === undefined ? await whole : withoutOutput({ kind: "stopped", why });
    }

    const onAbort = (): void => stop("stopped");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted || isClosed) stop("stopped");
    const program: ContainedProgram = {
      results: linesOf(begun.promise),
      ended: end().finally(() => {
        signal.removeEventListener("abort", onAbort);
        running.delete(program);
      }),
      stop,
    };
    running.add(program);
    return program;
  }

  return {
    start,
    async close() {
      isClosed = true;
      const all = [...running];
      for (const program of all) program.stop("stopped");
      await Promise.all(all.map(async ({ ended }) => await ended));
    },
  };
}
