import { asRecord, asText } from "../records.ts";
import { type FileConversation, firstWords } from "./conversations.ts";
import { isCall, resultText } from "./message-blocks.ts";
import type { TranscriptLine } from "./transcript-line.ts";

/** Tools that start a sub-agent. */
const STARTS = new Set<unknown>(["Agent", "Task"]);

/** The end of such a tool's result, which names the agent; results within a sub-agent name it in no other way. */
const NAMED = /(?:^|\n)agentId: ([\w-]{4,64})\b/;

/** A call that started a sub-agent, as an event beside the messages names it. */
export interface AgentStart {
  readonly callId: string;
  readonly session: string;
  readonly agent: string;
}

/** Which calls started or asked which sub-agents; these are named by their episodes. */
export interface AgentLinks {
  /** Those of a call, once: ids of calls may come again, and 30,000 steps that name 30,000 agents each are too many. */
  readonly takeAgentsOf: (callId: string) => readonly string[];
  hasAgents(callId: string): boolean;
  /** The call that started it. */
  callOf(episode: string): string | undefined;
  /** The task that this call gives. */
  taskOf(callId: string): string | undefined;
  episodes(): Iterable<string>;
}

export const agentEpisode = (session: string, agent: string): string => `${session}~${agent}`;

/** Finds the links in the results of calls and in the tasks that sub-agents begin with. `gone`: those that a resumed session has again. */
export function linkAgents(
  conversations: readonly FileConversation[],
  starts: readonly AgentStart[],
  gone: ReadonlySet<string>,
): AgentLinks {
  const agents = new Map<string, Set<string>>();
  const calls = new Map<string, string>();
  const link = ({ callId, session, agent }: AgentStart): void => {
    const episode = agentEpisode(session, agent);
    if (gone.has(episode)) return;
    agents.set(callId, (agents.get(callId) ?? new Set()).add(episode));
    if (!calls.has(episode)) calls.set(episode, callId);
  };
  for (const start of starts) link(start);
  const tasks: Tasks = { calls: new Map(), texts: new Map() };
  for (const { lines } of conversations) {
    const starters = noteStarters(lines, tasks);
    for (const line of lines) for (const start of startsIn(line, starters)) link(start);
  }
  for (const conversation of conversations) {
    const { session, agent } = conversation;
    if (agent === undefined || calls.has(agentEpisode(session, agent))) continue;
    const callId = tasks.calls.get(`${session}\n${firstWords(conversation) ?? ""}`)?.shift();
    if (callId !== undefined) link({ callId, session, agent });
  }
  const taken = new Set<string>();
  return {
    takeAgentsOf(callId) {
      const isFirst = !taken.has(callId);
      taken.add(callId);
      return isFirst ? [...(agents.get(callId) ?? [])] : [];
    },
    hasAgents: (callId) => agents.has(callId),
    callOf: (episode) => calls.get(episode),
    taskOf: (callId) => tasks.texts.get(callId),
    episodes: () => calls.keys(),
  };
}

interface Tasks {
  /** Calls by their session and task, those that no sub-agent is known of. */
  readonly calls: Map<string, string[]>;
  /** Tasks by the call. */
  readonly texts: Map<string, string>;
}

/** Ids of the calls that start sub-agents; notes the tasks that they give. */
function noteStarters(lines: readonly TranscriptLine[], { calls, texts }: Tasks): ReadonlySet<string> {
  const starters = new Set<string>();
  for (const line of lines) {
    if (line.kind !== "agent") continue;
    for (const block of line.blocks) {
      const id = asText(block["id"]);
      if (!isCall(block) || !STARTS.has(block["name"]) || id === undefined) continue;
      starters.add(id);
      const task = asText(asRecord(block["input"])["prompt"])?.trim() ?? "";
      texts.set(id, task);
      const key = `${line.session}\n${task}`;
      const others = calls.get(key) ?? [];
      calls.set(key, others);
      others.push(id);
    }
  }
  return starters;
}

function startsIn(line: TranscriptLine, starters: ReadonlySet<string>): readonly AgentStart[] {
  const { session } = line;
  if (line.kind === "host" && line.event?.kind === "started") return [{ ...line.event, session }];
  if (line.kind !== "user") return [];
  let { agent } = line.beside;
  return line.blocks.flatMap((block) => {
    const callId = asText(block["tool_use_id"]);
    if (callId === undefined) return [];
    const named = agent ?? (starters.has(callId) ? NAMED.exec(resultText(block))?.[1] : undefined);
    agent = undefined;
    return named === undefined ? [] : [{ callId, session, agent: named }];
  });
}
