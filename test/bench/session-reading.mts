/**
 * An independent reading of a recorded session for the bench: it looks at the whole session, ahead and back, by the words of its commands
 * and outputs. It shares nothing with the code that it measures, so that agreement means something.
 */
import type { Episode, Step } from "../../src/model/episode.ts";

/** What a person who reads the whole session would say of its end. Steps are 0-based. */
export interface SessionReading {
  /** Steps that changed existing source files of the project, with the files. */
  readonly edits: readonly { readonly t: number; readonly paths: readonly string[] }[];
  /** Test runs that really ran. */
  readonly runs: readonly TestRun[];
  /** Runs of tests that could not start. */
  readonly broken: readonly number[];
  /** Files that the session made itself. */
  readonly made: ReadonlySet<string>;
  /** The latest change has not been tested. */
  readonly untested: boolean;
  /** The latest test run failed. */
  readonly failing: boolean;
  /** The same command failed three times with the same output. */
  readonly repeatsFailure: boolean;
}

interface TestRun {
  readonly t: number;
  readonly failed: boolean;
}

const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|pyx|rs|go|java|kts?|scala|swift|cs|rb|php|exs?|dart|c|h|cc|cpp|cxx|hpp|sh|lua|pl|r|jl|hs|sql)$/i;
const NO_SOURCE =
  /^(?:\/tmp|\/var|\/dev|\/proc|~)|(?:^|\/)(?:docs?|doc|\.github|node_modules|site-packages)\//;
/** Words that look like files. */
const FILE = /(?:\.{0,2}\/)?[\w.@+-]+(?:\/[\w.@+-]+)*\.\w{1,6}\b/g;

const RUNS_TESTS =
  /(?:^|[\s;&|(/])(?:pytest|py\.test|tox|nox|nosetests|trial|unittest|runtests(?:\.py)?|bin\/(?:test|doctest)|(?:run_?)?tests?\.sh|manage\.py\s+test|django\s+test|setup\.py\s+test|vitest|jest|mocha|rspec|phpunit|ctest|go\s+test|cargo\s+(?:test|nextest)|dotnet\s+test|mix\s+test|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?test\S*|make\s+\S*(?:check|test)\S*|(?:\.\/)?gradlew?\s[^|;&]*(?:test|check)|mvnw?\s[^|;&]*(?:test|verify)|node\s+--test|scripts\/test\S*)(?=$|[\s;&|):])|sympy\.(?:test|doctest)\(|pytest\.main\(/;
/** A script that is named for tests, run by itself: one that the session made is no test of the project. */
const TEST_SCRIPT = /\bpython[\d.]*\s+(?:-\w+\s+)*((?:[\w.-]+\/)*(?:test_\w+|\w+_tests?|tests?)\.py)\b/;
const RAN =
  /\b[1-9]\d* (?:passed|failed|passing|failing|xfailed|errors?|tests? completed)\b|\bRan [1-9]\d* tests?\b|^=+ tests finished: [1-9]|\btests? passed\b|^ok\s+\S+\s|^test result: |^--- (?:FAIL|PASS)|\bTests run: [1-9]|\bBUILD (?:SUCCESS|FAIL)/im;
const NOT_RUN =
  /No module named|command not found|ModuleNotFoundError|ImportError|No such file or directory|can't open file|^usage:|\busage: |unrecognized arguments|collected 0 items|no tests ran|Ran 0 tests|file or directory not found|Permission denied|SyntaxError|ImproperlyConfigured|: not found$|Missing script|RuntimeError: Model class|Cannot find module|tests finished: 0/im;
const FAILED =
  /\b[1-9]\d* (?:failed|failing|errors?)\b[^\n]*(?:in [\d.]+|$)|^FAILED \(|^FAIL\b|^--- FAIL|tests finished:[^\n]*(?:failed|exceptions)|DO \*NOT\* COMMIT|test result: FAILED|BUILD FAIL/im;

interface Said {
  readonly t: number;
  readonly type: string;
  readonly command: string;
  readonly path: string | undefined;
  readonly text: string;
  readonly output: string;
  readonly code: number | undefined;
  readonly ok: boolean;
}

function saidIn({ t, executed, observation, result }: Step): Said {
  let input: Record<string, unknown> = {};
  try {
    const read: unknown = JSON.parse(executed.arg);
    if (typeof read === "object" && read !== null) input = { ...read };
  } catch {
    // The argument of a FINAL is a text.
  }
  const texts = Object.values(input).filter((value) => typeof value === "string");
  const ok =
    result?.ok ??
    (result?.exitCode === undefined
      ? !/^\s*<?(?:tool_use_)?error/i.test(observation)
      : result.exitCode === 0);
  return {
    t,
    type: executed.type,
    command: typeof input["command"] === "string" ? input["command"] : "",
    path: typeof input["path"] === "string" ? plain(input["path"]) : undefined,
    text: texts.join("\n"),
    output: observation.replaceAll(COLOUR, ""),
    code: result?.exitCode,
    ok,
  };
}

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

const plain = (path: string): string => path.replace(/^\/testbed\//, "").replace(/^(?:\.\/)+/, "");
const filesIn = (text: string): string[] => Array.from(text.matchAll(FILE), ([file]) => plain(file));

/** Text that writes files from a program. */
const WRITES =
  /open\([^)\n]*["'](?:w|a|r\+|wb|w\+)["']|\.write(?:lines|_text|FileSync)?\(|fileinput|perl\s+-\w*i|sed\s+(?:-\S+\s+)*-\w*i|writeFile/;

/** Files that a command line writes, by its words alone. */
function writtenBy(command: string, scripts: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  // The text of a here-document is data, unless an interpreter reads it.
  const bare = command.replaceAll(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?\n\s*\2(?=\n|$)/g, "$3");
  for (const [, file] of bare.matchAll(/(?:^|[^>&\d=-])>{1,2}\s*(["']?[\w./@+-]+)/g))
    found.push(plain((file ?? "").replace(/["']/, "")));
  for (const [, list] of bare.matchAll(/\btee\s+(?:-a\s+)?([^|;&\n]+)/g)) found.push(...filesIn(list ?? ""));
  for (const [line] of bare.matchAll(/\b(?:sed|perl)\s[^\n]*?-\w*i[^\n]*/g))
    found.push(...filesIn(line.split(/&&|;\s/)[0] ?? line));
  for (const [, line] of bare.matchAll(/(?:^|[;&|\n]\s*)(?:mv|cp)\s+([^;&|\n]+)/g))
    found.push(...filesIn(line ?? "").slice(-1));
  if (/\b(?:python|node|perl|ruby)[\d.]*\b/.test(command) && WRITES.test(command))
    found.push(...filesIn(command));
  if (/\bpatch\s|git\s+apply/.test(bare)) {
    found.push(...Array.from(command.matchAll(/^\+\+\+ (?:b\/)?(\S+)/gm), ([, file]) => plain(file ?? "")));
    for (const [name, text] of scripts)
      if (bare.includes(name))
        found.push(...Array.from(text.matchAll(/^\+\+\+ (?:b\/)?(\S+)/gm), ([, file]) => plain(file ?? "")));
  }
  for (const [, script] of bare.matchAll(
    /\b(?:python|node|bash|sh|perl|ruby)[\d.]*\s+(?:-\w\s+)*([\w./-]+)/g,
  )) {
    const text = scripts.get(plain(script ?? ""));
    if (text !== undefined && WRITES.test(text)) found.push(...filesIn(text));
  }
  return found;
}

/** Existing files of a diff, and those that it makes. */
function diffFiles(text: string): { readonly changed: string[]; readonly made: string[] } {
  const changed: string[] = [];
  const made: string[] = [];
  for (const part of text.split(/^diff --git /m).slice(1)) {
    const file = /^a\/(\S+) b\//.exec(part)?.[1];
    if (file !== undefined) (/^new file mode/m.test(part.slice(0, 300)) ? made : changed).push(file);
  }
  return { changed, made };
}

const normalOutput = (text: string): string =>
  text.replaceAll(/\b\d+\.\d+\s?(?:s|ms|seconds)\b|0x[\da-f]+|\bpid \d+|\d{2}:\d{2}:\d{2}/gi, "#").trim();

function repeatsFailure(all: readonly Said[]): boolean {
  const seen = new Map<string, number>();
  for (const { command, output, ok } of all) {
    if (command === "" || ok) continue;
    const key = `${command.trim()}\n${normalOutput(output)}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return [...seen.values()].some((times) => times >= 3);
}

export function readSession(episode: Episode): SessionReading {
  const all = episode.steps.filter(({ executed }) => executed.type !== "invalid").map(saidIn);
  const whole = diffFiles(all.at(-1)?.type === "FINAL" ? (all.at(-1)?.output ?? "") : "");
  const hasDiff = whole.changed.length + whole.made.length > 0;
  const made = new Set(whole.made);
  const known = new Set(whole.changed);
  const scripts = new Map<string, string>();
  const touched = new Map<number, string[]>();
  const runs: TestRun[] = [];
  const broken: number[] = [];
  let before = "";
  for (const said of all) {
    const { t, type, command, path, output, ok } = said;
    const written = command === "" ? [] : writtenBy(command, scripts);
    if (path !== undefined && /^(?:Write|Edit|MultiEdit|NotebookEdit)$/.test(type)) written.push(path);
    if (type === "MultiEdit" || type === "Patch")
      written.push(...filesIn(said.text).filter((file) => known.has(file) || before.includes(file)));
    for (const file of new Set(written)) {
      const base = file.split("/").at(-1) ?? file;
      const isNew =
        /created successfully|^File created/m.test(output) ||
        (!known.has(file) && !before.includes(base) && type !== "Edit" && type !== "MultiEdit");
      if (isNew && !known.has(file)) made.add(file);
      if (path !== undefined || command.includes("<<")) scripts.set(file, said.text);
    }
    const real = written.filter(
      (file) =>
        SOURCE.test(file) && !NO_SOURCE.test(file) && !made.has(file) && (!hasDiff || known.has(file)),
    );
    const isUndo = /\bgit\s+(?:checkout|restore|reset|stash)\b/.test(command);
    if (real.length > 0 && (ok || /&&|;|\n/.test(command))) touched.set(t, [...new Set(real)]);
    const script = TEST_SCRIPT.exec(stripped(command))?.[1];
    const isScript = script !== undefined && !made.has(plain(script));
    if (RUNS_TESTS.test(stripped(command)) || isScript || type === "RunTests") {
      const isWell = said.code === undefined ? ok : said.code === 0;
      const starts = !NOT_RUN.test(output) && (isWell ? !isEmpty(output) : (said.code ?? 1) < 126);
      const failed = FAILED.test(output) || (!isWell && !command.includes("|"));
      if (RAN.test(output) || starts) runs.push({ t, failed });
      else broken.push(t);
    }
    if (isUndo && !hasDiff)
      for (const [at, files] of touched)
        if (files.every((file) => command.includes(file))) touched.delete(at);
    before += `\n${command}\n${output}`;
  }
  const edits = [...touched].map(([t, paths]) => ({ t, paths }));
  const lastEdit = edits.at(-1)?.t ?? -1;
  const lastRun = runs.at(-1);
  return {
    edits,
    runs,
    broken,
    made,
    untested: lastEdit > (lastRun?.t ?? -1),
    failing: lastEdit >= 0 && lastRun?.failed === true,
    repeatsFailure: repeatsFailure(all),
  };
}

const isEmpty = (output: string): boolean =>
  output.replaceAll(/<\/?(?:returncode|output)>|\d/g, "").trim() === "";

/** A command line without its quoted texts and here-documents, which only speak of tests. */
function stripped(command: string): string {
  return command
    .replaceAll(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?\n\s*\2(?=\n|$)/g, "$3")
    .replaceAll(/\b(?:grep|rg|echo|ls|cat|sed|find|git|head|tail|rm|nl|cp|mv|touch|mkdir)\b[^\n;&|]*/g, "");
}
