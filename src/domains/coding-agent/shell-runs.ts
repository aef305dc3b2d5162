import { joined, plainWord, type Said, type ShellWord } from "./shell-reading.ts";
import type { CommandText } from "./shell-texts.ts";

/** Switches of programs whose value is a command: of `tar`, `ssh`, `rsync` and `git`. */
const VALUE_RUNS =
  /^(?:--checkpoint-action=exec=|--to-command=|--rsh=|(?:-o\s*)?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]\s*)(.+)$/s;
const EDITORS = /^(?:vim?|nvim|ex|view|vimdiff|ed)$/;

function bash(text: ShellWord | string, via: string): CommandText {
  return { text: typeof text === "string" ? plainWord(text) : text, dialect: "bash", via };
}

/** Texts that programs hand to a shell besides their own work: aliases of `git`, recipes of `make`, jobs of `at`. */
export function runTexts(name: string, args: readonly ShellWord[], said: Said): readonly CommandText[] {
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
  for (const [i, { text }] of args.entries()) {
    const [, key = "", value = ""] =
      (text === "-c" ? /^([\w.-]+)=(.*)$/s.exec(args[i + 1]?.text ?? "") : null) ?? [];
    const alias = /^alias\.(.+)$/i.exec(key)?.[1];
    const at = args.findIndex((word, j) => j > i + 1 && word.text === alias);
    if (value.startsWith("!")) found.push(bash(value.slice(1), "git alias"));
    else if (alias !== undefined && at !== -1)
      found.push(bash(`git ${value} ${quoted(args.slice(at + 1))}`, "git alias"));
    else if (GIT_RUNS.test(key)) found.push(bash(value, `git -c ${key}`));
    const isDefined = /^alias\./i.test(text) && args.some((word) => word.text === "config");
    const defined = isDefined ? args[i + 1]?.text : undefined;
    if (defined?.startsWith("!") === true) found.push(bash(defined.slice(1), "git alias"));
    if (text === "foreach" && args[i - 1]?.text === "submodule")
      found.push(
        bash(joined(args.slice(i + 1).filter((word) => !/^--?[a-z]+$/.test(word.text))), "git submodule"),
      );
    if (text === "run" && args[i - 1]?.text === "bisect")
      found.push(bash(joined(args.slice(i + 1)), "git bisect"));
    if (/^(?:-x|--exec)$/.test(text) && args.some((word) => word.text === "rebase"))
      found.push(bash(args[i + 1]?.text ?? "", "git rebase"));
  }
  return found;
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
