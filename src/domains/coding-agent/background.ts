import type { Check, ShellCall, ShellCommand } from "../../model/coding-context.ts";
import type { DoneStep } from "../../trace/context-at.ts";
import { inputOf, textOf } from "../call-input.ts";
import { passedByOutput } from "./check-output.ts";

/** How hosts name a task that they run in the background. */
const STARTED =
  /\b(?:running|started|moved to run|backgrounded)\b[^\n]{0,60}?\b(?:ID|shellId|id)(?:\s+is)?:?\s{0,2}"?([\w-]{1,80})/;
/** A host's tools that bring the output of such a task, by their names in any spelling. */
const BRINGS =
  /^(?:TaskOutput|AgentOutputTool|BashOutput(?:Tool)?|read_bash|get_terminal_output|write_stdin)$/i;
const STATUS = /<status>\s*(\w+)\s*<\/status>|"status"\s*:\s*"(\w+)"/;
const EXIT_CODE =
  /<exit_code>\s*(-?\d{1,9})\s*<\/exit_code>|"exit_?[cC]ode"\s*:\s*(-?\d{1,9})|\(exit code (\d{1,9})\)|\bwith exit code:? (\d{1,9})\b/;
/** What a host says to the agent when a task has ended. */
const NOTIFICATION = /<task-notification>([\s\S]{0,4000}?)<\/task-notification>/g;
/** Elements in which a task or a program speaks for itself. */
const OUTPUT =
  /<(event|output|result|(?:bash|local-command)-std(?:out|err)|system-reminder|tool[-_]result|function_results)>/;
/** Its name in a host's sentence, as the agent gave it. */
const QUOTED = /"[^]*"/;
const TASK_ID = /<task-id>\s*([\w-]{1,80})\s*<\/task-id>/;

/** A task in the background, and how it ended where it has. */
export interface TaskEnd {
  readonly id: string;
  readonly state: "passed" | "failed" | "ended";
}

/**
 * By what the result of a check is found that runs in the background: the host's name of the task and the files that the command writes
 * into. Undefined for a check in the foreground.
 */
export function runningBy(
  { call }: { readonly call: ShellCall | undefined },
  { calls }: ShellCommand,
  { executed, observation }: DoneStep,
): string[] | undefined {
  const id = STARTED.exec(observation.slice(0, 2_000))?.[1];
  const isTask = inputOf(executed)["background"] === true || id !== undefined;
  const isShells = call?.background === true && !calls.some(({ name }) => name === "wait" || name === "fg");
  if (!isTask && !isShells) return undefined;
  const logs = calls.flatMap(({ redirects }) =>
    redirects.flatMap(({ op, target }) =>
      op.includes(">") && /[^\d&]/.test(target) && target !== "/dev/null" ? [target] : [],
    ),
  );
  return [...(id === undefined ? [] : [id]), ...new Set(logs)].slice(0, 5);
}

/** A host's words without what tasks printed: each kind of output goes to its last end, for an output may write one itself. */
function hostWords(text: string): string {
  const start = OUTPUT.exec(text);
  if (start === null) return text;
  const end = `</${start[1]}>`;
  const at = text.lastIndexOf(end);
  const rest = at < start.index ? "" : text.slice(at + end.length);
  return text.slice(0, start.index) + hostWords(rest);
}

/** `text`: the host's own words. */
function endOf(text: string): TaskEnd["state"] | undefined {
  const [, a, b] = STATUS.exec(text) ?? [];
  const status = a ?? b;
  if (status !== undefined && /^(?:running|pending|not_ready)$/.test(status)) return undefined;
  if (status === "failed" || status === "killed") return "failed";
  const code = EXIT_CODE.exec(text)
    ?.slice(1)
    .find((found) => found !== undefined);
  if (code !== undefined) return Number(code) === 0 ? "passed" : "failed";
  return status === undefined ? undefined : "ended";
}

/** The tasks whose end a host tells in this text, which is the host's but for what tasks printed. */
export function taskEndsIn(text: string): TaskEnd[] {
  if (!text.includes("<task-notification>")) return [];
  return Array.from(hostWords(text).matchAll(NOTIFICATION), ([, body = ""]) => body).flatMap((body) => {
    const id = TASK_ID.exec(body)?.[1];
    const state = endOf(body.replace(QUOTED, ""));
    return id === undefined || state === undefined ? [] : [{ id, state }];
  });
}

/** What this step says of a check that runs: undefined where it says nothing of its end. */
function resultIn(
  names: readonly string[],
  { executed, observation, extra }: DoneStep,
): TaskEnd["state"] | undefined {
  // Elsewhere the words are those of the program that ran.
  const ends = extra?.["notified"] === true ? taskEndsIn(observation) : [];
  const told = ends.find(({ id }) => names.includes(id))?.state;
  if (told !== undefined) return told;
  const input = inputOf(executed);
  const isNamed = Object.values(input).some(
    (value) => typeof value === "string" && names.some((name) => value === name || speaksOf(value, name)),
  );
  const isAsked = isNamed || (BRINGS.test(executed.type) && names.length === 0);
  if (!isAsked) return undefined;
  if (BRINGS.test(executed.type)) return endOf(hostWords(observation));
  const shows = textOf(input, "command") !== undefined || textOf(input, "path") !== undefined;
  const passed = shows ? passedByOutput("test", observation) : undefined;
  return passed === undefined ? undefined : passed ? "passed" : "failed";
}

/** The name of the task or of the log stands in a command or a path: `tail test.log`, `/tmp/tasks/b1.output`. */
const speaksOf = (value: string, name: string): boolean => name.length > 1 && value.includes(name);

/** The checks with the results of those in the background that this step brings. The same list where it brings none. */
export function settled(checks: Check[], step: DoneStep): Check[] {
  if (!checks.some(({ running }) => running !== undefined)) return checks;
  return checks.map((check) => {
    if (check.running === undefined) return check;
    const state = resultIn(check.running, step);
    return state === undefined ? check : ended(check, state, step.observation);
  });
}

function ended({ running: _, ...check }: Check, state: TaskEnd["state"], output: string): Check {
  const passed = state === "ended" ? passedByOutput(check.kind, output) : state === "passed";
  return passed === undefined ? check : { ...check, passed };
}
