import type {
  Check,
  CheckKind,
  ProjectCheck,
  ShellCall,
  ShellCommand,
  ToolResult,
} from "../../model/coding-context.ts";
import { passedByOutput } from "./check-output.ts";
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
    const kind = own.get(text.trim()) ?? kindOfCall(call);
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

/** Checks are kept without the call. */
export function checksOf(
  command: ShellCommand,
  project: readonly ProjectCheck[],
  t: number,
  step: { readonly result?: ToolResult | undefined; readonly observation: string },
): readonly Check[] {
  return checksIn(command, project).map((found) => {
    const passed = passedOf(found, command, step);
    return { t, kind: found.kind, command: found.command, ...(passed === undefined ? {} : { passed }) };
  });
}
