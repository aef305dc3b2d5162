import { callIdsIn, callsAnsweredBy } from "./message-blocks.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** Of each line of a conversation the place of the line that it follows; -1: none. Never a circle. */
export interface ParentLinks {
  readonly parents: Int32Array;
  /** Messages whose parent is not in the file, but for the first: a file may go on from another. */
  readonly missing: readonly number[];
  /** Lines at which a circle of parents was cut. */
  readonly circular: readonly number[];
}

/** Finds the place of a line by its uuid; a session's own lines come first. */
type FindLine = (uuid: string, session: string) => number | undefined;

function uuidIndex(lines: readonly TranscriptLine[]): FindLine {
  const all = new Map<string, number>();
  const bySession = new Map<string, Map<string, number>>();
  const isOne = lines.every(({ session }) => session === lines[0]?.session);
  lines.forEach(({ uuid, session }, place) => {
    if (uuid === undefined) return;
    all.set(uuid, place);
    if (isOne) return;
    const own = bySession.get(session) ?? new Map<string, number>();
    bySession.set(session, own.set(uuid, place));
  });
  return (uuid, session) => bySession.get(session)?.get(uuid) ?? all.get(uuid);
}

/** Words of a person that follow nothing begin a conversation, or begin it anew. Any other line follows the one before it. */
function begins(line: TranscriptLine): boolean {
  if (line.parent !== null || line.kind !== "user" || line.isSummary) return false;
  return line.blocks.some(({ type }) => type !== "tool_result");
}

function parentOf(line: TranscriptLine): string | null | undefined {
  if (line.kind === "host" && line.event?.kind === "compaction") return line.parent ?? line.event.before;
  return line.parent;
}

/**
 * Links the lines of a conversation, which stand in the order of the file. A line whose parent is not there, or that closes a circle, is
 * taken to follow the line before it, or its call. `isElsewhere`: the uuid is that of a line of another conversation in the file.
 */
export function linkParents(
  lines: readonly TranscriptLine[],
  isElsewhere: (uuid: string) => boolean,
): ParentLinks {
  const find = uuidIndex(lines);
  const parents = new Int32Array(lines.length).fill(-1);
  const missing: number[] = [];
  /** Lines that follow the one before them, for want of anything better. */
  const loose = new Set<number>();
  const first = lines.findIndex(({ kind }) => kind !== "host");
  const isTree = lines.some(({ parent, uuid }) => typeof parent === "string" && parent !== uuid);
  lines.forEach((line, place) => {
    const named = isTree ? parentOf(line) : undefined;
    const found = typeof named === "string" ? find(named, line.session) : undefined;
    // A boundary may name a line that was written again behind it.
    const isBehind =
      found !== undefined && line.kind === "host" && line.event?.kind === "compaction" && found > place;
    if (found !== undefined && !isBehind) parents[place] = found;
    else if (!isTree || !begins(line)) loose.add(place);
    if (typeof named !== "string" || found !== undefined || isElsewhere(named)) return;
    if (line.kind !== "host" && place !== first) missing.push(place);
  });
  const circular = cutCircles(parents);
  for (const place of circular) loose.add(place);
  followOthers(lines, parents, loose, isTree);
  return { parents, missing, circular };
}

/** Cuts every circle at its first line. Answers with these lines. */
function cutCircles(parents: Int32Array): number[] {
  const cut: number[] = [];
  /** 0: not seen; else the number of the walk that saw it. */
  const seen = new Int32Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    let at = start;
    while (at !== -1 && seen[at] === 0) {
      seen[at] = start + 1;
      at = parents[at] ?? -1;
    }
    if (at === -1 || seen[at] !== start + 1) continue;
    let first = at;
    for (let next = parents[at] ?? -1; next !== at; next = parents[next] ?? at) first = Math.min(first, next);
    parents[first] = -1;
    cut.push(first);
  }
  return cut;
}

/** Hangs each loose line under the one before it, a result in a tree under its call, unless that follows from it. */
function followOthers(
  lines: readonly TranscriptLine[],
  parents: Int32Array,
  loose: ReadonlySet<number>,
  isTree: boolean,
): void {
  const calls = isTree && loose.size > 0 ? placesOfCalls(lines) : new Map<string, number>();
  const roots = Int32Array.from(parents.keys());
  const rootOf = (place: number): number => {
    let root = place;
    while (roots[root] !== root) root = roots[root] ?? root;
    for (let at = place; at !== root;) {
      const next = roots[at] ?? root;
      roots[at] = root;
      at = next;
    }
    return root;
  };
  // In a forest without circles the root of a line is that of its parent.
  parents.forEach((parent, place) => {
    if (parent !== -1) roots[place] = parent;
  });
  for (const place of [...loose].sort((a, b) => a - b)) {
    const before = callAnswered(lines[place], calls) ?? place - 1;
    if (before < 0 || rootOf(before) === place) continue;
    parents[place] = before;
    roots[place] = before;
  }
}

function placesOfCalls(lines: readonly TranscriptLine[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, line] of lines.entries())
    if (line.kind === "agent") for (const id of callIdsIn(line.blocks)) places.set(id, place);
  return places;
}

/** The place of the first call that a line has a result of. */
function callAnswered(
  line: TranscriptLine | undefined,
  calls: ReadonlyMap<string, number>,
): number | undefined {
  const [id] = line === undefined || calls.size === 0 ? [] : callsAnsweredBy(line);
  return id === undefined ? undefined : calls.get(id);
}
