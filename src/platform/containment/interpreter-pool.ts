import type { ContainedEnd, ContainedOrder, ContainedProgram } from "../../scoring/containment.ts";
import type { Interpreter } from "./interpreter.ts";

/** Interpreters of one program each, at most so many at once. */
export interface InterpreterPool {
  start(order: ContainedOrder, signal: AbortSignal): ContainedProgram;
  close(): Promise<void>;
}

type Ended = Awaited<ContainedProgram["ended"]>;

const withoutOutput = (end: ContainedEnd): Ended => ({ ...end, stdout: "", stderr: "" });

/** `enter`: called with an interpreter that waits for its order, before it gets it. */
export function interpreterPool(
  places: number,
  startOne: () => Interpreter,
  enter: (interpreter: Interpreter, place: number, order: ContainedOrder) => void,
): InterpreterPool {
  const free = Array.from({ length: places }, (_, place) => place);
  const waiting: ((place: number) => void)[] = [];
  const running = new Set<ContainedProgram>();
  let isClosed = false;

  const takePlace = async (): Promise<number> =>
    free.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));

  function leavePlace(place: number): void {
    const next = waiting.shift();
    if (next === undefined) free.push(place);
    else next(place);
  }

  function start(order: ContainedOrder, signal: AbortSignal): ContainedProgram {
    let stopped: "time" | "stopped" | undefined;
    let interpreter: Interpreter | undefined;
    const begun = Promise.withResolvers<Interpreter | undefined>();

    function stop(why: "time" | "stopped"): void {
      stopped ??= why;
      interpreter?.stop(why);
      if (interpreter === undefined) begun.resolve(undefined);
    }

    async function run(): Promise<Ended> {
      const place = await takePlace();
      try {
        if (stopped !== undefined) return withoutOutput({ kind: "stopped", why: stopped });
        interpreter = startOne();
        begun.resolve(interpreter);
        if ((await interpreter.ready) && stopped === undefined) {
          enter(interpreter, place, order);
          interpreter.run(order);
        }
        return await interpreter.ended;
      } finally {
        leavePlace(place);
      }
    }

    const onAbort = (): void => stop("stopped");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted || isClosed) stop("stopped");
    // Who stops a program that waits for a place need not wait for one.
    const early = begun.promise.then((one) =>
      one === undefined
        ? withoutOutput({ kind: "stopped", why: stopped ?? "stopped" })
        : new Promise<never>(() => undefined),
    );
    const program: ContainedProgram = {
      results: linesOf(begun.promise),
      ended: Promise.race([run(), early]).finally(() => {
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

async function* linesOf(begun: Promise<Interpreter | undefined>): AsyncGenerator<string> {
  const interpreter = await begun;
  if (interpreter !== undefined) yield* interpreter.results;
}
