import { addAll } from "../add-all.ts";
import { callIdsIn, callIdsOf, callsAnsweredBy } from "./message-blocks.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** A way through the tree of a conversation: the live one, or one that was abandoned. */
export interface ConversationPath {
  /** Places of its lines, in their order. */
  lines: readonly number[];
  /** The path that it left; undefined: it is the live one. */
  from: ConversationPath | undefined;
  /** Place of the line after which it left that; -1: before its first. */
  after: number;
}

interface Tree {
  readonly lines: readonly TranscriptLine[];
  readonly parents: Int32Array;
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
  /** Of each line the newest message in its subtree; -1: there is none. */
  readonly newest: Int32Array;
  readonly isNewer: (a: number, b: number) => boolean;
  /** Lines that belong to a path already. */
  readonly taken: Uint8Array;
  /** Calls of whole messages, for the first path that a line of the message is on. */
  readonly callsOf: Map<string, string[]>;
  /** Ids of all calls. */
  readonly calls: ReadonlySet<string>;
}

const ROOT = -1;

function treeOf(lines: readonly TranscriptLine[], parents: Int32Array): Tree {
  const count = lines.length;
  // The last place stands for what all first lines follow.
  const firstChild = new Int32Array(count + 1).fill(-1);
  const nextSibling = new Int32Array(count).fill(-1);
  for (let place = count - 1; place >= 0; place--) {
    const parent = parents[place] === ROOT ? count : (parents[place] ?? count);
    nextSibling[place] = firstChild[parent] ?? -1;
    firstChild[parent] = place;
  }
  const times = timesOf(lines);
  const isNewer = (a: number, b: number): boolean => {
    const [x, y] = [times[a] ?? 0, times[b] ?? 0];
    return x === y ? a > b : x > y;
  };
  const tree = { lines, parents, firstChild, nextSibling, newest: new Int32Array(count).fill(-1), isNewer };
  findNewest(tree);
  return { ...tree, taken: new Uint8Array(count), callsOf: callsByMessage(lines), calls: callIdsOf(lines) };
}

function callsByMessage(lines: readonly TranscriptLine[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines) {
    if (line.kind !== "agent" || line.messageId === undefined) continue;
    const calls = found.get(line.messageId) ?? [];
    found.set(line.messageId, calls);
    addAll(calls, callIdsIn(line.blocks));
  }
  return found;
}

/** Of each line its time; of one without a time that of the line before it in the file. */
function timesOf(lines: readonly TranscriptLine[]): Float64Array {
  const times = new Float64Array(lines.length);
  let latest = 0;
  lines.forEach(({ timestamp }, place) => {
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
    if (!Number.isNaN(time)) latest = time;
    times[place] = latest;
  });
  return times;
}

type Links = Pick<Tree, "firstChild" | "nextSibling">;

const firstOfChildren = ({ firstChild }: Links, place: number): number =>
  firstChild[place === ROOT ? firstChild.length - 1 : place] ?? -1;

const nextOf = ({ nextSibling }: Links, child: number): number => nextSibling[child] ?? -1;

function childrenOf(tree: Links, place: number): readonly number[] {
  const children: number[] = [];
  for (let child = firstOfChildren(tree, place); child !== -1; child = nextOf(tree, child))
    children.push(child);
  return children;
}

function findNewest(tree: Omit<Tree, "taken" | "callsOf" | "calls">): void {
  const { lines, parents, newest, isNewer } = tree;
  const order: number[] = [...childrenOf(tree, ROOT)];
  // Grows while it is read: parents stand before their children.
  for (const place of order)
    for (let child = firstOfChildren(tree, place); child !== -1; child = nextOf(tree, child))
      order.push(child);
  for (const place of order.toReversed()) {
    const own = newest[place] ?? -1;
    const best = lines[place]?.kind === "host" || (own !== -1 && isNewer(own, place)) ? own : place;
    newest[place] = best;
    const parent = parents[place] ?? ROOT;
    const above = parent === ROOT ? -1 : (newest[parent] ?? -1);
    if (parent !== ROOT && best !== -1 && (above === -1 || isNewer(best, above))) newest[parent] = best;
  }
}

/**
 * The paths of a conversation, the live one first: it leads to the newest message, or to `leaf`, to which a person went back last. What
 * hangs beside a path belongs to it where it answers its calls, goes on with its messages or is of the host alone; anything else is a path
 * of its own.
 */
export function pathsOf(
  lines: readonly TranscriptLine[],
  parents: Int32Array,
  leaf?: number,
): readonly ConversationPath[] {
  const tree = treeOf(lines, parents);
  const paths: ConversationPath[] = [];
  const open: {
    readonly start: number;
    readonly from: ConversationPath | undefined;
    readonly after: number;
  }[] = [{ start: ROOT, from: undefined, after: ROOT }];
  // Grows while it is read, by the paths that leave the one at hand.
  for (const { start, from, after } of open) {
    const spine =
      leaf !== undefined && from === undefined ? ancestorsOf(parents, leaf) : spineFrom(tree, start);
    const { own, leaving } = gather(tree, spine, from === undefined);
    const path: ConversationPath = { lines: own, from, after };
    paths.push(path);
    for (const one of leaving) open.push({ ...one, from: path });
  }
  return paths;
}

function ancestorsOf(parents: Int32Array, leaf: number): number[] {
  const found: number[] = [];
  for (let place = leaf; place !== ROOT; place = parents[place] ?? ROOT) found.push(place);
  return found.toReversed();
}

/** From this line on to the newest message below it. */
function spineFrom(tree: Tree, start: number): number[] {
  const spine = start === ROOT ? [] : [start];
  for (let at = start; ;) {
    let best = -1;
    for (let child = firstOfChildren(tree, at); child !== -1; child = nextOf(tree, child)) {
      const newest = tree.newest[child] ?? -1;
      if (tree.taken[child] === 1 || newest === -1) continue;
      if (best === -1 || tree.isNewer(newest, tree.newest[best] ?? -1)) best = child;
    }
    if (best === -1) return spine;
    spine.push(best);
    at = best;
  }
}

interface Leaving {
  readonly start: number;
  readonly after: number;
}

/** The lines of the path along `spine`, and the paths that leave it. */
function gather(
  tree: Tree,
  spine: readonly number[],
  isLive: boolean,
): { readonly own: readonly number[]; readonly leaving: readonly Leaving[] } {
  const members = membersOf(tree, spine);
  for (const place of spine) tree.taken[place] = 1;
  const leaving: Leaving[] = [];
  const beside = new Map<number, number[]>();
  // A path that is not live begins at its own first line: beside that one stand others' lines.
  for (const place of isLive ? [ROOT, ...spine] : spine) {
    const open = childrenOf(tree, place).filter((child) => tree.taken[child] !== 1);
    const found: number[] = [];
    for (const child of open) takeBeside(tree, child, members, found, leaving);
    if (found.length > 0) beside.set(place, found);
  }
  return { own: inOrder(spine, beside), leaving };
}

/** Ids of the messages of a path, and of their calls. */
interface Members {
  readonly messages: Set<string>;
  readonly calls: Set<string>;
}

function membersOf(tree: Tree, spine: readonly number[]): Members {
  const members: Members = { messages: new Set(), calls: new Set() };
  for (const place of spine) addMember(tree, members, tree.lines[place]);
  return members;
}

/** All calls of a message at once: a result may be met before the line with its call. */
function addMember({ callsOf }: Tree, { messages, calls }: Members, line: TranscriptLine | undefined): void {
  if (line?.kind !== "agent") return;
  for (const id of callIdsIn(line.blocks)) calls.add(id);
  if (line.messageId === undefined) return;
  messages.add(line.messageId);
  for (const id of callsOf.get(line.messageId) ?? []) calls.add(id);
  // Once: 50,000 paths may begin in one message.
  callsOf.delete(line.messageId);
}

/** Whether a line beside a path is part of it: another block of one of its messages, or results of its calls or of calls that are lost. */
function belongs(tree: Tree, line: TranscriptLine, { messages, calls }: Members): boolean {
  if (line.kind === "agent") return line.messageId !== undefined && messages.has(line.messageId);
  const ids = callsAnsweredBy(line);
  return ids.length > 0 && ids.every((id) => calls.has(id) || !tree.calls.has(id));
}

/** Whether a line says nothing of its own: of the host, or words of the program. */
const isOfHost = (line: TranscriptLine): boolean =>
  line.kind === "host" ||
  (line.kind === "user" && line.isProgram && !line.blocks.some(({ type }) => type === "tool_result"));

/** Takes what belongs to the path of the subtree at `top`, and notes where other paths begin in it. */
function takeBeside(tree: Tree, top: number, members: Members, found: number[], leaving: Leaving[]): void {
  const { lines, parents, taken } = tree;
  /** Lines of the host that nothing but the host's follows, so far. */
  const pending = new Set<number>();
  /** Those that another path begins with. */
  const leading = new Set<number>();
  const open = [top];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const line = lines[place];
    if (line === undefined || taken[place] === 1) continue;
    if (belongs(tree, line, members)) {
      addMember(tree, members, line);
      taken[place] = 1;
      found.push(place);
    } else if (isOfHost(line)) pending.add(place);
    else {
      const start = firstOf(place, parents, pending, leading);
      const after = parents[start] ?? ROOT;
      if (!leading.has(after)) leaving.push({ start, after });
      continue;
    }
    for (const child of childrenOf(tree, place)) open.push(child);
  }
  for (const place of pending) {
    taken[place] = 1;
    found.push(place);
  }
}

/** The line with which a path begins that leads to `place`: the topmost line of the host above it, if there is one. */
function firstOf(place: number, parents: Int32Array, pending: Set<number>, leading: Set<number>): number {
  let start = place;
  for (let above = parents[place] ?? ROOT; pending.delete(above); above = parents[above] ?? ROOT) {
    leading.add(above);
    start = above;
  }
  return start;
}

/** The lines of a path as the file has them; where the file has its spine in another order, each line with what hangs beside it. */
function inOrder(
  spine: readonly number[],
  beside: ReadonlyMap<number, readonly number[]>,
): readonly number[] {
  const all = (beside.get(ROOT) ?? []).toSorted((a, b) => a - b);
  for (const place of spine) {
    all.push(place);
    for (const other of (beside.get(place) ?? []).toSorted((a, b) => a - b)) all.push(other);
  }
  const isSorted = spine.every((place, i) => i === 0 || place > (spine[i - 1] ?? ROOT));
  return isSorted && beside.size > 0 ? all.sort((a, b) => a - b) : all;
}
