import type {
  Check,
  CheckKind,
  ProjectCheck,
  ShellCall,
  ShellCommand,
  ToolResult,
} from "../../model/coding-context.ts";
import type { DoneStep } from "../../trace/context-at.ts";
import { runningBy } from "./background.ts";
import { passedByOutput } from "./check-output.ts";
import { hasStarted, wasKilled } from "./check-start.ts";
import { outputKey } from "./output-key.ts";
import { kindOfCall } from "./check-tools.ts";

/** A check that a command line runs, and the call that is it. */
export interface FoundCheck {
  readonly kind: CheckKind;
  readonly command: string;
  readonly call: ShellCall | undefined;
}

/** Characters of a command that are kept. */
export const KEPT_COMMAND = 500;

function textOfCall({ source }: ShellCommand, { range, name, args }: ShellCall): string {
  return range === undefined ? [name, ...args].join(" ") : source.slice(range.start, range.end);
}

/** Words at the beginning of a call among which its program stands: wrappers come before it. */
const MOST_WRAPPERS = 20;

/** The program as it stands in the text: a call's name has lost its folder. */
function writtenName(text: string, name: string): string | undefined {
  return text.split(/\s+/, MOST_WRAPPERS).find((word) => word === name || word.endsWith(`/${name}`));
}

/**
 * The tests, lints, type checks, builds and formatters that a command line runs, one of each kind and program. What the project's own
 * files name counts by its text; others by the program. Functions are left out: nobody knows whether they are called.
 */
export function checksIn(
  command: ShellCommand,
  project: readonly ProjectCheck[] = [],
): readonly FoundCheck[] {
  const own = new Map(project.map(({ kind, command: text }) => [text.trim(), kind]));
  const whole = own.get(command.source.trim());
  if (whole !== undefined) {
    const last = command.calls.findLast(({ place }) => place === "top");
    return [{ kind: whole, command: command.source.trim().slice(0, KEPT_COMMAND), call: last }];
  }
  return command.calls.flatMap((call) => {
    if (call.place === "function") return [];
    const text = textOfCall(command, call);
    const kind = own.get(text.trim()) ?? kindOfCall({ ...call, path: writtenName(text, call.name) });
    return kind === undefined ? [] : [{ kind, command: text.slice(0, KEPT_COMMAND), call }];
  });
}

/** What the end of a command line says of one of its programs: all, only that it succeeded, or nothing. */
type Shown = "both" | "success" | "nothing";

/**
 * Whether the status of the whole line is that of this call: it is the last one, or all that follows hangs on it by `&&`. A pipe, `;`,
 * `||` and `&` after it hide how it ended.
 */
function shownBy({ source, calls }: ShellCommand, call: ShellCall): Shown {
  if (call.background || !(call.place === "top" || call.place === "subshell")) return "nothing";
  if (call.range === undefined) return calls.at(-1) === call && call.into.length === 0 ? "both" : "nothing";
  if (/!\s*$/.test(source.slice(0, call.range.start))) return "nothing";
  const rest = source.slice(call.range.end).replace(/#[^'"\n]*$/, "");
  if (/^[\s;)}]*$/.test(rest)) return "both";
  const isPiped =
    call.into.length > 0 && !calls.some(({ name, args }) => name === "set" && args.includes("pipefail"));
  return !isPiped && /^[\s)}]*(?:&&|\|[^|])/.test(rest) && !/[;\n]|\|\||[^&>]&(?![&>\d])/.test(rest)
    ? "success"
    : "nothing";
}

/** Whether a check passed, from how the line ended and else from what it printed; undefined where neither tells. */
export function passedOf(
  { kind, call }: FoundCheck,
  command: ShellCommand,
  { result, observation }: { readonly result?: ToolResult | undefined; readonly observation: string },
): boolean | undefined {
  const ended = result?.exitCode === undefined ? result?.ok : result.exitCode === 0;
  const shown = call === undefined ? "nothing" : shownBy(command, call);
  if (ended !== undefined && shown === "both") return ended;
  if (ended === true && shown === "success") return true;
  return passedByOutput(kind, observation);
}

/** Characters at the end of a failed run's output that tell which failure it is: the summary of most programs. */
const FAILURE_END = 400;

/** Surroundings of the checks of one command. */
export interface CheckedStep {
  readonly project: readonly ProjectCheck[];
  readonly t: number;
  readonly step: DoneStep;
  /** A path of the command line, as its words have it, is a file that the session made. */
  readonly isOwn?: (path: string) => boolean;
  /** No change of the session stands. */
  readonly isBase?: boolean;
  /** The session's changes are out of the way, as in the stash of Git. */
  readonly isStashed?: boolean;
}

/** The checks that a command line has run or started, without their calls. One that could not start is none. */
export function checksOf(command: ShellCommand, surroundings: CheckedStep): readonly Check[] {
  const { project, t, step, isOwn = () => false, isBase = false, isStashed = false } = surroundings;
  const { result, observation } = step;
  return checksIn(command, project).flatMap((found): Check[] => {
    const own = runsOwn(found, isOwn);
    const base = isBase || isStashed;
    const check = { t, kind: found.kind, command: found.command, ...(own && { own }), ...(base && { base }) };
    const running = runningBy(found, command, step);
    if (running !== undefined) return [{ ...check, running }];
    const hasPassed = passedOf(found, command, step);
    if (!hasStarted(found.kind, observation, hasPassed === true && result !== undefined)) return [];
    // A failure tells nothing of the project where the command was ended, or ran the session's own script or the code as it was before.
    const isSure = hasPassed === true || !(wasKilled(observation, result?.exitCode) || isStashed || own);
    return [
      {
        ...check,
        ...(hasPassed === false && { failure: outputKey(observation.slice(-FAILURE_END)) }),
        ...(hasPassed === undefined || !isSure ? {} : { passed: hasPassed }),
      },
    ];
  });
}

/** An interpreter runs a script that the session made. */
const runsOwn = ({ call }: FoundCheck, isOwn: (path: string) => boolean): boolean =>
  call !== undefined &&
  /^(?:python[\d.]*|node|ruby|perl|php|bash|sh)$/.test(call.name) &&
  call.operands.slice(0, 3).some(isOwn);
