import type { Action } from "../../model/action.ts";
import type { CodingFields, KnownFile, RanCommand, ShellCommand } from "../../model/coding-context.ts";
import type { DomainFacts } from "../../model/episode.ts";
import type { StepContext } from "../../model/step-context.ts";
import { REFUSE } from "../../model/coding-tools.ts";
import type { AskedAbout, ContextRules, DoneStep, OwnFields } from "../../trace/context-at.ts";
import { hashText } from "../../trace/hash.ts";
import { inputOf, textOf } from "../call-input.ts";
import { changesOf } from "./changes.ts";
import { passedByOutput } from "./check-output.ts";
import { settled } from "./background.ts";
import { wasNotExecuted } from "./check-start.ts";
import { checksOf, KEPT_COMMAND, type CheckedStep } from "./checks.ts";
import { filesOf } from "./command-files.ts";
import { fileList, type FileList } from "./known-files.ts";
import { mentionedFiles } from "./mentions.ts";
import { normalPath } from "./paths.ts";
import { outputKey } from "./output-key.ts";
import { parseShell } from "./shell.ts";

/** Characters of an argument that the history keeps; a hash of the whole stands behind them. */
const KEPT_ARG = 1_000;
const MAX_COMMANDS = 200;
const MAX_CHECKS = 100;
const MAX_GONE = 100;
/** Lines of a search's output that are looked at for names of files. */
const SEARCH_LINES = 50;

function remembered({ type, arg }: Action): Pick<Action, "type" | "arg"> {
  return arg.length <= KEPT_ARG
    ? { type, arg }
    : { type, arg: `${arg.slice(0, KEPT_ARG)}… #${hashText(arg)}` };
}

/** The command line of a call of a shell tool. */
export function commandOf(action: Pick<Action, "type" | "arg">): ShellCommand | undefined {
  if (action.type !== "Bash" && action.type !== "PowerShell") return undefined;
  const source = textOf(inputOf(action), "command");
  return source === undefined
    ? undefined
    : parseShell(source, action.type === "Bash" ? "bash" : "powershell");
}

function repeatedIn(history: StepContext["actionHistory"], action: Action): CodingFields["repeated"] {
  const { type, arg } = remembered(action);
  const isSame = (past: Pick<Action, "type" | "arg">): boolean => past.type === type && past.arg === arg;
  const times = history.filter(isSame).length;
  const other = times === 0 ? history.length - 1 : history.findLastIndex((past) => !isSame(past));
  return { times, inARow: history.length - 1 - other };
}

/** What a person named since the step before. */
function hearMentions(files: FileList, { prompts, cwd }: StepContext): void {
  for (const mention of mentionedFiles(prompts ?? [])) {
    const path = normalPath(mention, cwd);
    if (files.get(path)?.readAt === undefined) files.read(path, "person");
  }
}

function initial(question: string, facts: DomainFacts): Partial<StepContext> {
  return {
    changes: [],
    repeated: { times: 0, inARow: 0 },
    world: {},
    files: [],
    commands: [],
    checks: [],
    prompts: [question],
    project: facts.project ?? [],
    ...(facts.cwd === undefined ? {} : { cwd: facts.cwd }),
  };
}

function proposed(context: StepContext, { action, world = {} }: AskedAbout): Partial<StepContext> {
  const files = fileList(context.files ?? [], context.stepCount);
  hearMentions(files, context);
  const { cwd } = context;
  const command = commandOf(action);
  const deletes = command === undefined ? [] : deletedBy(command, cwd);
  const isThere = (path: string): boolean =>
    world.files?.find((file) => normalPath(file.path, cwd) === path)?.exists ?? files.get(path) !== undefined;
  return {
    call: { tool: action.type, input: inputOf(action) },
    command,
    changes: changesOf(action, { isThere, cwd }),
    ...(deletes.length === 0 ? {} : { deletes }),
    repeated: repeatedIn(context.actionHistory, action),
    world,
    files: files.list(),
  };
}

/** How tools say that they did nothing. Looked for at the beginning: file texts speak of errors too. */
const ERROR_TEXT =
  /^\s*(?:<(?:tool_use_)?error>|(?:Error|ERROR|error)\b\s*[:(]|Failed to\b|Invalid\b|Permission denied|Cannot (?:find|edit|read|write)\b|String to replace not found|File (?:has not been read|does not exist|not found)|No (?:match|changes)\b|The (?:user|tool use) (?:doesn't want|was rejected)|User (?:rejected|denied)|Your (?:proposed )?edit (?:has introduced|was not applied))/;

function hasSucceeded({ result, observation }: DoneStep): boolean {
  if (result?.ok !== undefined) return result.ok;
  if (result?.exitCode !== undefined) return result.exitCode === 0;
  return !ERROR_TEXT.test(observation.slice(0, 300));
}

/** `src/a.ts:12:const x` and `src/a.ts`, one a line. */
const FOUND = /^(\.{0,2}[\w@~/\\-][\w@.\-/\\+ ]{0,250}?\.\w{1,12})(?::\d+[:-].*|:.*)?$/;

function foundIn(observation: string): string[] {
  const lines = observation.slice(0, SEARCH_LINES * 300).split(/\r?\n/, SEARCH_LINES);
  return lines.flatMap((line) => FOUND.exec(line.slice(0, 600))?.[1] ?? []);
}

function deletedBy(command: ShellCommand, cwd: string | undefined): string[] {
  return filesOf(command, cwd).effects.flatMap(({ kind, path }) => (kind === "delete" ? [path] : []));
}

function ranBy({ source, calls }: ShellCommand, t: number, { result, observation }: DoneStep): RanCommand {
  const hasFailed = result?.ok === false || (result?.exitCode !== undefined && result.exitCode !== 0);
  return {
    t,
    command: source.slice(0, KEPT_COMMAND),
    programs: [...new Set(calls.map(({ name }) => name))],
    ...(result?.exitCode === undefined ? {} : { exitCode: result.exitCode }),
    ...(result?.ok === undefined ? {} : { ok: result.ok }),
    ...(hasFailed && observation.trim() !== "" ? { output: outputKey(observation) } : {}),
  };
}

/** A file of the project that is not as it was before the session. */
const isStanding = ({ editedAt, createdAt }: KnownFile): boolean =>
  editedAt !== undefined && createdAt === undefined;

/** The session made this file; a `cd` may stand before its name. */
const isMade = (path: string, files: FileList): boolean =>
  files
    .list()
    .some((file) => file.createdAt !== undefined && (file.path === path || file.path.endsWith(`/${path}`)));

/** The answer to the call never came: the person said no, it runs on, or something broke off. Nobody knows what it did. */
const isUnanswered = ({ extra }: DoneStep): boolean => extra?.["unanswered"] === true;

/** No answer is there yet, so nobody knows how the call ended. */
const isOpen = (step: DoneStep): boolean => step.extra?.["open"] === true || isUnanswered(step);

/** The fields that a shell command changes. */
function afterCommand(
  context: StepContext,
  step: DoneStep,
  command: ShellCommand,
  files: FileList,
): Partial<StepContext> {
  const t = context.stepCount;
  const { cwd, checks = [], project = [] } = context;
  const { reads, effects, searchedIn } = filesOf(command, cwd, (path) => files.get(path)?.writes ?? []);
  // A line whose last program failed may still have shown what its first ones read, and done what they do.
  for (const path of reads) files.read(path, "command");
  for (const base of searchedIn)
    for (const found of foundIn(step.observation)) files.read(normalPath(found, cwd, base), "search");
  const succeeded = hasSucceeded(step);
  const done = isUnanswered(step) ? [] : effects.filter(({ isLast }) => succeeded || !isLast);
  for (const effect of done) files.change(effect);
  const isEdit = done.some(({ kind }) => kind === "create" || kind === "replace");
  const surroundings = (): CheckedStep => ({
    project,
    t,
    step,
    isOwn: (path) => isMade(normalPath(path, cwd), files),
    isBase: !files.list().some(isStanding),
    isStashed:
      effects.some(({ kind }) => kind === "stash") ||
      files.list().some(({ stashedAt }) => stashedAt !== undefined),
  });
  const found = isOpen(step) ? [] : checksOf(command, surroundings());
  return {
    commands: [...(context.commands ?? []), ranBy(command, t, step)].slice(-MAX_COMMANDS),
    ...(found.length === 0 ? {} : { checks: [...checks, ...found].slice(-MAX_CHECKS) }),
    ...(isEdit ? { lastEditAt: t } : {}),
  };
}

/** The host's own way to run tests says in its text what came of it. */
function afterTests(context: StepContext, { observation, result }: DoneStep): Partial<StepContext> {
  const passed = passedByOutput("test", observation) ?? (result?.ok === false ? false : undefined);
  const check = {
    t: context.stepCount,
    kind: "test" as const,
    command: "RunTests",
    ...(passed === undefined ? {} : { passed }),
  };
  return { checks: [...(context.checks ?? []), check].slice(-MAX_CHECKS) };
}

function afterTool(context: StepContext, step: DoneStep, files: FileList): Partial<StepContext> {
  const { executed, observation } = step;
  const input = inputOf(executed);
  const path = textOf(input, "path");
  if (executed.type === "Read" && path !== undefined) files.read(normalPath(path, context.cwd), "tool");
  if (executed.type === "Grep" || executed.type === "Glob")
    for (const found of foundIn(observation)) files.read(normalPath(found, context.cwd), "search");
  const isThere = (named: string): boolean => files.get(named) !== undefined;
  const changes = changesOf(executed, { isThere, cwd: context.cwd });
  for (const { path: named, kind, before, after } of changes)
    files.change({ path: named, kind, ...(before === undefined ? { text: after } : {}) });
  return changes.length === 0 ? {} : { lastEditAt: context.stepCount };
}

function advance(context: StepContext, step: DoneStep): Partial<StepContext> {
  const { executed } = step;
  const command = commandOf(executed);
  const files = fileList(context.files ?? [], context.stepCount, command?.source ?? executed.arg);
  hearMentions(files, context);
  const checks = settled(context.checks ?? [], step);
  let changed: Partial<StepContext> = {};
  if (executed.type === REFUSE || wasNotExecuted(step.observation)) changed = {};
  else if (command !== undefined) changed = afterCommand({ ...context, checks }, step, command, files);
  else if (executed.type === "RunTests")
    changed = isOpen(step) ? {} : afterTests({ ...context, checks }, step);
  else if (hasSucceeded(step) && !isUnanswered(step)) changed = afterTool(context, step, files);
  const gone = files.gone();
  return {
    ...(checks === context.checks ? {} : { checks }),
    ...(gone.length === 0 ? {} : { gone: [...(context.gone ?? []), ...gone].slice(-MAX_GONE) }),
    ...changed,
    files: files.list(),
  };
}

const own: OwnFields = { fromSession: true, initial, proposed, advance, remembered };

/** What the contexts of a coding agent say: of the proposed call, and of what the session has read, changed, run and checked. */
export const codingAgentRules: ContextRules = {
  isEmptySearch: (observation) => observation.trim() === "",
  contradicts: () => false,
  own,
};
