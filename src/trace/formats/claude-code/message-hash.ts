import type { Sha256 } from "../../ports.ts";
import { isRecord, type JsonRecord } from "../records.ts";
import type { TranscriptLine } from "./transcript-line.ts";

// Claude Code names each message of a request by its content (read in the program of 2.1.332): SHA-256 of its JSON with sorted keys and
// without `cache_control`. A message of a request is a run of lines: those in the user's place with nothing of the agent between them, or
// those of one message of the agent; the file holds any beginning of such a run as a message.

/** JSON with sorted keys, without `cache_control`. */
export function hashedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(hashedJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.keys(value)
    .filter((key) => key !== "cache_control" && value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${hashedJson(value[key])}`);
  return `{${entries.join(",")}}`;
}

/** The name of a message, from the JSON of its blocks. */
const nameOf = (sha256: Sha256, role: string, blocks: string): string =>
  sha256(`{"content":[${blocks}],"role":${JSON.stringify(role)}}`);

export const messageName = (sha256: Sha256, role: string, blocks: readonly unknown[]): string =>
  nameOf(sha256, role, blocks.map(hashedJson).join(","));

/** A message that the lines of a file hold. */
export interface HeldMessage {
  readonly role: "user" | "assistant";
  readonly blocks: readonly JsonRecord[];
}

/** Characters of one run that are hashed, all its beginnings together: each new line is hashed with all before it. */
const MAX_RUN = 64 * 1024 * 1024;

/**
 * The messages of the wanted names that the lines of one session hold, in the order of the file. `names`: of lines with pictures, whose
 * bytes are gone, the name of the message that the line is by itself.
 */
export function heldMessages(
  lines: Iterable<TranscriptLine>,
  wanted: ReadonlySet<string>,
  sha256: Sha256,
  names: ReadonlyMap<TranscriptLine, string>,
): ReadonlyMap<string, HeldMessage> {
  const found = new Map<string, HeldMessage>();
  let run:
    | { role: HeldMessage["role"]; messageId: string | undefined; blocks: JsonRecord[]; json: string }
    | undefined;
  let hashed = 0;
  for (const line of lines) {
    if (line.kind === "host") continue;
    if (found.size === wanted.size) break;
    const role = line.kind === "agent" ? "assistant" : "user";
    const messageId = line.kind === "agent" ? line.messageId : undefined;
    const goesOn =
      run?.role === role && (role === "user" || (messageId !== undefined && messageId === run.messageId));
    const own = names.get(line);
    if (own !== undefined) {
      if (wanted.has(own)) found.set(own, { role, blocks: line.blocks });
      run = undefined;
      continue;
    }
    if (run === undefined || !goesOn) {
      run = { role, messageId, blocks: [], json: "" };
      hashed = 0;
    }
    for (const block of line.blocks) {
      run.json = run.json === "" ? hashedJson(block) : `${run.json},${hashedJson(block)}`;
      run.blocks.push(block);
    }
    hashed += run.json.length;
    if (hashed > MAX_RUN) continue;
    const name = nameOf(sha256, role, run.json);
    if (wanted.has(name) && !found.has(name)) found.set(name, { role, blocks: run.blocks.slice() });
  }
  return found;
}
