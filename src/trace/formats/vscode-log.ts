import type { Ledger } from "./ledger.ts";
import { asList, asName, asRecord, asText, isRecord, type JsonRecord } from "./records.ts";

/** Requests that were taken out of a session together, and the one that they came after. */
export interface RemovedRequests {
  readonly after: string | undefined;
  readonly requests: readonly JsonRecord[];
}

/** A session of VS Code's chat as its log tells it so far. */
export interface ChatLog {
  state: unknown;
  readonly removed: RemovedRequests[];
}

const INITIAL = 0;
const SET = 1;
const PUSH = 2;
const DELETE = 3;

/** A line of a `chatSessions/*.jsonl`: the whole session, or a change of it. */
export function isChatLogEntry(value: unknown): value is JsonRecord {
  if (!isRecord(value)) return false;
  if (value["kind"] === INITIAL) return Array.isArray(asRecord(value["v"])["requests"]);
  return typeof value["kind"] === "number" && Array.isArray(value["k"]);
}

/**
 * Applies one entry, as VS Code's objectMutationLog.ts does; answers why not where it cannot. Keys of strangers are set and followed as own
 * properties alone.
 */
export function applyEntry(log: ChatLog, entry: JsonRecord, ledger: Ledger): string | undefined {
  const { kind } = entry;
  const path = asList(entry["k"]);
  const key = path.at(-1);
  if (kind === INITIAL) {
    log.state = entry["v"];
    return undefined;
  }
  if (kind !== SET && kind !== PUSH && kind !== DELETE) {
    ledger.unknown(`entries of kind ${asName(kind)}`);
    return undefined;
  }
  const holder = placeOf(log.state, path.slice(0, -1));
  if (holder === undefined || (typeof key !== "string" && typeof key !== "number"))
    return `there is nothing at ${path.map(asName).join(".").slice(0, 100)}`;
  const before = ownValue(holder, key);
  if (kind === PUSH) {
    const list = Array.isArray(before) ? (before as unknown[]) : [];
    const { i } = entry;
    const cut =
      typeof i === "number" && Number.isInteger(i) && i >= 0 && i < list.length ? list.splice(i) : [];
    const added = asList(entry["v"]);
    if (path.length === 1 && key === "requests")
      noteRemoved(log, { gone: cut, instead: added, after: list.at(-1) });
    for (const item of added) list.push(item);
    return before === list || put(holder, key, list) ? undefined : noPlace(key);
  }
  const value = kind === SET ? entry["v"] : undefined;
  if (path[0] === "requests" && path.length <= 2) {
    const at = path.length === 2 && Array.isArray(holder) && typeof key === "number" ? key : 0;
    const [gone, instead] = path.length === 2 ? [[before], [value]] : [asList(before), asList(value)];
    noteRemoved(log, { gone, instead, after: Array.isArray(holder) ? holder[at - 1] : undefined });
  }
  return put(holder, key, value) ? undefined : noPlace(key);
}

const noPlace = (key: string | number): string => `the list has no index ${key}`;

type Holder = unknown[] | Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => Array.isArray(value) || isRecord(value);

function placeOf(state: unknown, path: readonly unknown[]): Holder | undefined {
  let at: unknown = state;
  for (const key of path) {
    if (!isHolder(at) || (typeof key !== "string" && typeof key !== "number")) return undefined;
    at = ownValue(at, key);
  }
  return isHolder(at) ? at : undefined;
}

function ownValue(holder: Holder, key: string | number): unknown {
  if (Array.isArray(holder)) return typeof key === "number" ? holder[key] : undefined;
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function put(holder: Holder, key: string | number, value: unknown): boolean {
  if (Array.isArray(holder)) {
    if (typeof key !== "number" || !Number.isInteger(key) || key < 0 || key > holder.length) return false;
    holder[key] = value;
  } else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
  return true;
}

const idOf = (request: unknown): string | undefined => asText(asRecord(request)["requestId"]);

interface Change {
  readonly gone: readonly unknown[];
  readonly instead: readonly unknown[];
  readonly after: unknown;
}

/** Requests that a change takes out of the session: a person went back to an earlier checkpoint and sent another one. */
function noteRemoved({ removed }: ChatLog, { gone, instead, after }: Change): void {
  const kept = new Set(instead.map(idOf));
  const requests = gone
    .filter(isRecord)
    .filter((request) => idOf(request) !== undefined && !kept.has(idOf(request)));
  if (requests.length > 0) removed.push({ after: idOf(after), requests });
}
