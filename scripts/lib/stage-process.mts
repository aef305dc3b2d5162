import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

import { ProcessTree } from "./process-tree.mts";
import { onExit } from "./processes.mts";

/** The variable by which the processes of one stage are found again, even when they have detached. */
const STAGE = "HASP_TEST_STAGE";

export interface StageCommand {
  /** Arguments of Node. */
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  /** Descriptor of the file that takes the output; `inherit` shows it. */
  output: number | "inherit";
  /** The file that the command writes last. */
  counts: string;
  limits: Limits;
  /** Ends the command when aborted. Its reason is an Error. */
  signal: AbortSignal;
}

export interface Limits {
  /** Milliseconds after which the command is ended. */
  timeout: number;
  /** Milliseconds that its processes have to end by themselves, from its counts or its own end on. */
  grace: number;
  /** Milliseconds between the request to end and the kill. */
  patience: number;
}

export interface Ended {
  /** Why the command failed, or undefined where it ended with 0 and left no process. */
  fault: string | undefined;
  use: Use;
}

export interface Use {
  wallSeconds: number;
  /** Undefined where the system does not tell. */
  processorSeconds: number | undefined;
}

/**
 * A shell as the first process: `times` prints the processor time of everything that it has waited for. It survives the
 * signal that ends the others, to print that.
 */
const LEADER = `trap : TERM INT HUP; "$@" 3>&-; code=$?; times >&3; exit $code`;

const IS_POSIX = process.platform !== "win32";

/** Milliseconds between two looks at the processes. */
const PERIOD = 1000;

/** Runs a command in a session of its own, and ends all that it started. Rejects only where the system starts no process. */
export async function runStageProcess(command: StageCommand): Promise<Ended> {
  const start = performance.now();
  const mark = randomUUID();
  const child = launch(command, mark);
  const times = textOf(child.stdio[3] as Readable).catch(() => "");
  const leader: Leader = { child, pid: await started(child), exited: once(child, "exit") };
  const tree = new ProcessTree(leader.pid, `${STAGE}=${mark}`);
  const forget = onExit(() => killAll(leader, tree));
  const overdue = await untilOver(command, leader, tree);
  const fault = overdue ?? faultOf(child);
  await endAll(leader, tree, command.limits.patience);
  forget();
  const processorSeconds = secondsIn(await times, tree);
  return { fault, use: { wallSeconds: (performance.now() - start) / 1000, processorSeconds } };
}

interface Leader {
  child: ChildProcess;
  pid: number;
  exited: Promise<unknown>;
}

const hasExited = ({ child }: Leader): boolean => child.exitCode !== null || child.signalCode !== null;

function launch({ args, env, cwd, output }: StageCommand, mark: string): ChildProcess {
  const command = [process.execPath, ...args];
  const [file = "", ...rest] = IS_POSIX ? ["sh", "-c", LEADER, "sh", ...command] : command;
  return spawn(file, rest, {
    cwd,
    env: { ...process.env, ...env, [STAGE]: mark },
    // A session of its own: Ctrl-C in a terminal reaches it through this process only.
    detached: IS_POSIX,
    stdio: ["ignore", output, output, "pipe"],
  });
}

async function started(child: ChildProcess): Promise<number> {
  return await new Promise((settle, fail) => {
    child.once("error", fail);
    child.once("spawn", () => settle(child.pid ?? 0));
  });
}

/** Waits until the command and its processes have ended, or until they must be ended; returns the reason then. */
async function untilOver(
  { counts, limits, signal }: StageCommand,
  leader: Leader,
  tree: ProcessTree,
): Promise<string | undefined> {
  const start = performance.now();
  const aborted = once(signal, "abort");
  let closing: number | undefined;
  for (;;) {
    const left = tree.look();
    const now = performance.now();
    const isOver = hasExited(leader);
    if (isOver && left.length === 0) return undefined;
    if (signal.aborted) return (signal.reason as Error).message;
    if (isOver || existsSync(counts)) closing ??= now;
    if (closing !== undefined && now - closing > limits.grace)
      return `${late(isOver, limits)}; ended: ${tree.describe(left)}`;
    if (now - start > limits.timeout) return `still ran after ${limits.timeout / 60_000} minutes`;
    const pause = delay(isOver ? PERIOD / 5 : PERIOD);
    await Promise.race([pause, aborted, ...(isOver ? [] : [leader.exited])]);
  }
}

const late = (isOver: boolean, { grace }: Limits): string =>
  isOver
    ? `left processes that still ran ${grace / 1000} s after its end`
    : `still ran ${grace / 1000} s after it wrote its counts`;

function faultOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (exitCode === 0) return undefined;
  // A shell ends with 128 and the number of the signal that ended its command.
  const number = (exitCode ?? 0) - 128;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return `ended with ${signal ?? exitCode ?? signalCode}`;
}

/** Asks them to end, which lets those that clean up after others do so, and kills what is left when the time is up. */
async function endAll(leader: Leader, tree: ProcessTree, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  if (!hasExited(leader)) signalTo(groupOf(leader), "SIGTERM");
  else for (const pid of tree.look()) signalTo(pid, "SIGTERM");
  while (!hasExited(leader) || tree.look().length > 0) {
    if (performance.now() > deadline) killAll(leader, tree);
    await delay(50);
  }
}

/** The first process is killed last, because it tells the processor time of the others. */
function killAll(leader: Leader, tree: ProcessTree): void {
  const left = tree.look();
  for (const pid of left) signalTo(pid, "SIGKILL");
  if (left.length === 0 && !hasExited(leader)) signalTo(groupOf(leader), "SIGKILL");
}

const groupOf = ({ pid }: Leader): number => (IS_POSIX ? -pid : pid);

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ended meanwhile
  }
}

/** `times` prints the shell's own user and system time, then those of its children: `0m0.00s 0m0.01s`, twice. */
function secondsIn(times: string, tree: ProcessTree): number | undefined {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 4) return undefined;
  const waited = parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return waited + tree.detachedSeconds();
}
