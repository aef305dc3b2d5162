import type { Readable, Writable } from "node:stream";
import type { Judging } from "../app/ports.ts";

type Input = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where a command reads and writes: the streams of the process, or of whoever calls it. */
export interface Streams {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Runs work that ends in order once its signal aborts; before and after it, an interruption ends the command at once. */
export type UntilInterrupted = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Starts the workers of a command, each with its first request. The command closes what it has started. */
export type Workers = Pick<Judging, "startHost"> & { readonly startCompiler: () => Judging["compiler"] };

/** All that a command line has of the world beside its surroundings (platform/surroundings.ts). */
export interface CliContext {
  /** The words of the command line, without the program's name. */
  readonly words: readonly string[];
  readonly streams: Streams;
  readonly untilInterrupted: UntilInterrupted;
  readonly workers: Workers;
}
