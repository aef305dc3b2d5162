import { addAll } from "../add-all.ts";
import { contentKey, type FileConversation } from "./conversations.ts";
import type { ConversationPath } from "./conversation-paths.ts";
import { isCall, isResult } from "./message-blocks.ts";
import type { TranscriptLine } from "./transcript-line.ts";

// A session that is resumed may write its earlier lines again, under new uuids or a new id of the session.

/** Where a reply stands first. */
interface Standing {
  readonly path: ConversationPath;
  readonly place: number;
}

/**
 * Takes the replies out of the paths that stand on one before or earlier on the same, with the results of their calls. A path that repeats
 * the beginning of another leaves that behind it. Answers with the lines that were taken out; a path may be empty then.
 */
export function dropRepeats(
  lines: readonly TranscriptLine[],
  paths: readonly ConversationPath[],
): readonly TranscriptLine[] {
  if (!hasRepeats(lines)) return [];
  const seen = new Map<string, Standing>();
  const dropped: TranscriptLine[] = [];
  for (const path of paths) {
    const again = new Map<number, Standing>();
    for (const place of path.lines) {
      const line = lines[place];
      const key = line?.kind === "agent" ? contentKey(line) : undefined;
      if (key === undefined) continue;
      const before = seen.get(key);
      if (before === undefined) seen.set(key, { path, place });
      else again.set(place, before);
    }
    if (again.size > 0) addAll(dropped, dropFrom(lines, path, again));
  }
  return dropped;
}

/** A quick look: without two replies of one message and time there are none. Most files have none. */
function hasRepeats(lines: readonly TranscriptLine[]): boolean {
  const seen = new Set<string>();
  for (const line of lines) {
    if (line.kind !== "agent" || line.messageId === undefined || line.timestamp === undefined) continue;
    const [block] = line.blocks;
    const name = `${line.messageId} ${line.timestamp} ${String(block?.["type"])} ${String(block?.["id"])}`;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

function dropFrom(
  lines: readonly TranscriptLine[],
  path: ConversationPath,
  again: ReadonlyMap<number, Standing>,
): readonly TranscriptLine[] {
  const replies = path.lines.filter((place) => lines[place]?.kind === "agent");
  const firstNew = replies.find((place) => !again.has(place));
  const lead = replies.slice(0, firstNew === undefined ? undefined : replies.indexOf(firstNew)).at(-1);
  const standing = lead === undefined || path.from === undefined ? undefined : again.get(lead);
  const begin = standing === undefined || lead === undefined ? 0 : path.lines.indexOf(lead) + 1;
  const calls = callsOf(lines, again.keys());
  const isKept = (place: number, i: number): boolean =>
    i >= begin && !again.has(place) && !answers(lines[place], calls);
  const isEmpty = firstNew === undefined && path.from !== undefined;
  const kept = isEmpty ? [] : path.lines.filter(isKept);
  const stays = new Set(kept);
  const dropped = path.lines.filter((place) => !stays.has(place)).flatMap((place) => lines[place] ?? []);
  path.lines = kept;
  if (standing !== undefined) {
    path.from = standing.path;
    path.after = standing.place;
  }
  return dropped;
}

/** Ids of the calls of these lines. */
function callsOf(lines: readonly TranscriptLine[], places: Iterable<number>): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  for (const place of places) {
    const line = lines[place];
    if (line?.kind === "agent") for (const block of line.blocks) if (isCall(block)) found.add(block["id"]);
  }
  return found;
}

/** Whether the line has nothing but results of these calls. */
function answers(line: TranscriptLine | undefined, calls: ReadonlySet<unknown>): boolean {
  if (line?.kind !== "user" || line.blocks.length === 0) return false;
  return line.blocks.every((block) => isResult(block) && calls.has(block["tool_use_id"]));
}

/** Sessions, and sub-agents, whose every reply another one of the file holds as well: a session that resumed them wrote it again. */
export function resumedElsewhere(conversations: readonly FileConversation[]): ReadonlySet<FileConversation> {
  const main = conversations.filter(({ agent }) => agent === undefined);
  const agents = conversations.filter(({ agent }) => agent !== undefined);
  return new Set([...heldByOthers(main), ...heldByOthers(agents)]);
}

function heldByOthers(conversations: readonly FileConversation[]): readonly FileConversation[] {
  if (conversations.length < 2) return [];
  const holder = new Map<string, FileConversation>();
  for (const conversation of conversations)
    for (const key of keysOf(conversation)) if (key !== undefined) holder.set(key, conversation);
  return conversations.filter((conversation) => {
    const keys = keysOf(conversation);
    const other = keys[0] === undefined ? undefined : holder.get(keys[0]);
    if (other === undefined || other === conversation) return false;
    return keys.every((key) => key !== undefined && holder.get(key) === other);
  });
}

const keysOf = ({ lines }: FileConversation): (string | undefined)[] =>
  lines.flatMap((line) => (line.kind === "agent" ? [contentKey(line)] : []));

/** Calls of tools in these lines. */
export const callsIn = (lines: readonly TranscriptLine[]): number =>
  lines.reduce((sum, line) => sum + (line.kind === "agent" ? line.blocks.filter(isCall).length : 0), 0);
