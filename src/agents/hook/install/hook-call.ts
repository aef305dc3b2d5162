import { isRecord } from "../../../trace/formats/records.ts";
import { HOOK_HOSTS, type HookHost } from "../event.ts";
import { commandWords, type HookProgram, type Shell } from "./command-line.ts";

/** The command of a hook entry, taken apart. */
export interface HookCall {
  readonly program: HookProgram;
  readonly host: HookHost;
  /** Undefined: the event itself says its name. */
  readonly event: string | undefined;
}

const LINES: Readonly<Record<string, Shell>> = {
  command: "sh",
  bash: "sh",
  powershell: "powershell",
  windows: "windows",
  commandWindows: "windows",
};
const TIMEOUTS: ReadonlySet<string> = new Set(["timeout", "timeoutSec"]);

/** True of `/…`, `C:\\…` and `\\\\…`: a path that is the same from every folder. */
const isAbsolute = (file: string): boolean => /^(?:\/|[A-Za-z]:\\|\\\\)/.test(file);
const isScript = (file: string): boolean =>
  isAbsolute(file) && /[\\/](?:dist[\\/]hook|hasp-hook)\.cjs$/.test(file);

/** The forms of `hookProgram` (platform/hook-install.ts), of any version and place. */
function programOf([file = "", ...args]: readonly string[]): HookProgram | undefined {
  const program = { file, args };
  const [first, second = "", ...rest] = args;
  if (file === "hasp") return first === "hook" && args.length === 1 ? program : undefined;
  if (file === "/usr/bin/env" && first === "ELECTRON_RUN_AS_NODE=1")
    return isAbsolute(second) && rest.length === 1 && rest.every(isScript) ? program : undefined;
  return (file === "node" || isAbsolute(file)) && args.length === 1 && args.every(isScript)
    ? program
    : undefined;
}

interface Options {
  host?: string;
  event?: string;
}

/** The options of `hasp hook` (cli/hook-main.ts); undefined if there is anything else. */
function optionsOf(words: readonly string[]): Options | undefined {
  const found: Options = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === "--no-resident") continue;
    const value = words[++i] ?? "";
    if (word === "--host" && found.host === undefined) found.host = value;
    else if (word === "--event" && /^[A-Za-z]+$/.test(value)) found.event = value;
    else if (word !== "--budget-ms" || !/^\d+$/.test(value)) return undefined;
  }
  return found;
}

function callOf(words: readonly string[]): HookCall | undefined {
  const at = words.indexOf("--host");
  const program = at < 0 ? undefined : programOf(words.slice(0, at));
  const options = at < 0 ? undefined : optionsOf(words.slice(at));
  const host = HOOK_HOSTS.find((one) => one === options?.host);
  return program === undefined || host === undefined ? undefined : { program, host, event: options?.event };
}

/** The words of a handler, of whichever system; undefined where its lines differ or one of them is more than one plain command. */
function handlerWords(handler: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { type, args, onFailure, ...others } = handler;
  if (type !== undefined && type !== "command") return undefined;
  // Installing writes it beside `args` alone, where on_failure is closed.
  if (onFailure !== undefined && (onFailure !== "block" || args === undefined)) return undefined;
  const entries = Object.entries(others).filter(
    ([key, value]) => !(TIMEOUTS.has(key) && typeof value === "number"),
  );
  if (args !== undefined) {
    const [[key, command] = [], ...more] = entries;
    const words = [command, ...(Array.isArray(args) ? (args as readonly unknown[]) : [undefined])];
    const isPlain = key === "command" && more.length === 0;
    return isPlain && words.every((word) => typeof word === "string") ? words : undefined;
  }
  const lines = entries.map(([key, line]) => {
    const shell = Object.hasOwn(LINES, key) ? LINES[key] : undefined;
    return shell === undefined || typeof line !== "string" ? undefined : commandWords(line, shell);
  });
  const [first] = lines;
  return lines.every((words) => words?.join("\0") === first?.join("\0")) ? first : undefined;
}

/**
 * The command of one of our hook entries. Undefined unless the entry is, to the letter, a form that `hasp hook install` writes: whatever else it says,
 * an agent would run something that is not ours.
 */
export function hookCall(handler: unknown): HookCall | undefined {
  const words = isRecord(handler) ? handlerWords(handler) : undefined;
  return words === undefined ? undefined : callOf(words);
}
