import type { CheckKind } from "../../model/coding-context.ts";
import { withoutColours } from "./check-output.ts";

/** Characters at either end of an output that are looked at. */
const LOOKED_AT = 10_000;

/** Signs of tests that ran, whatever came of them. */
const RAN = [
  /\b[1-9]\d* (?:passed|failed|passing|failing|xfailed|xpassed|skipped|errors?|errored|pending|examples?|assertions?|specs?)\b/i,
  /\b(?:Ran|Running|Executed|executed) [1-9]\d* tests?\b/,
  /\bTests?(?: run)?:? +[1-9]/,
  /^(?:ok|not ok|FAIL|PASS)\s/m,
  /^--- (?:PASS|FAIL)/m,
  /^test result: /m,
  /\b[1-9]\d* tests? (?:completed|succeeded|passed)/i,
];
/** There was nothing to run, as the program itself says, whatever its exit code. */
const NOTHING =
  /\bcollected 0 items\b|\bno tests? (?:ran|found|to run|files? found|(?:is|are|was|were) (?:available|discovered|collected|found|run))\b|\bRan 0 tests\b|\b0 examples, 0 failures\b|\btests finished: 0 passed\b|\[no test files\]|\bfound no tests?\b/i;
/** The program, its module or its script is not there. */
const ABSENT =
  /\bcommand not found$|^(?:\S+: )?(?:(?:line )?\d+: )?\S+: not found$|^\S*python[\d.]*: No module named|\b(?:can't|cannot|could not) open (?:input )?file\b|\bMissing script:|\bCommand "?[\w:-]+"? not found|\bNo rule to make target\b|\bis not recognized as\b|^(?:ba|z|da)?sh: .{0,200}: (?:No such file or directory|Permission denied|Is a directory)$/im;
/** Words and modules with which a run of tests ends before its first test. */
const BEFORE_TESTS =
  /^usage: |\b(?:unrecognized|unknown|invalid) (?:arguments?|options?|flags?|command)\b|\bno such (?:option|command|task|target)\b|\bfile or directory not found\b|\bNo such file or directory\b|\b(?:ModuleNotFoundError|ImportError|ImproperlyConfigured|SyntaxError|IndentationError|ConnectionRefusedError)\b|\bNo module named\b|\bCannot find module\b|\bERR_MODULE_NOT_FOUND\b|\bApps aren't loaded yet\b|\bsettings are not configured\b|^Error: ENOENT\b/im;

/** unittest counts a module that it could not import as its one test. */
const NOT_IMPORTED = /\bFailed to import test module\b|\bunittest\.loader\._FailedTest\b/;
const ONE_TEST = /^Ran 1 test in /m;

/** The call was never run: the person or a rule said no, or the host could not read it. */
const NOT_EXECUTED =
  /^\s*(?:<tool_use_error>|Tool call error\b|The user (?:doesn't|does not) want to (?:proceed|take this action)|Permission to use \S{1,80} .{0,200}?has been denied|Claude requested permissions? to|This command requires approval|Please always provide EXACTLY ONE action|Command not executed\b|(?:exec )?command (?:was )?rejected by (?:the )?user|\[Request interrupted by user for tool use\])/i;
/** The command was ended before its own end. */
const KILLED =
  /\btimed out and has been killed\b|^\s*(?:Error: )?Command timed out after\b|^\s*(?:Exit code \d{1,3}\s+)?Command timed out after\b|\bCommand was (?:interrupted|aborted)\b/m;
const KILLED_CODES: ReadonlySet<number | undefined> = new Set([124, 130, 137, 143]);

function ends(text: string): string {
  const looked =
    text.length <= 2 * LOOKED_AT ? text : `${text.slice(0, LOOKED_AT)}\n${text.slice(-LOOKED_AT)}`;
  return withoutColours(looked);
}

/** The host says in place of an answer that the call did not run. */
export function wasNotExecuted(observation: string): boolean {
  return NOT_EXECUTED.test(observation.slice(0, 600));
}

/** The command was stopped before it ended by itself: its code and what is missing of its output tell nothing. */
export function wasKilled(observation: string, exitCode: number | undefined): boolean {
  return KILLED_CODES.has(exitCode) || KILLED.test(ends(observation));
}

/**
 * Whether a check began its work: a program that is not there, words it does not take, or nothing to run are no run. `succeeded`: its
 * own exit status was 0, so that only its word that there was nothing to do counts.
 */
export function hasStarted(kind: CheckKind, observation: string, succeeded: boolean): boolean {
  const text = ends(observation);
  if (kind !== "test") return succeeded || !ABSENT.test(text);
  if (NOT_IMPORTED.test(text) && ONE_TEST.test(text)) return false;
  if (!NOTHING.test(text) && (succeeded || !(ABSENT.test(text) || BEFORE_TESTS.test(text)))) return true;
  return RAN.some((pattern) => pattern.test(text));
}
