import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type Check,
  type CodingContext,
  type Intervention,
} from "hasp";

/** Holds for one thing that the person said. More would keep an agent that cannot do it from saying so. */
const MOST_HOLDS = 2;
const NAMED_FILES = 8;
/** Files that no test reads. */
const NO_CODE =
  /\.(?:md|mdx|markdown|txt|rst|adoc|log|csv|png|jpe?g|gif|svg|webp|ico|pdf|drawio)$|(?:^|\/)(?:docs?|\.github|\.vscode|\.idea)\/|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CODEOWNERS|\.gitignore|\.editorconfig)[^/]*$/i;
const OUTSIDE = /^(?:\/|~|[A-Za-z]:[\\/]|\.\.\/)/;

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
    if (testCommand(ctx) === undefined || isUnwanted(ctx.prompts) || /\?\s*$/.test(saidIn(arg))) return false;
    if (untested(ctx).length === 0 && lastTest(ctx)?.passed !== false) return false;
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
      last === undefined ? "No test has run in this session." : howItEnded(last),
      `The tests run with \`${testCommand(ctx) ?? ""}\`.`,
      "A report that names the tests that did not run or still fail, and why, would do as well.",
    ];
    return injectContext(
      facts.filter(Boolean).join(" "),
      files.length > 0 ? "files changed after the last test run" : "the last test run failed",
    );
  }
}

/** What the agent says to the person; FINAL's argument may be plain text. */
function saidIn(arg: string): string {
  return arg.trim();
}

/** Files of the project that the session changed and that tests could tell something about. */
function changedCode(ctx: CodingContext) {
  return ctx.files.filter(
    ({ path, editedAt }) => editedAt !== undefined && !NO_CODE.test(path) && !OUTSIDE.test(path),
  );
}

function lastTest(ctx: CodingContext): Check | undefined {
  return ctx.checks.findLast(({ kind }) => kind === "test");
}

function untested(ctx: CodingContext): string[] {
  const ran = lastTest(ctx)?.t ?? -1;
  return changedCode(ctx).flatMap(({ path, editedAt = -1 }) => (editedAt > ran ? [path] : []));
}

/** The project's own command, else the one that the session has used. */
function testCommand(ctx: CodingContext): string | undefined {
  return ctx.project.find(({ kind }) => kind === "test")?.command ?? lastTest(ctx)?.command;
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
