import { asRecord, asText, isRecord } from "../records.ts";
import type { TalkState } from "./talk.ts";

/**
 * A file of a thread. Since 0.171.0 a thread that goes back begins a new file, and so does a thread that goes on from another one: it holds
 * what comes after a place in the file before.
 */
export interface ThreadFile {
  /** Its name among the files: that of its thread, but for the files after the first. */
  readonly segment: string;
  readonly thread: string;
  readonly base?: ThreadPlace | undefined;
}

/** The line of a file before which another one leaves it. */
export interface ThreadPlace {
  readonly segment: string;
  readonly ordinal: number;
}

/** The state at a place, for the file that continues there. */
export interface PlaceMark {
  readonly talk: TalkState;
  /** The last step before it, from 0; -1: none. Undefined: what stood before it was taken back, too. */
  readonly t: number | undefined;
}

/** The threads of the files that are imported together. */
export interface CodexThreads {
  /** The places of a file that others go on from. */
  readonly left: ReadonlyMap<string, ReadonlySet<number>>;
  /** From which line on a thread took back what a file holds; 0: all of it. */
  readonly takenFrom: ReadonlyMap<string, number>;
  /** Of the places that were read so far. */
  readonly marks: Map<string, PlaceMark>;
}

export const keyOf = ({ segment, ordinal }: ThreadPlace): string => `${segment}@${ordinal}`;

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const NAME = new RegExp(`(${UUID})(?:_(${UUID}))?(?:\\.jsonl)?(?:\\.zst)?$`, "i");

/** The segment that a file of this name holds. */
export function segmentIn(name: string): string | undefined {
  const [, thread, segment] = NAME.exec(name) ?? [];
  return segment ?? thread;
}

/** The place at which a file continues another one, from `history_base` of its first line. */
export function baseOf(payload: unknown): ThreadPlace | undefined {
  const base = asRecord(asRecord(payload)["history_base"]);
  const segment = asText(base["thread_id"]);
  const ordinal = base["end_ordinal_exclusive"];
  return segment === undefined || typeof ordinal !== "number" ? undefined : { segment, ordinal };
}

/** By the first line of a file. */
export function threadFileOf(name: string, first: unknown): ThreadFile | undefined {
  const payload = isRecord(first) && first["type"] === "session_meta" ? first["payload"] : undefined;
  const thread = asText(asRecord(payload)["id"]);
  if (thread === undefined) return undefined;
  return { segment: segmentIn(name) ?? thread, thread, base: baseOf(payload) };
}

/** How the files of threads hang together. What a thread holds is its newest file, and what that goes on from. */
export function threadsOf(files: readonly ThreadFile[]): CodexThreads {
  const left = new Map<string, Set<number>>();
  const bySegment = new Map(files.map((file) => [file.segment, file]));
  for (const { base } of files)
    if (base !== undefined) {
      const places = left.get(base.segment) ?? new Set();
      left.set(base.segment, places.add(base.ordinal));
    }
  const takenFrom = new Map<string, number>();
  for (const [thread, segments] of Map.groupBy(files, (file) => file.thread)) {
    // The ids of segments are UUIDs of version 7, which begin with their time.
    const sorted = segments.toSorted((a, b) => (a.segment < b.segment ? -1 : 1));
    const stands = new Set<string>();
    for (let at = sorted.at(-1); at !== undefined && !stands.has(at.segment);) {
      stands.add(at.segment);
      const { base } = at;
      const before = base === undefined ? undefined : bySegment.get(base.segment);
      if (base === undefined || before?.thread !== thread) break;
      takenFrom.set(before.segment, base.ordinal);
      at = before;
    }
    for (const { segment } of sorted) if (!stands.has(segment)) takenFrom.set(segment, 0);
  }
  return { left, takenFrom, marks: new Map() };
}
