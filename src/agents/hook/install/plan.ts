import type { Checked } from "../../../model/diagnostic.ts";
import { canonicalJson } from "../../../trace/canonical-json.ts";
import type { JsonRecord } from "../../../trace/formats/records.ts";
import type { HookProgram } from "./command-line.ts";
import { readConfigText, type ConfigText } from "./config-text.ts";
import { addItem, addKey, removeAt, replaceAt } from "./edit-json.ts";
import { foreignHooks } from "./foreign-hooks.ts";
import type { HostConfig, OnFailure } from "./host-config.ts";
import { handlersOf, isOurEntry, isOurHandler, ourHooks } from "./our-hooks.ts";

/** What becomes of a file. */
export interface ConfigChange {
  /** Undefined: the file goes. */
  readonly text: string | undefined;
}

/** Takes our hooks out of one entry, from its place in the list; what stays of it stays as it was. */
function withoutOursAt(
  config: HostConfig,
  text: string,
  event: string,
  index: number,
  entry: unknown,
): string {
  if (isOurEntry(config, event, entry)) return removeAt(text, ["hooks", event, index]);
  return handlersOf(entry).reduceRight<string>(
    (then, handler, i) =>
      isOurHandler(config, event, handler) ? removeAt(then, ["hooks", event, index, "hooks", i]) : then,
    text,
  );
}

/** From the last entry on, so that the places of those before it still hold. */
function withoutOurs(
  config: HostConfig,
  text: string,
  event: string,
  list: readonly unknown[],
  but?: number,
): string {
  return list.reduceRight<string>(
    (then, entry, i) => (i === but ? then : withoutOursAt(config, then, event, i, entry)),
    text,
  );
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

function installedIn(
  config: HostConfig,
  text: string,
  { hooks }: ConfigText,
  event: string,
  entry: JsonRecord,
): string {
  const isOurs = (one: unknown): boolean => isOurEntry(config, event, one);
  const list = Object.hasOwn(hooks, event) ? hooks[event] : undefined;
  if (list === undefined) return addKey(text, ["hooks"], event, [entry]);
  const same = list.findIndex((one) => isSame(one, entry));
  const place = same >= 0 ? same : list.findIndex(isOurs);
  const clean = withoutOurs(config, text, event, list, place < 0 ? undefined : place);
  if (place < 0) return addItem(clean, ["hooks", event], entry);
  const now = list.slice(0, place).filter((one) => !isOurs(one)).length;
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
  onFailure: OnFailure = "open",
): Checked<ConfigChange> {
  if (text === undefined) return { value: { text: freshText(config, program, onFailure) }, diagnostics: [] };
  const { value: read, diagnostics } = readConfigText(text, file);
  if (read === undefined) return { value: undefined, diagnostics };
  let next = read.text;
  for (const event of ourHooks(config, read).keys())
    if (!config.events.includes(event)) next = withoutEvent(config, next, event, read);
  for (const [key, value] of Object.entries(config.head))
    if (!Object.hasOwn(read.whole, key)) next = addKey(next, [], key, value);
  if (!Object.hasOwn(read.whole, "hooks")) next = addKey(next, [], "hooks", {});
  for (const event of config.events)
    next = installedIn(config, next, read, event, config.entry(event, program, onFailure));
  return { value: { text: next }, diagnostics: foreignHooks(config, read, file) };
}

function freshText(config: HostConfig, program: HookProgram, onFailure: OnFailure): string {
  const hooks = config.events.map((event) => [event, [config.entry(event, program, onFailure)]]);
  return `${JSON.stringify({ ...config.head, hooks: Object.fromEntries(hooks) }, undefined, 2)}\n`;
}

/** An event's list without our hooks; without the list where nothing else was in it. */
function withoutEvent(config: HostConfig, text: string, event: string, { hooks }: ConfigText): string {
  const list = hooks[event] ?? [];
  const isEmptied = list.every((entry) => isOurEntry(config, event, entry));
  return isEmptied ? removeAt(text, ["hooks", event]) : withoutOurs(config, text, event, list);
}

/**
 * The file without our hooks. Where one of the backups is what the file was before they came, it is that again, to the letter; else what
 * they leave empty goes with them: the file itself, unless a backup shows it without our hooks.
 */
export function planUninstall(
  config: HostConfig,
  text: string,
  file: string,
  backups: readonly string[],
): Checked<ConfigChange> {
  const { value: read, diagnostics } = readConfigText(text, file);
  if (read === undefined) return { value: undefined, diagnostics };
  const foreign = foreignHooks(config, read, file);
  if (ourHooks(config, read).size === 0) return { value: { text }, diagnostics: foreign };
  const next = withoutHooks(config, text, read);
  const earlier = backups.filter((backup) => !hasOurs(config, backup, file));
  const before = earlier.find((backup) => isBefore(config, backup, file, next));
  if (before !== undefined) return { value: { text: before }, diagnostics: foreign };
  const wasMade = earlier.length === 0 && isBare(config, next, file);
  return { value: { text: wasMade ? undefined : next }, diagnostics: foreign };
}

function hasOurs(config: HostConfig, text: string, file: string): boolean {
  const read = readConfigText(text, file).value;
  return read !== undefined && ourHooks(config, read).size > 0;
}

/** Nothing is left in the file but what installing writes into a new one. */
function isBare(config: HostConfig, text: string, file: string): boolean {
  const keys = Object.keys(readConfigText(text, file).value?.whole ?? {});
  const left = keys.filter((key) => !(config.own && key in config.head));
  return left.length === 0 && !/\/[/*]/.test(text);
}

const ANY: HookProgram = { file: "hasp", args: ["hook"] };

/** Nothing was done to the file but what installing in this backup and taking it out again does. */
function isBefore(config: HostConfig, backup: string, file: string, next: string): boolean {
  const text = planInstall(config, backup, file, ANY).value?.text;
  const read = text === undefined ? undefined : readConfigText(text, file).value;
  return text !== undefined && read !== undefined && withoutHooks(config, text, read) === next;
}

function withoutHooks(config: HostConfig, text: string, read: ConfigText): string {
  const events = [...ourHooks(config, read).keys()];
  const next = events.reduce((then, event) => withoutEvent(config, then, event, read), text);
  const left = Object.entries(read.hooks).filter(
    ([event, list]) => !events.includes(event) || list.some((entry) => !isOurEntry(config, event, entry)),
  );
  return left.length === 0 ? removeAt(next, ["hooks"]) : next;
}
