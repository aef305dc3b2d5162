import type { Origin } from "../../../model/episode.ts";
import { type FormatProblem, type FormatResult, warning } from "../format-reader.ts";
import type { Ledger } from "../ledger.ts";
import type { ReadEpisode, ReadPrompt } from "../turn.ts";
import type { CalledAgent, CalledAgents } from "../called-agents.ts";
import { conversationsOf, type FileConversation, withoutCopies } from "./conversations.ts";
import { pathsOf } from "./conversation-paths.ts";
import { callIdsOf, callsAnsweredBy, spokenIn } from "./message-blocks.ts";
import { type ParentLinks, linkParents } from "./parent-links.ts";
import { episodesOfPaths, type PathEpisode } from "./path-episodes.ts";
import { callsIn, dropRepeats, resumedElsewhere } from "./repeated-lines.ts";
import type { SessionFacts } from "./session-facts.ts";
import { agentEpisode, type AgentLinks, type AgentStart, linkAgents } from "./sub-agents.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** The place to which a person went back last, as the program notes it. */
export interface Checkpoint {
  /** Uuid of the line; null: to before the first words. */
  readonly leaf: string | null;
  /** 0-based line of the file. */
  readonly line: number;
}

/** Everything that the lines of a file told. */
export interface FileSessions {
  readonly lines: readonly TranscriptLine[];
  readonly starts: readonly AgentStart[];
  readonly checkpoints: ReadonlyMap<string, Checkpoint>;
  factsOf(session: string, agent: string | undefined): SessionFacts;
  readonly promptOf: (requestRef: string) => ReadPrompt | undefined;
  readonly ledger: Ledger;
  readonly called: CalledAgents;
}

/** A conversation with the episodes of its paths. */
interface Built {
  readonly conversation: FileConversation;
  readonly id: string;
  readonly episodes: readonly PathEpisode[];
}

/** The step that called a sub-agent, and the conversation that it is of. */
interface Caller extends CalledAgent {
  readonly of: Built;
}

/** The episodes of a file: those of each conversation in the order in which these begin. */
export function episodesOfFile(file: FileSessions): FormatResult {
  const { ledger } = file;
  const { lines, copies } = withoutCopies(file.lines);
  noteRepeats(ledger, copies);
  const uuids = new Set(lines.map(({ uuid }) => uuid));
  const calls = callIdsOf(lines);
  const conversations = conversationsOf(lines);
  const resumed = resumedElsewhere(conversations);
  const gone = new Set(Array.from(resumed, ({ session, agent }) => agentEpisode(session, agent ?? "")));
  const links = linkAgents(conversations, file.starts, gone);
  const problems: FormatProblem[] = [];
  const built: Built[] = [];
  for (const conversation of conversations) {
    if (resumed.has(conversation)) noteRepeats(ledger, conversation.lines);
    else built.push(buildConversation(file, conversation, { uuids, calls, links, problems }));
  }
  for (const { conversation, episodes } of built)
    if (episodes.length === 0) problems.push(...withoutReply(conversation, ledger));
  return { episodes: withOrigins(built, links, file.called), problems };
}

function noteRepeats(ledger: Ledger, lines: readonly TranscriptLine[]): void {
  const why = "a resumed session wrote them again";
  ledger.dropped("lines that stand in the file twice", why, lines.length);
  ledger.dropped("calls of tools (tool_use) that stand in the file twice", why, callsIn(lines));
}

interface Around {
  readonly uuids: ReadonlySet<string | undefined>;
  /** Ids of all calls of the file. */
  readonly calls: ReadonlySet<string>;
  readonly links: AgentLinks;
  readonly problems: FormatProblem[];
}

function buildConversation(
  file: FileSessions,
  conversation: FileConversation,
  { uuids, calls, links, problems }: Around,
): Built {
  const { ledger } = file;
  const { session, agent, lines } = conversation;
  const found = linkParents(lines, (uuid) => uuids.has(uuid));
  problems.push(...linkProblems(lines, found));
  const checkpoint = agent === undefined ? lastCheckpoint(file, lines) : undefined;
  const leaf = checkpoint?.leaf ?? undefined;
  const place = leaf === undefined ? -1 : lines.findIndex(({ uuid }) => uuid === leaf);
  const paths = pathsOf(lines, found.parents, place === -1 ? undefined : place);
  noteRepeats(ledger, dropRepeats(lines, paths));
  const newest = paths[0]?.lines.findLast((at) => lines[at]?.kind !== "host");
  const own = lines[newest ?? 0]?.session ?? session;
  const id = agent === undefined ? own : agentEpisode(session, agent);
  const { episodes, takenBack, unread } = episodesOfPaths(
    {
      id,
      lines,
      facts: file.factsOf(own, agent),
      turns: {
        cwd: file.factsOf(own, agent).cwd,
        ledger,
        promptOf: file.promptOf,
        takeSubAgentsOf: links.takeAgentsOf,
        usageTold: new Set(),
      },
      task: (agent === undefined ? undefined : links.taskOf(links.callOf(id) ?? "")) ?? taskIn(lines),
      isAbandoned: checkpoint?.leaf === null,
      isMain: agent === undefined,
    },
    paths.filter((path) => path.from === undefined || path.lines.length > 0),
  );
  if (episodes.length > 0) problems.push(...lostCalls(lines, calls));
  const branches = episodes.filter(({ isLive }) => !isLive).length;
  ledger.mapped("abandoned branches", "episodes of their own, with the outcome abandoned", branches);
  if (agent !== undefined) ledger.mapped("sub-agents", "episodes of their own", episodes.length - branches);
  ledger.kept("words that were taken back before a reply", "extra of the episode (takenBack)", takenBack);
  ledger.dropped("results on branches without a reply", "the agent read none of them", unread);
  return { conversation, id, episodes };
}

/** The task that a session began with which no person began. */
function taskIn(lines: readonly TranscriptLine[]): string | undefined {
  for (const line of lines) {
    if (line.kind === "agent") return undefined;
    const text = line.kind === "user" && line.isTask ? spokenIn(line.blocks).text.trim() : "";
    if (text !== "") return text;
  }
  return undefined;
}

/** The place to which a person went back, unless something was said since. */
function lastCheckpoint(file: FileSessions, lines: readonly TranscriptLine[]): Checkpoint | undefined {
  const last = lines.findLast(({ kind }) => kind !== "host");
  const checkpoint = last && file.checkpoints.get(last.session);
  return checkpoint !== undefined && last !== undefined && last.line < checkpoint.line
    ? checkpoint
    : undefined;
}

const LOST_LINES = "Get the file again where lines of it are lost.";

function linkProblems(lines: readonly TranscriptLine[], { missing, circular }: ParentLinks): FormatProblem[] {
  const linesAt = (places: readonly number[]) => places.flatMap((place) => lines[place] ?? []);
  const follows = "it is taken to follow the line before it";
  return [
    ...problemOf(linesAt(missing), `its parent is not in the file; ${follows}`),
    ...problemOf(linesAt(circular), `its parent follows from the line itself; ${follows}`),
  ];
}

function lostCalls(lines: readonly TranscriptLine[], calls: ReadonlySet<string>): FormatProblem[] {
  const lost = lines.filter((line) => callsAnsweredBy(line).some((id) => !calls.has(id)));
  return problemOf(lost, "its call is not in the file; the result is kept as an observation");
}

/** One finding for all lines that have it. */
function problemOf([first, ...more]: readonly TranscriptLine[], what: string): FormatProblem[] {
  if (first === undefined) return [];
  const others = more.length === 0 ? "" : ` (lines like it: ${more.length} more)`;
  return [warning(first.line, `${what}${others}.`, LOST_LINES)];
}

/** A session in which the agent said nothing gives no episode. */
function withoutReply({ lines, session, agent }: FileConversation, ledger: Ledger): readonly FormatProblem[] {
  const [first] = lines;
  const said = lines.some((line) => line.kind !== "host");
  if (first === undefined || !said) return [];
  ledger.dropped("sessions without a reply", "the agent did nothing in them");
  const name = JSON.stringify((agent === undefined ? session : agentEpisode(session, agent)).slice(0, 100));
  const message = `the session ${name} has no reply of the agent, so it gives no episode.`;
  const next = "Nothing to do, unless you know of replies in it.";
  return [{ line: first.line, severity: "information", message, next }];
}

/** The episodes with the steps that called the sub-agents among them; one called in an abandoned path is abandoned too. */
function withOrigins(built: readonly Built[], links: AgentLinks, called: CalledAgents): ReadEpisode[] {
  const steps = new Map<string, Caller>();
  for (const one of built)
    for (const { read } of one.episodes)
      for (const { t, extra } of read.episode.steps) {
        const id = extra?.["callId"];
        const isAbandoned = read.episode.outcome === "abandoned";
        if (typeof id === "string" && links.hasAgents(id) && !steps.has(id))
          steps.set(id, { episode: read.episode.id, t, isAbandoned, of: one });
      }
  const callerOf = (id: string) => steps.get(links.callOf(id) ?? "");
  const isAbandonedAbove = (id: string): boolean => called.get(id)?.isAbandoned === true;
  const abandoned = abandonedAgents(built, callerOf, isAbandonedAbove);
  for (const id of links.episodes()) {
    const caller = callerOf(id);
    if (caller === undefined) continue;
    const isAbandoned = caller.isAbandoned || abandoned.get(caller.of) === true;
    called.set(id, { episode: caller.episode, t: caller.t, isAbandoned });
  }
  const mains = new Set(built.filter(({ conversation }) => conversation.agent === undefined));
  return built.flatMap((one) => {
    if (mains.has(one)) return one.episodes.map(({ read }) => read);
    const caller = called.get(one.id);
    const origin: Origin = {
      as: "sub_agent",
      episode: caller?.episode ?? one.conversation.session,
      ...(caller === undefined ? {} : { t: caller.t }),
    };
    return one.episodes.map(({ read, isLive }) =>
      asAgent(read, isLive ? origin : undefined, caller?.isAbandoned === true),
    );
  });
}

function asAgent(read: ReadEpisode, origin: Origin | undefined, isAbandoned: boolean): ReadEpisode {
  const episode = {
    ...read.episode,
    ...(origin === undefined ? {} : { origin }),
    ...(isAbandoned ? { outcome: "abandoned" as const } : {}),
  };
  return { ...read, episode };
}

/** Whether each sub-agent was called, itself or by those above it, on an abandoned path. `isAbandonedAbove`: by one of another file. */
function abandonedAgents(
  built: readonly Built[],
  callerOf: (id: string) => Caller | undefined,
  isAbandonedAbove: (id: string) => boolean,
): ReadonlyMap<Built, boolean> {
  const known = new Map<Built, boolean>();
  for (const one of built) {
    const above = new Set<Built>();
    let at: Built | undefined = one;
    let isAbandoned = false;
    while (at !== undefined && !known.has(at) && !above.has(at)) {
      above.add(at);
      const caller: Caller | undefined = at.conversation.agent === undefined ? undefined : callerOf(at.id);
      isAbandoned = caller?.isAbandoned ?? isAbandonedAbove(at.id);
      at = isAbandoned ? undefined : caller?.of;
    }
    if (at !== undefined) isAbandoned ||= known.get(at) === true;
    for (const agent of above) known.set(agent, isAbandoned);
  }
  return known;
}
