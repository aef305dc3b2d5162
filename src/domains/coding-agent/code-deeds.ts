import { tokensOf, type CodeLanguage, type CodeToken } from "./code-tokens.ts";
import {
  peek,
  readArguments,
  readValue,
  type CodeReader,
  type CodeText,
  type CodeValue,
} from "./code-values.ts";
import { plainWord, type ShellWord } from "./shell-reading.ts";

/** What a program's text does by itself, in words of a shell: the words of one command, or a text that it hands to a shell. */
export interface CodeDeed {
  readonly words: readonly ShellWord[];
  readonly text?: ShellWord;
}

/** Characters of a program that are read, and texts within texts. */
const MAX_CODE = 100_000;
const MAX_NESTED = 3;

const REMOVES_ALL =
  /(?:^|[.:>])(?:rmtree|remove_tree|rm_rf|rm_r|rm_rf!|remove_dir|remove_entry|remove_entry_secure|rimraf|rimrafSync|removeSync|emptyDirSync|emptyDir|deltree)$|^rimraf\.(?:sync|native)$/;
/** Of these, a switch says whether they go below a folder. */
const MAY_REMOVE_ALL =
  /^(?:fs|fsp|fse|fsPromises|promises|Deno|fs\.promises|fs\.rm)?\.?(?:rmSync|rmdirSync|rm|rmdir|remove|removeSync)$/;
const REMOVES_ONE =
  /(?:^|[.:>])(?:unlink|unlinkSync|removedirs)$|^(?:os\.remove|File\.delete|FileUtils\.rm|FileUtils\.rm_f)$/;
const MOVES = /(?:^|\.)(?:move|renameSync|rename)$/;
const RUNS_TEXT =
  /^(?:os\.system|os\.popen|system|Kernel\.system|shell_exec|passthru|popen|proc_open|IO\.popen|os\.execute|io\.popen|getoutput|\$|Bun\.\$|shell|script)$|(?:^|\.)(?:execSync|getoutput|getstatusoutput|create_subprocess_shell|capture2e?|capture3)$/;
const RUNS =
  /(?:^|\.)(?:spawn|spawnSync|execFile|execFileSync|check_call|check_output|Popen)$|^(?:subprocess|sp)\.(?:run|call)$/;
const EXECUTES =
  /^(?:exec|child_process\.exec|cp\.exec|Kernel\.exec|os\.exec[lv]p?e?|os\.spawn[lv]p?e?|os\.posix_spawnp?)$/;
const EVALUATES = /^(?:exec|eval|Function|vm\.runInThisContext|instance_eval|class_eval)$/;
const READS =
  /(?:^|\.)(?:readFileSync|readFile|file_get_contents|readlines)$|^(?:open|io\.open|File\.(?:open|read)|IO\.read|codecs\.open)$/;
const WRITES =
  /(?:^|\.)(?:writeFileSync|writeFile|appendFileSync|file_put_contents)$|^(?:File\.write|IO\.write)$/;

/** What the text of a one-liner or a script in Python, JavaScript, Perl, Ruby or PHP removes, reads, writes and runs, as far as it says so. */
export function deedsOf(code: string, language: CodeLanguage, nested = 0): CodeDeed[] {
  const reader: CodeReader = {
    tokens: tokensOf(code.slice(0, MAX_CODE), language),
    at: 0,
    vars: new Map(),
    depth: 0,
  };
  const deeds: CodeDeed[] = [];
  readLoops(reader);
  const names = renamesIn(reader.tokens);
  for (let i = 0; i < reader.tokens.length; i++) {
    const token = reader.tokens[i];
    reader.at = i + 1;
    if (token?.kind === "string" && language === "other" && peek(reader) === "|")
      deeds.push({ words: [], text: wordOf({ text: token.text, isOpen: token.isOpen === true }) });
    else if (token?.kind === "command")
      deeds.push({ words: [], text: wordOf({ text: token.text, isOpen: token.isOpen === true }) });
    else if (token?.kind !== "name") continue;
    else if (isAssigned(reader)) assign(reader, token.text);
    else if (/^(?:in|of)$/.test(token.text)) continue;
    else deeds.push(...deedAt(reader, { ...token, text: renamed(token.text, names) }, i, language, nested));
  }
  return deeds;
}

/** Other names that a program gives to what it uses: `{execSync: e}`, `import os as o`. */
function renamesIn(tokens: readonly CodeToken[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (let i = 1; i + 1 < tokens.length; i++) {
    const [before, mark, after] = [tokens[i - 1], tokens[i], tokens[i + 1]];
    if (before?.kind !== "name" || after?.kind !== "name" || mark?.kind === "string") continue;
    const isRenamed = mark?.text === "as" || (mark?.text === ":" && RENAMED.test(before.text));
    if (isRenamed) names.set(after.text, before.text);
  }
  return names;
}
const RENAMED =
  /^(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|rm|rmSync|unlink|unlinkSync|rmdirSync)$/;

const renamed = (name: string, names: ReadonlyMap<string, string>): string =>
  names.size === 0 ? name : name.replace(/^\w+/, (first) => names.get(first) ?? first);

function isAssigned(reader: CodeReader): boolean {
  return peek(reader) === "=" && !/^[=~>]$/.test(peek(reader, 1));
}

function assign(reader: CodeReader, name: string): void {
  reader.at++;
  reader.vars.set(name, readValue(reader));
}

/** The variables of loops, first of all: in `[f(p) for p in …]` and `for p in walk(…)` they stand before or behind what they are used for. */
function readLoops(reader: CodeReader): void {
  const { tokens } = reader;
  const isChoosy = tokens.some(({ kind, text }) => kind === "name" && CHOOSES.test(text));
  for (let i = 1; i < tokens.length; i++) {
    if (tokens[i]?.kind !== "name") continue;
    const word = tokens[i]?.text ?? "";
    if (word === "in" || word === "of") {
      reader.at = i + 1;
      const value = isChoosy ? undefined : (listedAt(reader) ?? readAt(reader, i + 1));
      for (let j = i - 1; j >= 0 && j > i - 6 && tokens[j]?.text !== "for" && tokens[j]?.text !== "("; j--)
        if (tokens[j]?.kind === "name" && value !== undefined) reader.vars.set(tokens[j]?.text ?? "", value);
    } else if (/^(?:each|forEach|map)$/.test(word) && !isChoosy) readEach(reader, i);
  }
}

/** Words by which a program chooses among the files that it goes through. */
const CHOOSES =
  /^(?:if|unless|filter|select|reject|next|continue|(?:\w+\.)*(?:endswith|startswith|endsWith|startsWith|match|fnmatch|suffix|name|test))$/;
const LISTS = /(?:^|\.)(?:walk|scandir|listdir|iterdir|readdirSync|readdir|children|each_child|entries)$/;

function readAt(reader: CodeReader, at: number): CodeValue {
  reader.at = at;
  return readValue(reader);
}

/** The folder that a loop goes through: `os.walk('/')`, `Path.home().iterdir()`. */
function listedAt(reader: CodeReader): CodeValue {
  const { tokens } = reader;
  const start = reader.at;
  if (LISTS.test(tokens[start]?.text ?? "") && peek(reader, 1) === "(") {
    reader.at = start + 1;
    return folder(readArguments(reader)[0]);
  }
  for (let i = start; i < Math.min(tokens.length, start + 12); i++) {
    if (
      tokens[i]?.kind !== "name" ||
      !/^(?:iterdir|rglob|glob)$/.test(tokens[i]?.text ?? "") ||
      tokens[i - 1]?.text !== "."
    )
      continue;
    reader.at = i + 1;
    const [pattern] = tokens[i]?.text === "iterdir" ? [undefined] : readArguments(reader);
    if (pattern !== undefined && pattern[0]?.text !== "*") return undefined;
    const until: CodeReader = { ...reader, tokens: tokens.slice(start, i - 1), at: 0 };
    return folder(readValue(until));
  }
  return undefined;
}

const folder = (value: CodeValue): CodeValue =>
  value?.length === 1 && value[0] !== undefined
    ? [{ ...value[0], text: `${value[0].text.replace(/\/+$/, "")}/*` }]
    : undefined;

/** The value whose method the name at `at` is: `Pathname.new("/x")` of `Pathname.new("/x").rmtree`. */
function valueBefore(reader: CodeReader, at: number): CodeValue {
  const { tokens } = reader;
  let start = at - 1;
  while (start > 0 && start > at - 12 && !/^(?:\n|;|=|\{|\[)$/.test(tokens[start - 1]?.text ?? "")) start--;
  return readValue({ ...reader, tokens: tokens.slice(start, at - 1), at: 0 });
}

/** `Dir.glob("/*").each { |f| … }`, `['/etc'].forEach(f => …)`. */
function readEach(reader: CodeReader, at: number): void {
  const { tokens } = reader;
  const name = tokens.slice(at + 1, at + 5).find(({ kind }) => kind === "name")?.text;
  const value = valueBefore(reader, at);
  if (name !== undefined && value !== undefined) reader.vars.set(name, value);
}

function deedAt(
  reader: CodeReader,
  { text: name }: CodeToken,
  at: number,
  language: CodeLanguage,
  nested: number,
): CodeDeed[] {
  const isMethod = peek(reader, -2) === "." && at > 0;
  const isCalled =
    peek(reader) === "(" ||
    reader.tokens[at + 1]?.kind === "string" ||
    /^(?:glob|Dir|File|ENV|\$ENV|decode_base64|Base64)/.test(peek(reader));
  if (isMethod && /^(?:rmtree|unlink)$/.test(name)) {
    const removedOne = removed([valueBefore(reader, at)], name === "rmtree");
    if (removedOne.length > 0) return removedOne;
  }
  if (!isCalled) return [];
  const bare = name.split(/\.|::|->/).at(-1) ?? name;
  const [, own = ""] = /^(\w+)\.(?:unlink|rmtree)$/.exec(name) ?? [];
  if (reader.vars.has(own)) return removed([reader.vars.get(own)], bare === "rmtree");
  if (REMOVES_ALL.test(name)) return removed(valuesAt(reader), true);
  if (MAY_REMOVE_ALL.test(name) && (name.includes(".") || isMethod || name.endsWith("Sync")))
    return removed(valuesAt(reader), saysRecursive(reader, at));
  if (REMOVES_ONE.test(name)) return removed(valuesAt(reader), false);
  if (RUNS_TEXT.test(name) || (isMethod && RUNS_TEXT.test(bare)) || RUNS.test(name))
    return ran(valuesAt(reader), false);
  if (EXECUTES.test(name) || (isMethod && bare === "exec" && peek(reader, -3) === ")")) {
    const start = reader.at;
    const values = valuesAt(reader);
    reader.at = start;
    return [...ran(values, /^os\.(?:exec|spawn)l/.test(name)), ...evaluated(values, name, language, nested)];
  }
  if (EVALUATES.test(name)) return evaluated(valuesAt(reader), name, language, nested);
  if (MOVES.test(name)) return moved(valuesAt(reader));
  if (READS.test(name)) return opened(valuesAt(reader));
  return WRITES.test(name) ? written(valuesAt(reader)[0]) : [];
}

/** The arguments behind a name, in brackets or without. */
function valuesAt(reader: CodeReader): CodeValue[] {
  if (peek(reader) === "(") return readArguments(reader);
  const values: CodeValue[] = [];
  do {
    values.push(readValue(reader));
  } while (peek(reader) === "," && reader.at++ < reader.tokens.length && values.length < 20);
  return values;
}

/** `{recursive: true}` within the call whose name stands at `at`; the reader has passed it. */
function saysRecursive({ tokens, at: end }: CodeReader, at: number): boolean {
  return tokens.slice(at, Math.min(end, at + 60)).some(({ text }) => text === "recursive");
}

function wordOf({ text, isOpen }: CodeText): ShellWord {
  return isOpen ? { text, literal: false, substitutions: [], known: "" } : plainWord(text);
}

function words(...texts: string[]): ShellWord[] {
  return texts.map(plainWord);
}

function removed(values: readonly CodeValue[], isDeep: boolean): CodeDeed[] {
  const paths = values[0]?.map(wordOf) ?? [];
  return paths.length === 0 ? [] : [{ words: [...words("rm", isDeep ? "-rf" : "-f", "--"), ...paths] }];
}

function moved([from, to]: readonly CodeValue[]): CodeDeed[] {
  return from?.length === 1 && to?.length === 1
    ? [{ words: [...words("mv", "--"), ...[...from, ...to].map(wordOf)] }]
    : [];
}

/** A text for a shell, or the words of one command: `("rm -rf x")`, `(["rm", "x"])`, `("rm", ["x"])`, `("rm", "x")`. */
function ran(values: readonly CodeValue[], isNamedTwice: boolean): CodeDeed[] {
  const [first, ...rest] = values;
  if (first === undefined || first.length === 0) return [];
  const more = rest.flatMap((value) => value ?? []);
  const all = [...first, ...more].map(wordOf);
  const isText = first.length === 1 && (more.length === 0 || /\s/.test(first[0]?.text ?? ""));
  if (isText && all[0] !== undefined) return [{ words: [], text: all[0] }];
  return [{ words: isNamedTwice ? all.slice(1) : all }];
}

function evaluated(
  values: readonly CodeValue[],
  name: string,
  language: CodeLanguage,
  nested: number,
): CodeDeed[] {
  const code = values[0]?.[0];
  const isCode = EVALUATES.test(name) && code !== undefined && nested < MAX_NESTED;
  return isCode ? deedsOf(code.text, language, nested + 1) : [];
}

function opened([file, mode]: readonly CodeValue[]): CodeDeed[] {
  const how = mode?.[0]?.text ?? "r";
  if (/^[rwaxb+t]{1,3}$/.test(how) && /[wax+]/.test(how)) return written(file);
  const path = file?.length === 1 ? file[0] : undefined;
  return path === undefined || path.isOpen ? [] : [{ words: words("cat", "--", path.text) }];
}

function written(file: CodeValue): CodeDeed[] {
  const path = file?.length === 1 ? file[0] : undefined;
  return path === undefined || path.isOpen ? [] : [{ words: words("tee", "--", path.text) }];
}

const LANGUAGES: readonly (readonly [RegExp, CodeLanguage])[] = [
  [/^(?:python[\d.]*|py|pypy3?)$/, "python"],
  [/^(?:node|nodejs|deno|bun|tsx|ts-node|osascript)$/, "js"],
  [/^perl[\d.]*$/, "perl"],
  [/^j?ruby[\d.]*$/, "ruby"],
  [/^php[\d.]*$/, "php"],
  [/^(?:lua[\d.]*|[gmn]?awk)$/, "other"],
];

/** The language that a program runs; undefined where it is no interpreter. */
export function languageOf(name: string): CodeLanguage | undefined {
  return LANGUAGES.find(([pattern]) => pattern.test(name))?.[1];
}

/** The texts that an interpreter takes for a program: behind `-c`, `-e` and their like, or what it is fed. */
export function programTexts(
  name: string,
  args: readonly ShellWord[],
  input: ShellWord | undefined,
  fileText: (path: string) => ShellWord | undefined,
): readonly ShellWord[] {
  if (name.endsWith("awk")) return args.filter(({ text }) => text.includes("system") || text.includes("|"));
  const isEval = name === "deno" && args[0]?.text === "eval";
  const at = isEval ? 0 : args.findIndex(({ text }) => CODE_SWITCHES[languageOf(name) ?? "other"].test(text));
  if (at !== -1) return args[at + 1] === undefined ? [] : args.slice(at + 1, at + 2);
  const script = args.find(({ text }) => !/^-./.test(text));
  if (script === undefined || script.text === "-" || script.text === "/dev/stdin")
    return input === undefined ? [] : [input];
  const file = script.says ?? fileText(script.text);
  return file === undefined ? [] : [file];
}

const CODE_SWITCHES: Readonly<Record<CodeLanguage, RegExp>> = {
  python: /^-[a-zA-Z]*c$/,
  js: /^(?:-e|--eval|-p|--print|-pe|-l)$/,
  perl: /^-[a-zA-Z0-9]*[eE]$/,
  ruby: /^-[a-zA-Z0-9]*e$/,
  php: /^(?:-r|--run)$/,
  other: /^-e$/,
};
