import { isRecord, type JsonRecord } from "../../../trace/formats/records.ts";
import type { HookHost } from "../event.ts";
import type { ConfigText } from "./config-text.ts";
import { hookCall } from "./hook-call.ts";
import type { HostConfig } from "./host-config.ts";

/** Whether a handler in the list of an event is one that `hasp hook install` writes there, of any version and place. */
export function isOurHandler({ host }: HostConfig, event: string, handler: unknown): boolean {
  const call = hookCall(handler);
  return call !== undefined && call.host === host && (call.event ?? event) === event;
}

/** The handlers of an entry of a list: the entry itself, or those of its group. */
export function handlersOf(entry: unknown): readonly unknown[] {
  return isRecord(entry) && Array.isArray(entry["hooks"]) ? entry["hooks"] : [entry];
}

/** Whether an entry holds our handlers and no other. */
export function isOurEntry(config: HostConfig, event: string, entry: unknown): boolean {
  const handlers = handlersOf(entry);
  return handlers.length > 0 && handlers.every((handler) => isOurHandler(config, event, handler));
}

/** Our hooks in a file, by event. */
export function ourHooks(
  config: HostConfig,
  { hooks }: Pick<ConfigText, "hooks">,
): ReadonlyMap<string, readonly JsonRecord[]> {
  const found = new Map<string, readonly JsonRecord[]>();
  for (const [event, list] of Object.entries(hooks)) {
    const handlers = list.flatMap(handlersOf).filter(isRecord);
    const ours = handlers.filter((handler) => isOurHandler(config, event, handler));
    if (ours.length > 0) found.set(event, ours);
  }
  return found;
}

/** Whether a command line, as a host logs it with its words joined by blanks, starts a hook of ours for this host. */
export function isOurLine(line: string, host: HookHost): boolean {
  const at = line.indexOf(" --host ");
  const program = line.slice(0, at).replaceAll(/["']/g, "");
  const isOurs = program === "hasp hook" || /[\\/](?:dist[\\/]hook|hasp-hook)\.cjs$/.test(program);
  return isOurs && `${line.slice(at)} `.startsWith(` --host ${host} `);
}
