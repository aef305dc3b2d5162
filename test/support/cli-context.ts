import { Readable, Writable } from "node:stream";
import type { CommandContext } from "../../src/cli/define-command.ts";
import type { Streams } from "../../src/cli/context.ts";
import { ownWorkers } from "../../src/cli/workers.ts";
import type { ExitCode } from "../../src/cli/terminal.ts";

/** Streams of a command line that nobody watches: `input` to its end, and what was printed. */
export function collectedStreams(input: string | Buffer = "") {
  const printed = { out: [] as Buffer[], err: [] as Buffer[] };
  const into = (pieces: Buffer[]): Writable =>
    new Writable({
      decodeStrings: true,
      write: (piece: Buffer, _encoding, done) => {
        pieces.push(piece);
        done();
      },
    });
  const streams: Streams = {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: into(printed.out),
    stderr: into(printed.err),
  };
  return {
    streams,
    out: () => Buffer.concat(printed.out).toString("utf8"),
    err: () => Buffer.concat(printed.err).toString("utf8"),
  };
}

/** The context of one command that asks no worker, what it printed, and its exit code. */
export function commandContext(words: readonly string[] = []) {
  const { streams, out, err } = collectedStreams();
  let code: ExitCode | undefined;
  const context: CommandContext = {
    words,
    streams,
    untilInterrupted: (work) => work(new AbortController().signal),
    workers: ownWorkers,
    setExit: (value) => (code = value),
  };
  return { context, out, err, code: () => code };
}
