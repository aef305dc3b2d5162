import { spokenIn } from "./message-blocks.ts";
import type { AgentLine, TranscriptLine } from "./transcript-line.ts";

/** The lines of one agent that follow from each other: those of a session, or of several that go on from each other, or of a sub-agent. */
export interface FileConversation {
  /** Of a sub-agent: its session, and the agent. */
  readonly session: string;
  readonly agent: string | undefined;
  /** In the order of the file. */
  readonly lines: readonly TranscriptLine[];
}

/** A line's content as a short text: equal for copies of a line, whatever uuid they have. Undefined where it has nothing to tell it by. */
export function contentKey(line: AgentLine): string | undefined {
  const { messageId, timestamp } = line;
  if (messageId === undefined || timestamp === undefined) return undefined;
  return `${messageId}\n${timestamp}\n${blocksKey(line)}`;
}

function blocksKey(line: TranscriptLine): string {
  if (line.kind === "host") return "";
  return line.blocks
    .map(({ type, id, tool_use_id: result, text }) => {
      const words = typeof text === "string" ? `${text.length}:${text.slice(0, 80)}` : "";
      return [type, id, result, words].filter((part) => typeof part === "string").join(" ");
    })
    .join("\n");
}

/** The lines without those that stand there again, with uuid, time and content; and those that were left out. */
export function withoutCopies(lines: readonly TranscriptLine[]): {
  readonly lines: readonly TranscriptLine[];
  readonly copies: readonly TranscriptLine[];
} {
  const seen = new Map<string, TranscriptLine>();
  const copies = new Set<TranscriptLine>();
  for (const line of lines) {
    if (line.uuid === undefined || line.timestamp === undefined) continue;
    const first = seen.get(line.uuid);
    if (first === undefined) seen.set(line.uuid, line);
    else if (isCopy(first, line)) copies.add(line);
  }
  if (copies.size === 0) return { lines, copies: [] };
  return { lines: lines.filter((line) => !copies.has(line)), copies: [...copies] };
}

function isCopy(a: TranscriptLine, b: TranscriptLine): boolean {
  const isSamePlace = a.session === b.session && a.agent === b.agent && a.timestamp === b.timestamp;
  return isSamePlace && a.kind === b.kind && blocksKey(a) === blocksKey(b);
}

/** The conversations of a file, in the order in which they begin in it. */
export function conversationsOf(lines: readonly TranscriptLine[]): readonly FileConversation[] {
  const sessionOf = joinedSessions(lines.filter(({ isSide }) => !isSide));
  const agentOf = sideAgents(lines.filter(({ isSide }) => isSide));
  const found: { session: string; agent: string | undefined; lines: TranscriptLine[] }[] = [];
  const bySession = new Map<string, Map<string | undefined, (typeof found)[number]>>();
  for (const line of lines) {
    const agent = line.isSide ? agentOf(line) : undefined;
    const session = line.isSide ? line.session : sessionOf(line.session);
    const ofSession = bySession.get(session) ?? new Map<string | undefined, (typeof found)[number]>();
    const known = ofSession.get(agent);
    if (known !== undefined) {
      known.lines.push(line);
      continue;
    }
    const conversation = { session, agent, lines: [line] };
    found.push(conversation);
    bySession.set(session, ofSession.set(agent, conversation));
  }
  return found;
}

/** Names one session for all that go on from each other: a line of one names as its parent a line of another. */
function joinedSessions(lines: readonly TranscriptLine[]): (session: string) => string {
  const [first] = lines;
  if (lines.every(({ session }) => session === first?.session)) return (session) => session;
  const roots = new Map<string, string>();
  const rootOf = (session: string): string => {
    let root = session;
    for (let next = roots.get(root); next !== undefined && next !== root; next = roots.get(root)) root = next;
    roots.set(session, root);
    return root;
  };
  const own = new Map<string, Set<string>>();
  const home = new Map<string, string>();
  for (const { uuid, session } of lines) {
    if (uuid === undefined) continue;
    const uuids = own.get(session) ?? new Set();
    own.set(session, uuids.add(uuid));
    home.set(uuid, session);
  }
  for (const { parent, session } of lines) {
    if (typeof parent !== "string" || own.get(session)?.has(parent) === true) continue;
    const other = home.get(parent);
    if (other !== undefined) roots.set(rootOf(session), rootOf(other));
  }
  return rootOf;
}

/** The sub-agent of each line of a side chain: the one that it names, or that its parents name; else the chain is named by its first line. */
function sideAgents(lines: readonly TranscriptLine[]): (line: TranscriptLine) => string {
  const byUuid = new Map<string, TranscriptLine>();
  for (const line of lines) if (line.uuid !== undefined) byUuid.set(line.uuid, line);
  const found = new Map<TranscriptLine, string>();
  return (line) => {
    const chain = new Set<TranscriptLine>();
    let at = line;
    let agent = at.agent ?? found.get(at);
    while (agent === undefined && !chain.has(at)) {
      chain.add(at);
      const above = typeof at.parent === "string" ? byUuid.get(at.parent) : undefined;
      if (above === undefined) break;
      at = above;
      agent = at.agent ?? found.get(at);
    }
    agent ??= (at.uuid ?? "").slice(0, 8);
    for (const one of chain) found.set(one, agent);
    return agent;
  };
}

/** The first words of a conversation: of a sub-agent its task. */
export function firstWords({ lines }: FileConversation): string | undefined {
  for (const line of lines) {
    const text = line.kind === "user" ? spokenIn(line.blocks).text.trim() : "";
    if (text !== "") return text;
  }
  return undefined;
}
