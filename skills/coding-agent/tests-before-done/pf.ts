import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type Check,
  type CodingContext,
  type Intervention,
  type KnownFile,
} from "hasp";

/** Holds for one thing that the person said. More would keep an agent that cannot do it from saying so. */
const MOST_HOLDS = 2;
const NAMED_FILES = 8;
/** Files that no test run says anything about, whatever their ending. */
const NO_CODE =
  /(?:^|\/)(?:docs?|\.github|\.vscode|\.idea)\/|(?:[-.]lock(?:\.json|\.ya?ml|b)?|go\.sum)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CODEOWNERS)[^/]*$/i;
const OUTSIDE = /^(?:\/|~|[A-Za-z]:[\\/]|\.\.\/)/;
/** Data that tests read: their expectations and examples. */
const TEST_DATA =
  /(?:^|\/)(?:tests?|specs?|__tests__|__snapshots__|__fixtures__|fixtures|testdata|e2e)\/.*\.(?:json|jsonl|ya?ml|toml|snap|xml|sql|html)$/i;

/** The kinds of files that a test command covers, by the first words that its text has. */
const COVERS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:pytest|py\.test|tox|nox|nosetests|nose2|unittest|python[\d.]*)\b|\w\.py\b/,
    /\.(?:pyi?|pyx|ipynb)$|(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|requirements[^/]*\.txt)$/i,
  ],
  [/\bcargo\b/, /\.rs$|(?:^|\/)Cargo\.toml$/i],
  [/\bgo test\b|\bgotestsum\b/, /\.(?:go|s)$|(?:^|\/)go\.mod$/i],
  [/\b(?:mvnw?|gradlew?|sbt|ant)\b/, /\.(?:java|kts?|scala|groovy|gradle)$|(?:^|\/)pom\.xml$/i],
  [/\bdotnet\b/, /\.(?:cs|fs|vb|razor|cshtml|(?:cs|fs|vb)proj|sln)$/i],
  [/\b(?:rspec|rails|rake|minitest)\b/, /\.(?:rb|rake|erb|haml|slim|ru)$|(?:^|\/)(?:Gemfile|Rakefile)$/i],
  [/\b(?:phpunit|pest|composer|artisan)\b/, /\.(?:php|phtml|twig)$|(?:^|\/)composer\.json$/i],
  [/\bmix\b/, /\.(?:exs?|[hl]?eex)$/i],
  [/\b(?:dart|flutter)\b/, /\.dart$|(?:^|\/)pubspec\.yaml$/i],
  [/\b(?:swift|xcodebuild)\b/, /\.(?:swift|m|mm|h)$/i],
  [/\b(?:terraform|tofu|terragrunt)\b/, /\.(?:tf|tfvars|hcl)$/i],
  [/\b(?:bats|shellspec)\b/, /\.(?:sh|bash|bats)$/i],
  [/\b(?:ctest|meson)\b/, /\.(?:c|h|cc|cpp|cxx|hpp)$|(?:^|\/)(?:CMakeLists\.txt|meson\.build)$/i],
  [
    /\b(?:npm|pnpm|yarn|bun|npx|bunx|node|deno|ng|vitest|jest|mocha|ava|tap|jasmine|karma|playwright|cypress)\b/,
    /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$|(?:^|\/)(?:package|tsconfig[^/]*|deno)\.json$/i,
  ],
];
/** A command that nobody knows, as `make test`, may cover any program. */
const ANY_PROGRAM =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|pyx|rs|go|java|kts?|scala|groovy|swift|mm?|cs|fs|vb|rb|php|exs?|dart|lua|zig|c|h|cc|cpp|cxx|hpp|sh|bash|ps1|pl|r|jl|hs|ml|clj|erl|nim|sql)$/i;

/** Names of files that are made to try something out, not to stay. */
const TRIED_OUT =
  /(?:^|[._-])(?:tests?|specs?|repro\w*|debug\w*|check\w*|verif\w*|demo|example|scratch|te?mp|try\w*|issue\w*|bug\w*|script|fix\w*|apply\w*|patch\w*|run\w*|sample|poc|old|bak|backup|orig|new|copy)(?=[._\d-]|$)/i;

/** Folders that hold the code of a project by their name alone. */
const SOURCES =
  /(?:^|\/)(?:src|lib|app|apps|pkg|packages|crates|internal|cmd|include|server|client|components|modules)\//;

const ABOUT_TESTS = /\btest(?:s|ing)?\b/i;
const NOT_WANTED = [
  /\b(?:don['’]?t|do not|no need to|need not|needn['’]?t|without|never)\s+(?:\w+\s+)?(?:run|running|execute|executing)\s+(?:(?:the|any|all|unit|your|our|those|these)\s+)*tests?\b/i,
  /(?<!\b(?:don['’]?t|do not|never|without)\s)\bskip(?:ping)?\s+(?:(?:running|the|all|any|unit)\s+)*tests?\b(?!\s*(?:case|files?|folders?|director(?:y|ies)|dirs?\b|path|that|which|in|on|when|if)\b)/i,
  /\bno tests?\s+(?:run\s+)?(?:is\s+|are\s+)?(?:needed|necessary|required)\b/i,
  /\bI(?:['’]ll|\s+will)\s+(?:run|do)\s+(?:(?:the|all|unit)\s+)*tests?\b/i,
];

export default class TestsBeforeDone extends ProgramFunction {
  shouldActivate(ctx: CodingContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || changedCode(ctx).length === 0) return false;
    if (isUnwanted(ctx.prompts) || /\?\s*$/.test(arg) || runsStill(ctx)) return false;
    const hasUntested = untested(ctx).length > 0;
    const hasFailed = lastTest(ctx)?.passed === false;
    if ((!hasUntested && !hasFailed) || isOwnedUp(arg, hasUntested, hasFailed)) return false;
    return ctx.memory["told"] !== stateOf(ctx) && holdsSince(ctx) < MOST_HOLDS;
  }

  intervene(ctx: CodingContext): Intervention {
    const holds = holdsSince(ctx) + 1;
    ctx.memory["told"] = stateOf(ctx);
    ctx.memory["holds"] = { prompts: ctx.prompts.length, holds };
    const last = lastTest(ctx);
    const files = untested(ctx);
    const facts = [
      files.length > 0 ? `No test run has seen the latest change of ${listed(files)}.` : "",
      last === undefined ? noneHasRun(ctx) : howItEnded(last),
      waiting(ctx).length > 0 ? "The result of a run in the background has not been read." : "",
      `The tests run with ${commandsToRun(ctx)
        .map((command) => `\`${command}\``)
        .join(" and ")}.`,
      "A report that names the tests that did not run or still fail, and why, would do as well.",
    ];
    return injectContext(
      facts.filter(Boolean).join(" "),
      files.length > 0 ? "files changed after the last test run" : "the last test run failed",
    );
  }
}

function noneHasRun({ checks }: CodingContext): string {
  return checks.some(({ kind, running }) => kind === "test" && running === undefined)
    ? "No test has run with the changes of this session."
    : "No test has run to its end in this session.";
}

/** The project's own commands, else the one that the session has used. */
function testCommands(ctx: CodingContext): string[] {
  const own = ctx.project.flatMap(({ kind, command }) => (kind === "test" ? [command] : []));
  const used = ctx.checks.findLast(({ kind, own }) => kind === "test" && own !== true)?.command;
  return own.length > 0 || used === undefined ? own : [used];
}

/** Runs in the background that the session has not seen the end of. */
function waiting({ checks, world }: CodingContext): Check[] {
  const ended = (names: readonly string[]): boolean =>
    (world.tasks ?? []).some(({ id, state }) => names.includes(id) && state !== "running");
  return checks.filter(({ kind, running }) => kind === "test" && running !== undefined && !ended(running));
}

/** The same command failed in the same words without the session's changes. */
function failedBefore({ command, failure }: Check, { checks }: CodingContext): boolean {
  return (
    failure !== undefined &&
    checks.some((other) => other.base === true && other.command === command && other.failure === failure)
  );
}

function withoutResult({ passed: _, ...check }: Check): Check {
  return check;
}

/** The agent waits for tests that the host knows to run: it has not said that it is done. */
function runsStill(ctx: CodingContext): boolean {
  const tasks = (ctx.world.tasks ?? []).filter(({ state }) => state === "running");
  return waiting(ctx).some(({ running }) => tasks.some(({ id }) => running?.includes(id)));
}

/**
 * The test runs of the session's changes that have ended, those in the background with what the host told of their end. Runs of the project as
 * it was before only tell which failures are none of the session's.
 */
function runsOf(ctx: CodingContext): Check[] {
  const open = new Set(waiting(ctx));
  return ctx.checks.flatMap((check) => {
    if (check.kind !== "test" || check.base === true || open.has(check)) return [];
    if (check.passed === false && failedBefore(check, ctx)) return [withoutResult(check)];
    const told = ctx.world.tasks?.find(({ id }) => check.running?.includes(id))?.state;
    return told === "passed" || told === "failed" ? [{ ...check, passed: told === "passed" }] : [check];
  });
}

/**
 * The session made this file, and nothing shows that it belongs to the project: it is named like a trial or a test; or no prompt has its name,
 * and it lies at the top, or in a folder that is not named for sources and where the session knows no file that was there before.
 */
function isOwn({ path, createdAt }: KnownFile, { files, prompts }: CodingContext): boolean {
  if (createdAt === undefined) return false;
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  if (TRIED_OUT.test(name)) return true;
  if (prompts.some((prompt) => prompt.includes(name))) return false;
  const folder = path.slice(0, slash + 1);
  if (folder === "" || SOURCES.test(folder)) return folder === "";
  return !files.some((file) => file.createdAt === undefined && file.path.startsWith(folder));
}

function isCovered(path: string, command: string): boolean {
  if (NO_CODE.test(path)) return false;
  // The host's own way to run tests runs whatever there is.
  if (TEST_DATA.test(path)) return true;
  return (COVERS.find(([words]) => words.test(command))?.[1] ?? ANY_PROGRAM).test(path);
}

/** Files of the project that the session changed and that its tests could tell something about. */
function changedCode(ctx: CodingContext): KnownFile[] {
  const commands = testCommands(ctx);
  return ctx.files.filter((file) => {
    const { path, editedAt } = file;
    if (editedAt === undefined || OUTSIDE.test(path)) return false;
    return commands.some((command) => isCovered(path, command)) && !isOwn(file, ctx);
  });
}

/** The latest run that said something about the file. */
function lastRunOf(path: string, ctx: CodingContext): Check | undefined {
  return runsOf(ctx).findLast(({ command }) => isCovered(path, command));
}

/** The latest run that said something about what the session changed. */
function lastTest(ctx: CodingContext): Check | undefined {
  const runs = changedCode(ctx).flatMap(({ path }) => lastRunOf(path, ctx) ?? []);
  return runs.reduce<Check | undefined>((last, run) => (run.t >= (last?.t ?? -1) ? run : last), undefined);
}

function untested(ctx: CodingContext): string[] {
  return changedCode(ctx).flatMap(({ path, editedAt = -1, sameSince = editedAt }) =>
    sameSince > (lastRunOf(path, ctx)?.t ?? -1) ? [path] : [],
  );
}

/** The commands that cover what is untested, or what the failed run was about. */
function commandsToRun(ctx: CodingContext): string[] {
  const open = untested(ctx);
  const paths = open.length > 0 ? open : changedCode(ctx).map(({ path }) => path);
  return testCommands(ctx).filter((command) => paths.some((path) => isCovered(path, command)));
}

function isUnwanted(prompts: readonly string[]): boolean {
  const latest = prompts.findLast((prompt) => ABOUT_TESTS.test(prompt));
  return latest !== undefined && NOT_WANTED.some((pattern) => pattern.test(latest));
}

/** Differs as soon as a file changes or a test runs. */
function stateOf(ctx: CodingContext): string {
  const edited = Math.max(...changedCode(ctx).map(({ editedAt = -1 }) => editedAt));
  return `${edited}/${lastTest(ctx)?.t ?? -1}`;
}

function holdsSince(ctx: CodingContext): number {
  const kept = ctx.memory["holds"];
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return 0;
  const { prompts, holds } = kept;
  return prompts === ctx.prompts.length && typeof holds === "number" ? holds : 0;
}

function howItEnded({ command, passed }: Check): string {
  const end =
    passed === undefined ? "ended in a way that its output does not tell" : passed ? "passed" : "failed";
  return `The last test run, \`${command}\`, ${end}.`;
}

function listed(paths: readonly string[]): string {
  const more = paths.length - NAMED_FILES;
  return paths.slice(0, NAMED_FILES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Characters of a report that are read, and sentences of it. */
const READ_CHARS = 12_000;
const READ_SENTENCES = 300;

const TESTS =
  /\b(?:tests?|specs?|suites?|checks?|pytest|vitest|jest|test run|it|they|them|these|those|\d+|one|some|both)\b/i;
const NOT_RUN =
  /\b(?:not|never|cannot|unable|n['’]t)\b[^.;]{0,50}?\b(?:re-?)?(?:run|ran|running|executed?|executing|started?|tested|testing|verified|verify)\b|\b(?:can|could|did|have|has|was|were)n['’]t\b[^.;]{0,50}?\b(?:re-?)?(?:run|ran|execute|executed|start|started|test|tested|verify|verified)\b|\b(?:are|is|were|was|remains?|stays?|left)\s+(?:still\s+)?untested\b|\bskipp?ed\b|\bwithout (?:re-?)?running\b|\bfailed to (?:run|start)\b/i;
/** It is no report of a run that nobody is said to need. */
const NO_NEED =
  /\bno need\b|\b(?:not|n['’]t) (?:need|have) to\b|\bneed not\b|\b(?:not|un)\s?(?:necessary|needed|required)\b|\bnot been necessary\b/i;
const FAILS =
  /\b(?:fail(?:s|ed|ing|ures?)?|broken|red|crash(?:es|ed)?|tim(?:es|ed) out|error(?:s|ed)?|(?:do|does|did|is|are)(?: not|n['’]t) (?:yet )?(?:pass(?:ing)?|green))\b/i;
const NO_FAILURE =
  /\b(?:no|none|never|without|zero|0|nothing|not|n['’]t)\b[^,;:]{0,25}?\b(?:fail\w*|errors?|broken|red)\b|\b(?:no longer|used to|(?:now|all) pass\w*|fixed|resolved)\b/i;
const SUPPOSED =
  /\b(?:if|in case|whether|should|would|might|may|unless)\b[^.]{0,40}?\b(?:tests?|it|they|any|one|anything|something)\b[^.]{0,30}?\bfail|\b(?:should|would|might|may|could)(?: \w+)? fail/i;
const ALL_WELL =
  /\b(?:all|every|the (?:whole|full|entire))\b[^.;]{0,30}?\b(?:tests?|suite)\b[^.;]{0,15}?\b(?:pass\w*|green|succeed\w*)\b/i;
const AGAIN = /\bre-?(?:run|ran|running|tested|executed|tried)\b|\bagain\b|\b(?:after|since)\b|\bstill\b/i;

/** Words with which a reason begins, or that are one. */
const CAUSE =
  /\b(?:because|since|due to|owing to|for (?:lack|want) of|caused by|as (?:there|the|it|they|no|neither|this)|so (?:it|they|the)|you (?:asked|told|said|wanted))\b|\bno (?!problems?\b|issues?\b|errors?\b|need\b|doubt\b|worr|changes?\b|longer\b|further\b|more\b|tests?\b|regress)[\w-]{3,}|\b(?:is|are|was|were)(?: not|n['’]t) (?:available|installed|found|reachable|running|supported|allowed|permitted|configured|set|there|here|on)\b|\b(?:un(?:available|reachable|supported)|missing|denied|refused|forbidden|blocked|offline|timed? out|out of (?:memory|disk|time))\b|\b(?:cannot|can['’]t|could not|couldn['’]t) (?:connect|reach|find|resolve|be (?:reached|installed|found)|install|open|load|import)\b|\b(?:needs?|requires?|lacks?|expects?|wants?|takes?) (?:an?|the|its|more|real|root|network|internet|access|credentials|\w+ (?:hours?|minutes?))\b|\bE[A-Z]{4,}\b|\b\w*(?:Error|Exception)\b|\b(?:unrelated|pre-?existing|flaky|already (?:fail|broken|red)\w*|on (?:main|master)|before (?:my|this|the) change)\b/;

/** Sentences and lines, without code blocks: what a program printed says nothing for the agent. */
function sentencesOf(report: string): string[] {
  const prose = report.slice(0, READ_CHARS).replaceAll(/```[\s\S]*?(?:```|$)/g, "\n");
  return prose
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim().slice(0, 500))
    .filter((sentence) => sentence !== "")
    .slice(0, READ_SENTENCES);
}

/**
 * The report says itself what did not run or fails, and why: the reason stands in that sentence or beside it. One that says so and
 * that all tests pass says nothing. Where a run failed, it is that failure which has to be named.
 */
function isOwnedUp(report: string, hasUntested: boolean, hasFailed: boolean): boolean {
  const sentences = sentencesOf(report);
  if (
    sentences.some((sentence) => ALL_WELL.test(sentence) && !/\b(?:not|n['’]t|except|but)\b/i.test(sentence))
  )
    return false;
  return sentences.some((sentence, i) => {
    const says =
      (hasUntested && saysNotRun(sentence, hasFailed)) || (saysFails(sentence) && (hasFailed || hasUntested));
    return (
      says && [sentence, sentences[i + 1] ?? "", sentences[i - 1] ?? ""].some((near) => CAUSE.test(near))
    );
  });
}

function saysNotRun(sentence: string, hasFailed: boolean): boolean {
  if (!TESTS.test(sentence) || !NOT_RUN.test(sentence) || NO_NEED.test(sentence)) return false;
  return !hasFailed || AGAIN.test(sentence);
}

function saysFails(sentence: string): boolean {
  if (!TESTS.test(sentence) || !FAILS.test(sentence) || SUPPOSED.test(sentence)) return false;
  return !NO_FAILURE.test(sentence) || /\bstill\b/i.test(sentence);
}
