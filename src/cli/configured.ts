import type { Command } from "commander";
import type { Streams } from "./context.ts";
import { writeError } from "./terminal.ts";

/** The command and those below it, which print to these streams and throw in place of ending the process. */
export function configured(command: Command, streams: Streams): Command {
  const { stdout, stderr } = streams;
  for (const sub of command.commands) configured(sub, streams);
  return command.exitOverride().configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => writeError(streams, text),
    getOutHelpWidth: () => (stdout.isTTY === true ? stdout.columns : undefined) ?? PLAIN_WIDTH,
    getErrHelpWidth: () => (stderr.isTTY === true ? stderr.columns : undefined) ?? PLAIN_WIDTH,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}

/** Columns of a help that no terminal shows. */
const PLAIN_WIDTH = 80;
