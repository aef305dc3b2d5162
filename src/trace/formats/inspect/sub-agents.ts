import { addAll } from "../add-all.ts";
import { contentOf } from "../chat-messages.ts";
import { type Conversation, episodeOf } from "../conversation.ts";
import { asRecord, asText, type JsonRecord, recordsOf } from "../records.ts";
import { promptsOf } from "../said.ts";
import type { AgentTurn, ReadEpisode, ReadPrompt, Turn } from "../turn.ts";
import { type ModelCall, turnsOfMessage } from "./model-calls.ts";
import type { Spans, SubAgent } from "./spans.ts";

/** What the agents of a sample said and did, by the events. */
export interface SampleEvents {
  readonly events: readonly JsonRecord[];
  readonly calls: readonly ModelCall[];
  readonly spans: Spans;
  readonly resolve: (value: unknown) => unknown;
}

/** An agent's turn as the call of the model tells it. */
export function toldByCall(call: ModelCall, read: ReadPrompt | undefined): Partial<AgentTurn> {
  const { usage, extra, completion } = call;
  return { usage, extra, ...(read === undefined ? {} : { read, completion }) };
}

/** What the model read before each of the calls, where the file tells it. */
export function promptsFor(calls: readonly ModelCall[]): ReadonlyMap<ModelCall, ReadPrompt> {
  const told = calls.filter(({ said }) => said !== undefined);
  const prompts = promptsOf(told.map(({ said }) => ({ said, isPartial: false })));
  return new Map(
    told.flatMap((call, at) => {
      const prompt = prompts[at];
      return prompt === undefined ? [] : [[call, prompt] as const];
    }),
  );
}

/** The episodes of a sample while its agents are added: which step of which names whom. */
interface Made {
  readonly read: ReadEpisode;
  /** Steps by the ids of their calls. */
  readonly steps: ReadonlyMap<unknown, number>;
  readonly named: Map<number, string[]>;
}

const madeOf = (read: ReadEpisode): Made => ({
  read,
  steps: new Map(read.episode.steps.map(({ t, extra }) => [extra?.["callId"], t])),
  named: new Map(),
});

/** The main episode, with the steps that called agents naming them, and the episodes of those agents. */
export function withSubAgents(
  main: ReadEpisode,
  about: Pick<Conversation, "settings" | "extra">,
  sample: SampleEvents,
): readonly ReadEpisode[] {
  const root = madeOf(main);
  const made = new Map<string, Made>();
  const acts = actsOf(sample);
  const names = new Map<string, number>();
  for (const agent of sample.spans.agents) {
    const own = acts.get(agent.id);
    if (own === undefined || own.calls.length === 0) continue;
    const caller = made.get(agent.parent ?? "") ?? root;
    const t = agent.callId === undefined ? undefined : caller.steps.get(agent.callId);
    const episode = caller.read.episode.id;
    const origin = { as: "sub_agent", episode, ...(t === undefined ? {} : { t }) } as const;
    const id = freeName(`${main.episode.id}~${agent.name || "agent"}`, names);
    const told = turnsOfAgent(own, sample);
    made.set(agent.id, madeOf(episodeOf({ id, source: "inspect", origin, ...about, ...told })));
    if (t !== undefined) caller.named.set(t, [...(caller.named.get(t) ?? []), id]);
  }
  return [root, ...made.values()].map(withNames);
}

function freeName(name: string, names: Map<string, number>): string {
  const times = (names.get(name) ?? 0) + 1;
  names.set(name, times);
  return times === 1 ? name : `${name}-${times}`;
}

/** The episode whose steps name the agents that they called. */
function withNames({ read, named }: Made): ReadEpisode {
  if (named.size === 0) return read;
  const steps = read.episode.steps.map((step) => {
    const subAgents = named.get(step.t);
    return subAgents === undefined ? step : { ...step, extra: { ...step.extra, subAgents } };
  });
  return { ...read, episode: { ...read.episode, steps } };
}

/** What one agent did. */
interface Acts {
  readonly calls: ModelCall[];
  /** Events of the tools that it called, with their places. */
  readonly tools: { readonly at: number; readonly event: JsonRecord }[];
}

/** What each agent did, by its span. */
function actsOf({ events, calls, spans }: SampleEvents): ReadonlyMap<string, Acts> {
  const acts = new Map<string, Acts>(spans.agents.map(({ id }: SubAgent) => [id, { calls: [], tools: [] }]));
  for (const call of calls) if (call.owner.kind === "agent") acts.get(call.owner.id)?.calls.push(call);
  events.forEach((event, at) => {
    if (event["event"] === "tool") acts.get(asText(event["span_id"]) ?? "")?.tools.push({ at, event });
  });
  return acts;
}

/** What an agent was told, said and did, in the order of the events. */
function turnsOfAgent(
  { calls, tools }: Acts,
  { resolve }: SampleEvents,
): Pick<Conversation, "turns" | "answer"> {
  const prompts = promptsFor(calls);
  const heard = new Set<unknown>(calls.flatMap(({ message }) => asText(message["id"]) ?? []));
  const turns: Turn[] = [];
  let nextTool = 0;
  calls.forEach((call, n) => {
    for (const message of call.input) {
      const key = asText(message["id"]) ?? message;
      const isNew = !heard.has(key) && (n === 0 || isSaidToIt(message));
      heard.add(key);
      if (isNew) addAll(turns, turnsOfMessage(message).map(asTold));
    }
    addAll(turns, turnsOfCall(call, prompts.get(call), n === calls.length - 1));
    const until = calls[n + 1]?.at ?? Infinity;
    for (let tool = tools[nextTool]; tool !== undefined && tool.at < until; tool = tools[++nextTool])
      turns.push(resultOf(tool.event, resolve));
  });
  const answer = submittedIn(calls.at(-1)?.message);
  return { turns, ...(answer === undefined ? {} : { answer }) };
}

const isSaidToIt = ({ role }: JsonRecord): boolean => role === "user" || role === "system";

/** Words of other agents, and calls that were made before this one took over, are what it was told. */
function asTold(turn: Turn): Turn {
  return turn.kind === "agent" || turn.kind === "result" ? { kind: "system", text: turn.text } : turn;
}

function turnsOfCall(call: ModelCall, prompt: ReadPrompt | undefined, isLast: boolean): readonly Turn[] {
  return turnsOfMessage({ ...call.message, role: "assistant" }).map((turn): Turn => {
    if (turn.kind !== "agent") return turn;
    const ends = isLast && turn.calls.length === 0;
    return { ...turn, ...toldByCall(call, prompt), ...(ends && { ends }) };
  });
}

/** The answer that an agent of Inspect's own hands in by a call. */
export function submittedIn(message: JsonRecord | undefined): string | undefined {
  const call = recordsOf(message?.["tool_calls"]).find((one) => one["function"] === "submit");
  return asText(asRecord(call?.["arguments"])["answer"]);
}

/** What a tool gave back, as its event tells it. */
function resultOf(event: JsonRecord, resolve: (value: unknown) => unknown): Turn {
  const failed = event["error"] !== undefined && event["error"] !== null;
  const why = asText(asRecord(event["error"])["message"]) ?? "";
  const { text } = contentOf(resolve(event["result"]));
  return {
    kind: "result",
    callId: asText(event["id"]),
    text: [text, why].filter((part) => part !== "").join("\n"),
    ...(failed && { result: { ok: false } }),
  };
}
