import type { JobProgram } from "../model/job.ts";
import type { Clock } from "../trace/ports.ts";

export interface JobClock extends Clock {
  /** Resolves after `ms` milliseconds, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A program of a job, as it is started. */
export interface ProcessOrder {
  readonly program: JobProgram;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables beside those that every process of the job has. */
  readonly env: Readonly<Record<string, string>>;
  /** Machines of the cluster's job on each of which it is started once; absent: this machine alone. */
  readonly nodes?: number;
  /** Output and errors, in whole lines where they are not very long. */
  readonly onText: (text: string) => void;
}

/** `failed`: it could not be started, and why. */
export type ProcessEnd =
  | { readonly exitCode: number }
  | { readonly signal: string }
  | { readonly failed: string };

/** A process with a group of its own. */
export interface JobProcess {
  /** Once it has ended, its output is complete and nothing of its group is left. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks it to end: SIGTERM to the process itself, which knows what it has started; SIGUSR1 where it is on several machines. */
  ask(): void;
  /** Ends it and all of its group at once. */
  kill(): void;
}

/** The variable in which every process of a job finds the id of the job: none of them is a person. */
export const JOB_VARIABLE = "HASP_JOB";

/** The variable that marks every process of an attempt. */
export const TOKEN_VARIABLE = "HASP_JOB_ATTEMPT";

export interface JobProcesses {
  start(order: ProcessOrder): JobProcess;
  /**
   * Ends every process of this machine that has the token in its environment: SIGTERM, then SIGKILL after `graceMs`. Does nothing where the
   * system does not show the environment of processes (all but Linux).
   */
  endMarked(token: string, graceMs: number): Promise<void>;
}

/** The key of a served student, and a file of this user alone that holds it for the commands of the job. */
export interface StudentKey {
  readonly value: string;
  /** Absolute. */
  readonly file: string;
  /** Removes the file. */
  remove(): void;
}

/** The right to be a job's only runner. */
export interface RunnerLock {
  /** Aborts when another process has taken it, as after this machine was suspended. */
  readonly lost: AbortSignal;
  release(): void;
}

export interface RunnerLocks {
  /** Undefined where a living process holds it. */
  take(lock: string): RunnerLock | undefined;
  /** Whether a living process holds it, on this machine or another one that shares the disk. */
  isHeld(lock: string): boolean;
  /** Ends its holder at once, where that is a process of this machine. */
  killHolder(lock: string): void;
}
