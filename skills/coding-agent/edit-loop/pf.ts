import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Check,
  type CheckKind,
  type CodingContext,
  type Intervention,
} from "hasp";

/** Changes with a failing check after each. */
const ROUNDS = 4;
/** Failures of one command, or runs of one call, in a row. */
const REPEATS = 3;
/** The same submission, after each of which the task went on. */
const SUBMISSIONS = 2;
/** Characters of an argument that the history keeps as they are. */
const KEPT_ARG = 1_000;
/** So many more, and it speaks again. */
const AGAIN = 3;

const EDITS = new Set(["Edit", "MultiEdit", "Patch", "Write"]);
const SAME_ANSWER = new Set([
  "Read",
  "Grep",
  "Glob",
  "List",
  "WebFetch",
  "WebSearch",
  "Edit",
  "MultiEdit",
  "Patch",
  "Write",
]);
/** Programs that are asked again until something else is ready. */
const WAITS = new Set(
  "sleep curl wget ping nc ssh docker podman kubectl gh glab aws gcloud az wait watch tail pg_isready lsof ps pgrep ss netstat inotifywait squeue".split(
    " ",
  ),
);

/** One way in which the session goes round. */
interface Circle {
  /** Under what it is remembered. */
  readonly key: string;
  readonly rounds: number;
  readonly text: string;
  readonly reason: string;
}

export default class EditLoop extends ProgramFunction {
  override maxFires = 6;

  shouldActivate(ctx: CodingContext, actionType: ActionType, arg: string): boolean {
    return newCircle(ctx, actionType, arg) !== undefined;
  }

  intervene(ctx: CodingContext, actionType: ActionType, arg: string): Intervention {
    const circle = newCircle(ctx, actionType, arg);
    if (circle === undefined) return noop("nothing goes round in circles here");
    ctx.memory[circle.key] = circle.rounds;
    return injectContext(circle.text, circle.reason);
  }
}

/** The first circle that has not been spoken of, or has gone on for some rounds since. */
function newCircle(ctx: CodingContext, actionType: ActionType, arg: string): Circle | undefined {
  const rejected = rejectedEdits(ctx, arg);
  const repeated = rejected.length > 0 ? rejected : sameCall(ctx);
  const submitted = actionType === "FINAL" ? sameSubmission(ctx, arg) : [];
  const failed = actionType === "FINAL" ? [] : sameFailure(ctx);
  return [...sameFile(ctx), ...sameCommand(ctx), ...repeated, ...submitted, ...failed].find(
    ({ key, rounds }) => {
      const told = ctx.memory[key];
      // A smaller number than was told means a new circle.
      return typeof told !== "number" || rounds < told || rounds >= told + AGAIN;
    },
  );
}

function sameFile(ctx: CodingContext): Circle[] {
  const paths = new Set(ctx.changes.map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const { rounds, check } = failedRounds(path, ctx);
    if (rounds < ROUNDS || check === undefined) return [];
    return [
      {
        key: `file ${path}`,
        rounds,
        text: `${path} has been changed ${rounds} times in this session, and after each change \`${check.command}\` failed; it has not passed in between. ${WAYS_OUT}`,
        reason: `${rounds} changes of one file, each with a failing check after it`,
      },
    ];
  });
}

const WAYS_OUT =
  "What often helps at this point: the whole output of the last failure, `git diff` of what the tries add up to, and one assumption tested by itself.";

/** Changes of the file after which a check of one kind failed, since one of that kind passed. */
function failedRounds(path: string, ctx: CodingContext): { rounds: number; check: Check | undefined } {
  const edits = editsOf(path, ctx);
  let best: { rounds: number; check: Check | undefined } = { rounds: 0, check: undefined };
  for (const kind of ["test", "types", "build", "lint"] satisfies CheckKind[]) {
    const checks = ctx.checks.filter((check) => check.kind === kind);
    const passed = checks.findLast((check) => check.passed === true)?.t ?? -1;
    const failed = checks.filter((check) => check.passed === false && check.t > passed);
    const rounds = failed.filter(({ t }, i) => {
      const before = failed[i - 1]?.t ?? passed;
      return edits.some((edit) => edit > before && edit < t);
    }).length;
    if (rounds > best.rounds) best = { rounds, check: failed.at(-1) };
  }
  return best;
}

/** Steps whose call changed the file, as far as the history keeps its input. */
function editsOf(path: string, { actionHistory }: CodingContext): number[] {
  const written = JSON.stringify(path).slice(1, -1);
  return actionHistory.flatMap(({ type, arg }, t) => (EDITS.has(type) && namesFile(arg, written) ? [t] : []));
}

function namesFile(arg: string, path: string): boolean {
  return (
    arg.includes(`"path":"${path}"`) || arg.includes(`File: ${path}\\n`) || arg.includes(`+++ b/${path}\\n`)
  );
}

/** Edits of a file that its tool turned down since the file last changed: this very one, or several others. */
function rejectedEdits(ctx: CodingContext, arg: string): Circle[] {
  const paths = new Set(ctx.changes.map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const changed = ctx.files.find((file) => file.path === path)?.editedAt ?? -1;
    const rejected = editsOf(path, ctx).filter((t) => t > changed);
    const ran = ctx.commands.at(-1)?.t ?? -1;
    const isKnown = rejected.some((t) => t > ran && isSame(ctx.actionHistory[t]?.arg, arg));
    if (!isKnown && rejected.length < REPEATS) return [];
    const times = rejected.length === 1 ? "The last edit" : `The last ${rejected.length} edits`;
    const same = isKnown ? " This very call was among them, and nothing has changed since." : "";
    return [
      {
        key: `rejected ${path}`,
        rounds: rejected.length,
        text: `${times} of ${path} did not go through, so the file is as it was before.${same} The answer to the last one says why; the lines as the file has them now show which indentation and which text an edit has to meet.`,
        reason: isKnown
          ? "the same edit was rejected before"
          : `${rejected.length} edits of one file rejected in a row`,
      },
    ];
  });
}

function isSame(past: string | undefined, arg: string): boolean {
  return past === arg || (arg.length > KEPT_ARG && past?.startsWith(`${arg.slice(0, KEPT_ARG)}…`) === true);
}

/** The same answer word for word, although the task went on after it, no person spoke and no file changed. */
function sameSubmission(ctx: CodingContext, arg: string): Circle[] {
  const ends = ctx.actionHistory.flatMap(({ type }, t) => (type === "FINAL" ? [t] : []));
  const turnedDown = ends.length - (ctx.prompts.length - 1);
  const since = ctx.lastEditAt ?? -1;
  const tries = ends.filter((t) => t > since && isSame(ctx.actionHistory[t]?.arg, arg));
  if (tries.length < SUBMISSIONS || turnedDown < SUBMISSIONS) return [];
  return [
    {
      key: "submission",
      rounds: tries.length,
      text: `This has been submitted ${tries.length} times before, word for word, and the task went on each time; no file has changed in between. The answer to the last submission says what was wrong with it: its form, or the work itself.`,
      reason: `the same submission was turned down ${tries.length} times`,
    },
  ];
}

function sameCommand(ctx: CodingContext): Circle[] {
  const { command } = ctx;
  if (command === undefined || command.calls.some(({ name, background }) => background || WAITS.has(name)))
    return [];
  const last = ctx.commands.findLastIndex(
    (ran) => ran.command !== command.source.slice(0, 500) || !hasFailed(ran),
  );
  const failures = ctx.commands.slice(last + 1).filter(({ t }) => t > (ctx.lastEditAt ?? -1));
  if (failures.length < REPEATS) return [];
  return [
    {
      key: `command ${command.source.slice(0, 100)}`,
      rounds: failures.length,
      text: `This command has failed ${failures.length} times in a row before, and no file was changed and no other command ran in between. Its last output says why; the same again would need something else to be different.`,
      reason: `the same command failed ${failures.length} times with nothing changed between`,
    },
  ];
}

/** Programs whose exit code 1 says no and is no failure. */
const SAYS_NO = new Set("grep egrep fgrep rg ag diff cmp test [ [[ which command pgrep".split(" "));

/** The command that has just run failed as it had failed before, since it last succeeded, whatever was changed in between. */
function sameFailure({ commands, stepCount, memory }: CodingContext): Circle[] {
  const last = commands.at(-1);
  if (last?.output === undefined || last.t !== stepCount - 1) return [];
  const { command, output, programs, exitCode } = last;
  const saidNo = exitCode === 1 && SAYS_NO.has(programs.at(-1) ?? "");
  if (saidNo || programs.some((name) => WAITS.has(name))) return [];
  const runs = commands.filter((ran) => ran.command === command);
  const since = runs.slice(runs.findLastIndex((ran) => !hasFailed(ran)) + 1);
  const times = since.filter((ran) => ran.output === output).length;
  // The changes of a file that it fails after have been spoken of.
  const told = Object.entries(memory).flatMap(([key, n]) =>
    key.startsWith("file ") && typeof n === "number" ? [n] : [],
  );
  if (times < REPEATS || told.some((rounds) => times < rounds + AGAIN)) return [];
  return [
    {
      key: `command ${command.slice(0, 100)}`,
      rounds: times,
      text: `\`${command.slice(0, 200)}\` has now failed ${times} times in this session with the same output, whatever was done in between. ${WAYS_OUT}`,
      reason: `the same command failed ${times} times with the same output`,
    },
  ];
}

function hasFailed({ ok, exitCode }: { readonly ok?: boolean; readonly exitCode?: number }): boolean {
  return ok === false || (exitCode !== undefined && exitCode !== 0);
}

function sameCall(ctx: CodingContext): Circle[] {
  const { inARow } = ctx.repeated;
  const { tool } = ctx.call;
  if (inARow < REPEATS || !SAME_ANSWER.has(tool)) return [];
  return [
    {
      key: `call ${tool}`,
      rounds: inARow,
      text: `This very ${tool} call has run ${inARow} times in a row just before. Nothing has happened in between that would change its answer.`,
      reason: `the same ${tool} call ${inARow} times in a row`,
    },
  ];
}
