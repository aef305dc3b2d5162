/** What of a program in a command line tells which command of git it is. */
interface Call {
  readonly name: string;
  readonly args: readonly string[];
}

/** A command of git, behind git's own switches. */
interface GitCommand {
  /** `push`, `reset`, …; as written. */
  readonly command: string;
  /** The words after it. */
  readonly args: readonly string[];
  /** Where git was told to work: `-C`. */
  readonly folder?: string;
}

/** Switches of git itself that take the next word. */
const VALUED = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
  "--super-prefix",
]);

/** The command of a call of git, past git's own switches: `git -C lib push` is `push` in `lib`. Through "hasp". */
export function gitCall({ name, args }: Call): GitCommand | undefined {
  if (name.toLowerCase() !== "git") return undefined;
  let folder: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? "";
    if (!word.startsWith("-"))
      return { command: word, args: args.slice(i + 1), ...(folder === undefined ? {} : { folder }) };
    if (word === "-C") folder = args[i + 1];
    if (VALUED.has(word)) i++;
  }
  return undefined;
}
