import { joined, plainWord, type Said, type ShellWord } from "./shell-reading.ts";
import type { CommandText } from "./shell-texts.ts";

/** Switches of programs whose value is a command: of `tar`, `ssh`, `rsync` and `git`. */
const VALUE_RUNS =
  /^(?:--checkpoint-action=exec=|--to-command=|--rsh=|(?:-o\s*)?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]\s*)(.+)$/s;
const EDITORS = /^(?:vim?|nvim|ex|view|vimdiff|ed)$/;

function bash(text: ShellWord | string, via: string): CommandText {
  return { text: typeof text === "string" ? plainWord(text) : text, dialect: "bash", via };
}

/** Variables that name a program for others to start. */
const STARTED =
  /^(?:GIT_(?:SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS)|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|PROMPT_COMMAND|RSYNC_RSH)$/;

/** Texts that programs hand to a shell besides their own work: aliases of `git`, recipes of `make`, jobs of `at`. */
export function runTexts(name: string, args: readonly ShellWord[], said: Said): readonly CommandText[] {
  const started = Object.entries(said.env).flatMap(([key, value]) =>
    STARTED.test(key) && value.includes(" ") ? [bash(value, key)] : [],
  );
  return [...started, ...textsOf(name, args, said)];
}

function textsOf(name: string, args: readonly ShellWord[], said: Said): readonly CommandText[] {
  switch (name) {
    case "git":
      return ofGit(args);
    case "make":
    case "gmake":
      return ofMake(args, said.input);
    case "parallel":
      return ofParallel(args);
    case "at":
    case "batch":
      return said.input === undefined ? [] : [bash(said.input, name)];
    case "crontab":
      return ofCron(said.input);
    case "tmux":
    case "screen":
      return args.filter(({ text }) => text.includes(" ")).map((text) => bash(text, name));
    case "npx":
    case "npm":
      return args.flatMap(({ text }, i) => {
        const value = /^(?:-c|--call)$/.test(text) ? args[i + 1] : undefined;
        return value === undefined ? [] : [bash(value, `${name} -c`)];
      });
    case "sed":
      return args.flatMap(({ text }) => {
        const value = /^\d*e\s+(.+)$/s.exec(text)?.[1];
        return value === undefined ? [] : [bash(value, "sed")];
      });
    case "tclsh":
      return said.input === undefined
        ? []
        : [bash(said.input.text.replaceAll(/(^|\n)\s*exec /g, "$1"), name)];
    case "tar":
    case "ssh":
    case "rsync":
      return args.flatMap(({ text }) => valueText(text, name));
    default:
      return EDITORS.test(name) ? args.flatMap(({ text }) => ofEditor(text, name)) : [];
  }
}

function valueText(text: string, name: string): CommandText[] {
  const value = VALUE_RUNS.exec(text)?.[1];
  return value === undefined ? [] : [bash(value, name)];
}

function ofEditor(text: string, name: string): CommandText[] {
  const value = /^\+?:?(?:silent!? )?!(.+)$/s.exec(text)?.[1];
  return value === undefined ? [] : [bash(value, name)];
}

const GIT_RUNS =
  /^(?:core\.(?:editor|pager|sshCommand|fsmonitor)|sequence\.editor|diff\.external|pager\.\w+)$/i;

/** An alias that git is given, commands that it runs for each commit or module, and programs that it is told to use. */
function ofGit(args: readonly ShellWord[]): CommandText[] {
  const found: CommandText[] = [];
  const last = new Map(args.map(({ text }, i) => [text, i]));
  for (const [i, { text }] of args.entries()) {
    const next = args[i + 1]?.text ?? "";
    if (text === "-c") found.push(...ofSetting(next, i, args, last));
    else if (/^alias\./i.test(text) && last.has("config") && next.startsWith("!"))
      found.push(bash(next.slice(1), "git alias"));
    else if (text === "foreach" && args[i - 1]?.text === "submodule")
      found.push(
        bash(joined(args.slice(i + 1).filter((word) => !/^--?[a-z]+$/.test(word.text))), "git submodule"),
      );
    else if (text === "run" && args[i - 1]?.text === "bisect")
      found.push(bash(joined(args.slice(i + 1)), "git bisect"));
    else if (text === "--tree-filter" && last.has("filter-branch"))
      found.push(bash(next, "git filter-branch"));
    else if (/^(?:-x|--exec)$/.test(text) && last.has("rebase")) found.push(bash(next, "git rebase"));
  }
  return found;
}

/** What `-c alias.x='!…' x` and `-c core.pager='…'` run. */
function ofSetting(
  setting: string,
  at: number,
  args: readonly ShellWord[],
  last: ReadonlyMap<string, number>,
): CommandText[] {
  const [, key = "", value = ""] = /^([\w.-]+)=(.*)$/s.exec(setting) ?? [];
  const alias = /^alias\.(.+)$/i.exec(key)?.[1];
  if (alias === undefined) return GIT_RUNS.test(key) ? [bash(value, `git -c ${key}`)] : [];
  if (value.startsWith("!")) return [bash(value.slice(1), "git alias")];
  const used = last.get(alias) ?? -1;
  return used > at + 1 ? [bash(`git ${value} ${quoted(args.slice(used + 1))}`, "git alias")] : [];
}

/** Words as they would stand in a line. */
function quoted(words: readonly ShellWord[]): string {
  return words.map(({ text }) => `'${text.replaceAll("'", `'\\''`)}'`).join(" ");
}

/** The recipes of a makefile that it is fed, and `--eval`. */
function ofMake(args: readonly ShellWord[], input: ShellWord | undefined): CommandText[] {
  const given = args.flatMap(({ text }) => /^--eval=(.+)$/s.exec(text)?.[1] ?? []);
  const isFed = args.some(
    ({ text }, i) =>
      /^(?:-f-|-f\/dev\/stdin|--(?:make)?file=-)$/.test(text) ||
      (/^-f$/.test(text) && /^(?:-|\/dev\/stdin)$/.test(args[i + 1]?.text ?? "")),
  );
  const texts = isFed && input !== undefined ? [...given, input.text] : given;
  return texts.flatMap((text) => {
    const recipes = text.split("\n").flatMap((line) => {
      const recipe = line.startsWith("\t") ? line : /^[^:=#]*:[^;=]*;(.*)$/.exec(line)?.[1];
      return recipe === undefined ? [] : [recipe.replace(/^\s*[-@+]+/, "").replaceAll("$$", "$")];
    });
    return recipes.length === 0 ? [] : [bash(recipes.join("\n"), "make")];
  });
}

/** `parallel rm -rf {} ::: a b`. */
function ofParallel(args: readonly ShellWord[]): CommandText[] {
  const at = args.findIndex(({ text }) => /^:::\+?$/.test(text));
  const before = at === -1 ? args : args.slice(0, at);
  const start = before.findIndex(
    ({ text }, i) => !text.startsWith("-") && !/^-[jPIN]$/.test(before[i - 1]?.text ?? ""),
  );
  const values = at === -1 ? [] : args.slice(at + 1);
  if (start === -1) return values.map((text) => bash(text, "parallel"));
  const { text } = joined(before.slice(start));
  if (values.length === 0) return [bash(text, "parallel")];
  const isMarked = text.includes("{}");
  return values
    .slice(0, 20)
    .map((value) =>
      bash(isMarked ? text.replaceAll("{}", () => value.text) : `${text} ${quoted([value])}`, "parallel"),
    );
}

/** The commands of a table of `cron`, behind their times. */
function ofCron(input: ShellWord | undefined): CommandText[] {
  if (input === undefined) return [];
  const lines = input.text
    .split("\n")
    .flatMap((line) => /^\s*(?:@\w+|(?:[\d*/,-]+\s+){4}[\d*/,a-zA-Z-]+)\s+(.+)$/.exec(line)?.[1] ?? []);
  return lines.length === 0 ? [] : [bash(lines.join("\n"), "crontab")];
}
