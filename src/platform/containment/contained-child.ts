import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import type { ContainedEnd, ContainedLimits, ContainedProgram } from "../../scoring/containment.ts";
import { boundedText } from "./bounded-text.ts";
import { lineQueue } from "./line-queue.ts";
import { READY } from "./prelude.ts";

/** A process that contains a program, from its start on. It says `READY` on descriptor 3 when it waits for its order. */
export interface ContainedChild extends ContainedProgram {
  /** True when it waits for its order; false where it ended before. */
  readonly ready: Promise<boolean>;
  /** Called once, when its program gets its order: the limits count from then on. */
  begin(limits: ContainedLimits): void;
}

export interface ChildHandles {
  /** Ends it and all that it started. */
  readonly kill: () => void;
  /** Signal that ended its program, where the child's own end does not tell it. */
  readonly signal: () => string | undefined;
}

type Stopped = "time" | "output" | "stopped";

/** Bytes that a child without an order may write: the reasons why it did not start. */
const START_BYTES = 16_384;
/** A line counts as so many bytes more: without that, millions of empty ones would keep this process busy for minutes. */
const LINE_BYTES = 64;
/** Milliseconds until a child that does not come up is given up; only a machine in trouble takes longer. */
const START_MS = 30_000;

/** The pipe at a descriptor of a child. Throws where the system had none to give. */
export function pipeOf(child: ChildProcess, fd: number): Duplex {
  const stdio = child.stdio as readonly unknown[] | undefined;
  if (stdio === undefined) throw new Error("this process has too many files open");
  return stdio[fd] as Duplex;
}

/** Bounds what a child writes and how long it runs, and reads its results. Its descriptors 0 to 3 must be pipes. */
export function containedChild(child: ChildProcess, { kill, signal }: ChildHandles): ContainedChild {
  let limits: ContainedLimits | undefined;
  let stopped: Stopped | undefined;
  let spawnError: Error | undefined;
  let resultBytes = 0;
  const readiness = Promise.withResolvers<boolean>();
  const results = lineQueue((line) => readiness.resolve(line === READY));

  function end(why: Stopped): void {
    if (child.exitCode !== null || child.signalCode !== null || stopped !== undefined) return;
    stopped = why;
    kill();
  }

  /** A timer is late when this process is busy: what the program has written by then, and its own end, come first. */
  const endLater = (why: "time" | "stopped"): void => void setImmediate(() => end(why));

  let timer = setTimeout(() => end("stopped"), START_MS).unref();
  const most = (): number => limits?.outputBytes ?? START_BYTES;
  const tooMuch = (): void => end("output");
  const stdout = boundedText(pipeOf(child, 1), most, tooMuch);
  const stderr = boundedText(pipeOf(child, 2), most, tooMuch);
  pipeOf(child, 3).on("data", (chunk: Buffer) => {
    if (resultBytes > most()) return;
    resultBytes += chunk.length;
    if (resultBytes <= most()) resultBytes += LINE_BYTES * results.push(chunk);
    if (resultBytes > most()) tooMuch();
  });
  void readiness.promise.then(() => clearTimeout(timer));
  child.once("error", (error) => (spawnError = error));

  function whyNotStarted(code: number | null, by: string | null): string {
    const last = stderr.text().trim().split("\n").at(-1) ?? "";
    return last === "" ? `it ended with ${by ?? `code ${code}`}` : last;
  }

  function endOf(code: number | null, by: string | null): ContainedEnd {
    if (spawnError !== undefined) return { kind: "failed", message: spawnError.message };
    if (stopped !== undefined) return { kind: "stopped", why: stopped };
    if (limits === undefined) return { kind: "failed", message: whyNotStarted(code, by) };
    const ended = signal() ?? by;
    return ended === null ? { kind: "exited", code: code ?? 0 } : { kind: "signal", signal: ended };
  }

  const ended = new Promise<Awaited<ContainedProgram["ended"]>>((resolve) => {
    child.once("close", (code, by) => {
      clearTimeout(timer);
      readiness.resolve(false);
      results.end();
      resolve({ ...endOf(code, by), stdout: stdout.text(), stderr: stderr.text() });
    });
  });

  return {
    ready: readiness.promise,
    results,
    ended,
    stop: endLater,
    begin(given) {
      limits = given;
      resultBytes = 0;
      clearTimeout(timer);
      timer = setTimeout(() => endLater("time"), given.wallMs);
    },
  };
}
