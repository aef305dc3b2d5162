import type { ShellCommand } from "../../model/coding-context.ts";
import { readBash } from "./bash.ts";
import { readPowerShell } from "./powershell.ts";
import { TOP, type Dialect, type Reading } from "./shell-reading.ts";

/** UTF-16 code units of a command line that are read; agents write scripts of a few thousand. */
const MAX_SOURCE = 100_000;
/** Texts within texts, as `bash -c "bash -c …"`: deeper than any person goes. */
const MAX_DEPTH = 12;

/**
 * The programs that a command line could run, wherever they stand in it: pipes, lists, subshells, substitutions, functions, branches,
 * loops, and the texts that shells, `eval` and `ssh` are given. Quoted text, comments and heredocs that are data hold none. Never
 * throws; what could not be read is in `errors`, in words for a person.
 */
export function parseShell(source: string, dialect: Dialect): ShellCommand {
  const reading: Reading = {
    calls: [],
    errors: new Set(),
    readText(text, inner, scope) {
      if (scope.depth >= MAX_DEPTH) {
        reading.errors.add(`Commands within commands, ${MAX_DEPTH} deep: what is deeper was not read.`);
        return [];
      }
      const done = new Set([...scope.done, ...text.substitutions]);
      return READERS[inner](text.text, { ...scope, depth: scope.depth + 1, ranged: false, done }, reading);
    },
  };
  if (source.length > MAX_SOURCE)
    reading.errors.add(`Longer than ${MAX_SOURCE} characters: only the beginning was read.`);
  READERS[dialect](source.slice(0, MAX_SOURCE), TOP, reading);
  return { source, dialect, calls: reading.calls, errors: [...reading.errors] };
}

const READERS = { bash: readBash, powershell: readPowerShell } as const;
