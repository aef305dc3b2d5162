import type { Checked } from "../../../model/diagnostic.ts";
import { canonicalJson } from "../../../trace/canonical-json.ts";
import { isRecord, type JsonRecord } from "../../../trace/formats/records.ts";
import { isOurCommand, type HookProgram } from "./command-line.ts";
import { readConfigText, type ConfigText } from "./config-text.ts";
import { addItem, addKey, removeAt, replaceAt } from "./edit-json.ts";
import type { HostConfig } from "./host-config.ts";

/** What becomes of a file. */
export interface ConfigChange {
  /** Undefined: the file goes. */
  readonly text: string | undefined;
}

const LINES = ["command", "bash", "powershell", "windows", "linux", "osx", "commandWindows"] as const;

/** The command lines of one hook, for whichever system they are. */
export function linesOf(handler: unknown): readonly string[] {
  if (!isRecord(handler)) return [];
  const { args } = handler;
  const words = Array.isArray(args) ? args.filter((word) => typeof word === "string") : [];
  return LINES.flatMap((key) => {
    const line = handler[key];
    return typeof line === "string" ? [key === "command" ? [line, ...words].join(" ") : line] : [];
  });
}

const isOurs = (handler: unknown): boolean => linesOf(handler).some(isOurCommand);

/** The hooks that an entry of a list holds: itself, or those of its group. */
export function handlersOf(entry: unknown): readonly unknown[] {
  return isRecord(entry) && Array.isArray(entry["hooks"]) ? entry["hooks"] : [entry];
}

/** Our hooks in a file, by event. */
export function ourHooks({ hooks }: ConfigText): ReadonlyMap<string, readonly JsonRecord[]> {
  const found = new Map<string, readonly JsonRecord[]>();
  for (const [event, list] of Object.entries(hooks)) {
    const ours = list.flatMap(handlersOf).filter(isOurs).filter(isRecord);
    if (ours.length > 0) found.set(event, ours);
  }
  return found;
}

/** Takes our hooks out of one entry, from its place in the list; what stays of it stays as it was. */
function withoutOursAt(text: string, event: string, index: number, entry: unknown): string {
  const handlers = handlersOf(entry);
  if (!handlers.some(isOurs)) return text;
  if (handlers.every(isOurs)) return removeAt(text, ["hooks", event, index]);
  return handlers.reduceRight<string>(
    (then, handler, i) => (isOurs(handler) ? removeAt(then, ["hooks", event, index, "hooks", i]) : then),
    text,
  );
}

/** From the last entry on, so that the places of those before it still hold. */
function withoutOurs(text: string, event: string, list: readonly unknown[], but?: number): string {
  return list.reduceRight<string>(
    (then, entry, i) => (i === but ? then : withoutOursAt(then, event, i, entry)),
    text,
  );
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

function installedIn(text: string, { hooks }: ConfigText, event: string, entry: JsonRecord): string {
  const list = Object.hasOwn(hooks, event) ? hooks[event] : undefined;
  if (list === undefined) return addKey(text, ["hooks"], event, [entry]);
  const same = list.findIndex((one) => isSame(one, entry));
  const place = same >= 0 ? same : list.findIndex((one) => handlersOf(one).every(isOurs));
  const clean = withoutOurs(text, event, list, place < 0 ? undefined : place);
  if (place < 0) return addItem(clean, ["hooks", event], entry);
  const now = list.slice(0, place).filter((one) => !handlersOf(one).every(isOurs)).length;
  return same >= 0 ? clean : replaceAt(clean, ["hooks", event, now], entry);
}

/**
 * The file with our hooks in it: one entry for each event, in place of what an earlier version wrote. The same text where they are there
 * already. `text` undefined: there is no file yet.
 */
export function planInstall(
  config: HostConfig,
  text: string | undefined,
  file: string,
  program: HookProgram,
): Checked<ConfigChange> {
  if (text === undefined) return { value: { text: freshText(config, program) }, diagnostics: [] };
  const { value: read, diagnostics } = readConfigText(text, file);
  if (read === undefined) return { value: undefined, diagnostics };
  let next = read.text;
  for (const event of ourHooks(read).keys())
    if (!config.events.includes(event)) next = withoutEvent(next, event, read);
  for (const [key, value] of Object.entries(config.head))
    if (!Object.hasOwn(read.whole, key)) next = addKey(next, [], key, value);
  if (!Object.hasOwn(read.whole, "hooks")) next = addKey(next, [], "hooks", {});
  for (const event of config.events) next = installedIn(next, read, event, config.entry(event, program));
  return { value: { text: next }, diagnostics };
}

function freshText(config: HostConfig, program: HookProgram): string {
  const hooks = config.events.map((event) => [event, [config.entry(event, program)]]);
  return `${JSON.stringify({ ...config.head, hooks: Object.fromEntries(hooks) }, undefined, 2)}\n`;
}

/** An event's list without our hooks; without the list where nothing else was in it. */
function withoutEvent(text: string, event: string, { hooks }: ConfigText): string {
  const list = hooks[event] ?? [];
  const isEmptied = list.every((entry) => handlersOf(entry).every(isOurs));
  return isEmptied ? removeAt(text, ["hooks", event]) : withoutOurs(text, event, list);
}

/**
 * The file without our hooks. Where one of the backups is what the file was before they came, it is that again, to the letter; else what
 * they leave empty goes with them.
 */
export function planUninstall(
  config: HostConfig,
  text: string,
  file: string,
  backups: readonly string[],
): Checked<ConfigChange> {
  const { value: read, diagnostics } = readConfigText(text, file);
  if (read === undefined) return { value: undefined, diagnostics };
  const ours = ourHooks(read);
  if (ours.size === 0) return { value: { text }, diagnostics };
  const next = withoutHooks(text, read);
  const before = backups.find((backup) => isBefore(config, backup, file, next));
  if (before !== undefined) return { value: { text: before }, diagnostics };
  const after = readConfigText(next, file).value;
  const left = Object.keys(after?.whole ?? {}).filter((key) => !(config.own && key in config.head));
  const isBare = left.length === 0 && !/\/[/*]/.test(next);
  return { value: { text: isBare && backups.length === 0 ? undefined : next }, diagnostics };
}

const ANY: HookProgram = { file: "hasp", args: ["hook"] };

/** Nothing was done to the file but what installing in this backup and taking it out again does. */
function isBefore(config: HostConfig, backup: string, file: string, next: string): boolean {
  const text = planInstall(config, backup, file, ANY).value?.text;
  const read = text === undefined ? undefined : readConfigText(text, file).value;
  return text !== undefined && read !== undefined && withoutHooks(text, read) === next;
}

function withoutHooks(text: string, read: ConfigText): string {
  return structural(text, read, [...ourHooks(read).keys()]);
}

function structural(text: string, read: ConfigText, events: readonly string[]): string {
  const next = events.reduce((then, event) => withoutEvent(then, event, read), text);
  const left = Object.entries(read.hooks).filter(
    ([event, list]) => !events.includes(event) || list.some((entry) => !handlersOf(entry).every(isOurs)),
  );
  return left.length === 0 ? removeAt(next, ["hooks"]) : next;
}
