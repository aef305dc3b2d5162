import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import process from "node:process";
import type { Duplex } from "node:stream";
import type { ContainedEnd, ContainedOrder, ContainedProgram } from "../../scoring/containment.ts";
import { boundedText } from "./bounded-text.ts";
import { lineQueue } from "./line-queue.ts";
import { orderBytes, PRELUDE, READY, STATUS_FD } from "./prelude.ts";
import { sandboxArguments, sandboxUser, type Mount } from "./sandbox.ts";
import { syscallFilter } from "./syscall-filter.ts";

/** What an interpreter is started with. */
export interface InterpreterSettings {
  readonly bubblewrap: string;
  readonly python: string;
  readonly mounts: readonly Mount[];
}

/** A contained interpreter, for one program. */
export interface Interpreter extends ContainedProgram {
  /** True when it waits for its order; false where it ended before. */
  readonly ready: Promise<boolean>;
  /** The process that becomes the program; once it is ready. */
  programPid(): number | undefined;
  /** Once. */
  run(order: ContainedOrder): void;
}

const INFO_FD = 4;
const FILTER_FD = 6;
/** Bytes that an interpreter without an order may write: the reasons why it did not start. */
const START_BYTES = 16_384;
/** Milliseconds until an interpreter that does not come up is given up; only a machine in trouble takes longer. */
const START_MS = 30_000;

const signalName = (number: number): string =>
  Object.entries(os.constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;

/** The processor's time is bounded where nobody watches the clock: twice the wall time, for a program of several threads. */
const processorSeconds = (wallMs: number): number => Math.ceil((2 * wallMs) / 1000) + 5;

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Starts Python in Bubblewrap, up to where it waits for its order. */
export function startInterpreter({ bubblewrap, python, mounts }: InterpreterSettings): Interpreter {
  const filter = syscallFilter();
  const fds = { info: INFO_FD, filter: filter === undefined ? undefined : FILTER_FD };
  const args = sandboxArguments([python, "-s", "-S", "-X", "utf8", "-c", PRELUDE], mounts, fds);
  const child = spawn(bubblewrap, args, {
    // Bubblewrap is the parent of what it contains, which can read its environment.
    env: {},
    cwd: "/",
    stdio: Array.from({ length: FILTER_FD + 1 }, () => "pipe" as const),
    detached: true,
    ...sandboxUser(),
  });
  const ends = child.stdio as readonly unknown[];
  const stream = (fd: number): Duplex => ends[fd] as Duplex;
  let order: ContainedOrder | undefined;
  let stopped: "time" | "output" | "stopped" | undefined;
  let spawnError: Error | undefined;
  let firstPid: number | undefined;
  const timers: NodeJS.Timeout[] = [];
  const readiness = Promise.withResolvers<boolean>();

  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;

  /** Bubblewrap ends when the kernel has ended all processes of the namespace, which it does when its first one is killed. */
  function end(why: "time" | "output" | "stopped"): void {
    if (hasExited() || stopped !== undefined) return;
    stopped = why;
    if (firstPid !== undefined) kill(firstPid);
  }

  /** A late clock says nothing about the program: what it has written by now, and its own end, come first. */
  const endLater = (why: "time" | "stopped"): void => void setImmediate(() => end(why));

  const limit = (): number => order?.limits.outputBytes ?? START_BYTES;
  const stdout = boundedText(stream(1), limit, () => end("output"));
  const stderr = boundedText(stream(2), limit, () => end("output"));
  const status = boundedText(
    stream(STATUS_FD),
    () => START_BYTES,
    () => end("output"),
  );
  const info = boundedText(
    stream(INFO_FD),
    () => START_BYTES,
    () => end("output"),
  );
  stream(INFO_FD).on("data", () => {
    const [, pid] = /"child-pid": *(\d+)/.exec(info.text()) ?? [];
    if (pid === undefined) return;
    firstPid = Number(pid);
    if (stopped !== undefined) kill(firstPid);
  });

  const results = lineQueue((line) => readiness.resolve(line === READY));
  let resultBytes = 0;
  stream(3).on("data", (chunk: Buffer) => {
    resultBytes += chunk.length;
    if (resultBytes > limit()) return end("output");
    results.push(chunk);
  });
  for (const fd of [0, 3, FILTER_FD]) stream(fd).on("error", () => undefined);
  stream(FILTER_FD).end(filter ?? "");
  child.once("error", (error) => (spawnError = error));
  timers.push(setTimeout(() => end("stopped"), START_MS).unref());

  function endOf(code: number | null, signal: string | null): ContainedEnd {
    if (spawnError !== undefined) return { kind: "failed", message: spawnError.message };
    if (stopped !== undefined) return { kind: "stopped", why: stopped };
    if (order === undefined) {
      const last = stderr.text().trim().split("\n").at(-1) ?? "";
      return { kind: "failed", message: last === "" ? `it ended with ${signal ?? `code ${code}`}` : last };
    }
    if (status.text() !== "") return { kind: "signal", signal: signalName(Number(status.text())) };
    return signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signal", signal };
  }

  const ended = new Promise<Awaited<ContainedProgram["ended"]>>((resolve) => {
    child.once("close", (code, signal) => {
      for (const timer of timers) clearTimeout(timer);
      readiness.resolve(false);
      results.end();
      resolve({ ...endOf(code, signal), stdout: stdout.text(), stderr: stderr.text() });
    });
  });

  return {
    ready: readiness.promise,
    results,
    ended,
    stop: endLater,
    programPid: () => (firstPid === undefined ? undefined : onlyChild(firstPid)),
    run(given) {
      order = given;
      resultBytes = 0;
      const { wallMs, memoryBytes } = given.limits;
      for (const timer of timers) clearTimeout(timer);
      timers.push(setTimeout(() => endLater("time"), wallMs));
      stream(0).end(orderBytes({ ...given, memoryBytes, processorSeconds: processorSeconds(wallMs) }));
    },
  };
}

/** Undefined where the kernel does not tell. */
function onlyChild(pid: number): number | undefined {
  try {
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    const [child] = children;
    return child === undefined || child === "" ? undefined : Number(child);
  } catch {
    return undefined;
  }
}
