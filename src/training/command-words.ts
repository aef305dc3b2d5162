/** A command line of `hasp` by its words, as far as a job needs to know them. */
export interface CommandWords {
  readonly name: string;
  /** Words that belong to no option. */
  readonly given: readonly string[];
  /** Values by the option's name without dashes: `questions`, `no-skills`. An option without a value has none. */
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/** Options with several values: all words up to the next option. */
const SEVERAL: ReadonlySet<string> = new Set(["skills", "pool", "episodes", "pin"]);
/** Options without a value. */
const FLAGS: ReadonlySet<string> = new Set([
  "no-skills",
  "resume",
  "prefilter",
  "estimate",
  "dry-run",
  "stop",
  "status",
  "stop-on-signal",
  "json",
]);
const SHORT: Readonly<Record<string, string>> = { "-o": "output" };

function optionOf(word: string): { readonly name: string; readonly value: string | undefined } | undefined {
  const short = SHORT[word.slice(0, 2)];
  if (short !== undefined) return { name: short, value: word.length > 2 ? word.slice(2) : undefined };
  const [, name, value] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(word) ?? [];
  return name === undefined ? undefined : { name, value };
}

/** Reads the words after `hasp`. Whether its options exist, and have the right values, is for the command itself to say. */
export function commandWords([name = "", ...words]: readonly string[]): CommandWords {
  const given: string[] = [];
  const options = new Map<string, string[]>();
  let open: string | undefined;
  for (const word of words) {
    const option = optionOf(word);
    if (option !== undefined) {
      const values = options.get(option.name) ?? [];
      if (option.value !== undefined) values.push(option.value);
      options.set(option.name, values);
      open = option.value === undefined && !FLAGS.has(option.name) ? option.name : undefined;
    } else if (open === undefined) given.push(word);
    else {
      options.get(open)?.push(word);
      if (!SEVERAL.has(open)) open = undefined;
    }
  }
  return { name, given, options };
}

/** The last value of an option. */
export const optionIn = ({ options }: CommandWords, name: string): string | undefined =>
  options.get(name)?.at(-1);

/** All values of an option. */
export const optionsIn = ({ options }: CommandWords, name: string): readonly string[] =>
  options.get(name) ?? [];
