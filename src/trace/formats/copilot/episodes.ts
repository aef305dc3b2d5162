import type { Origin } from "../../../model/episode.ts";
import type { Usage } from "../../../model/usage.ts";
import { codingAction, resultOf } from "../coding-turns.ts";
import { episodeOf } from "../conversation.ts";
import { sumOfUsages } from "../counts.ts";
import { endsWithCode, exitCodeIn } from "../exit-code.ts";
import { asRecord, asText, compact } from "../records.ts";
import { promptsOf } from "../said.ts";
import { COPILOT_TOOLS } from "../tools/copilot.ts";
import type { ToolTable } from "../tools/tool-shape.ts";
import { VSCODE_TOOLS } from "../tools/vscode.ts";
import type { AgentTurn, ReadEpisode, ReadPrompt, Turn } from "../turn.ts";
import { completionOf, type Entry, outputOf, type Response, type Session, type Talker } from "./session.ts";

/** The two programs name their tools differently; what both have is the same in canonical words. */
const TOOLS: ToolTable = { ...COPILOT_TOOLS, tools: { ...VSCODE_TOOLS.tools, ...COPILOT_TOOLS.tools } };

/** The entries of one episode: those of an agent that stand, or a branch of them that was taken back. */
interface Part {
  readonly id: string;
  readonly talker: Talker;
  readonly entries: readonly Entry[];
  /** It was taken back out of the part that stands so many before it. */
  readonly branch: number;
}

/** A step of an episode. */
interface Place {
  readonly episode: string;
  readonly t: number;
}

/** The episodes of a session: its own, those of the agents that it called, and what was taken back. */
export function episodesOf(session: Session): readonly ReadEpisode[] {
  const parts = [...session.talkers.values()].flatMap((talker) => partsOf(session, talker));
  const begun = begunIn(parts);
  const read = parts.map((part) => build(session, part, begun));
  const calls = new Map<string, Place>();
  for (const { episode } of read)
    for (const { t, extra } of episode.steps) {
      const callId = asText(extra?.["callId"]);
      if (callId !== undefined) calls.set(callId, { episode: episode.id, t });
    }
  return read.map((one, at) => {
    const origin = originOf(session, parts, at, { read, calls });
    return origin === undefined ? one : { ...one, episode: { ...one.episode, origin } };
  });
}

const idOf = ({ id }: Session, { key }: Talker): string => (key === "" ? id : `${id}~${key}`);

function partsOf(session: Session, talker: Talker): readonly Part[] {
  const id = idOf(session, talker);
  const { entries } = talker;
  const taken = talker.branches.filter((branch) => branch.some(isResponse));
  if (taken.length === 0 && !entries.some(isResponse)) return [];
  const branches = taken.map((branch, at): Part => {
    const number = at + 1;
    return { id: `${id}~branch-${number}`, talker, entries: branch, branch: number };
  });
  return [{ id, talker, entries, branch: 0 }, ...branches];
}

const isResponse = (entry: Entry): entry is Response => entry.kind === "response";

/** The call that began an agent. Of older versions its id is the agent's. */
const callIdOf = ({ key, about }: Talker): string => about.callId ?? key;

/** Ids of the episodes of agents, by the calls that began them. */
function begunIn(parts: readonly Part[]): ReadonlyMap<string, readonly string[]> {
  const begun = new Map<string, string[]>();
  for (const { id, talker, branch } of parts) {
    if (branch > 0 || talker.key === "") continue;
    const callId = callIdOf(talker);
    const before = begun.get(callId);
    if (before === undefined) begun.set(callId, [id]);
    else before.push(id);
  }
  return begun;
}

interface Built {
  readonly read: readonly ReadEpisode[];
  /** The steps of calls. */
  readonly calls: ReadonlyMap<string, Place>;
}

function originOf(
  session: Session,
  parts: readonly Part[],
  at: number,
  { read, calls }: Built,
): Origin | undefined {
  const part = parts[at];
  if (part === undefined) return undefined;
  const { id, talker, branch, entries } = part;
  if (branch > 0) {
    const whole = read[at - branch]?.episode;
    const from = entries[0]?.at ?? 0;
    const t =
      whole?.steps.findLastIndex(
        ({ extra }) => (session.places.get(asText(extra?.["eventId"]) ?? "") ?? from) < from,
      ) ?? -1;
    return { as: "branch", episode: whole?.id ?? session.id, ...(t < 0 ? {} : { t }) };
  }
  if (talker.key === "") return undefined;
  const caller = calls.get(callIdOf(talker));
  if (caller !== undefined && caller.episode !== id) return { as: "sub_agent", ...caller };
  const { parent } = talker.about;
  const named = parent === undefined || parent === talker.key ? undefined : session.talkers.get(parent);
  return { as: "sub_agent", episode: named === undefined ? session.id : idOf(session, named) };
}

function build(session: Session, part: Part, begun: ReadonlyMap<string, readonly string[]>): ReadEpisode {
  const { id, talker, entries, branch } = part;
  const { about } = talker;
  const responses = entries.filter(isResponse);
  const model =
    responses.find((response) => response.model !== undefined)?.model ?? about.model ?? session.model;
  const told = responses.flatMap((response) =>
    response.read === undefined ? [] : [{ response, read: response.read }],
  );
  const prompts = promptsOf(told.map(({ read }) => read));
  const prompted = new Map(told.map(({ response }, at) => [response, prompts[at]]));
  const turns = entries.flatMap((entry): readonly Turn[] =>
    entry.kind === "words"
      ? [{ kind: entry.isPersons ? "user" : "system", text: entry.text }]
      : turnsOf(session, entry, { read: prompted.get(entry), model, begun }),
  );
  const read = episodeOf({
    id,
    source: "copilot",
    turns,
    coding: { cwd: session.cwd },
    question: questionOf(session, part),
    ...(branch > 0 && { outcome: "abandoned" as const }),
    settings: compact({ model, agent: session.agent, agentVersion: session.version }),
    cost: branch > 0 ? undefined : costOf(talker),
    extra: compact({ branch: session.branch, agentName: about.name, error: about.error }),
  });
  return read;
}

/** What an agent was asked, where the file does not tell its first words; that of what was taken back is the session's. */
function questionOf(session: Session, { talker, entries, branch }: Part): string | undefined {
  if (entries.some((entry) => entry.kind === "words" && entry.isPersons)) return undefined;
  if (branch > 0) return talker.asked[0];
  const call = session.calls.get(callIdOf(talker));
  return talker.key === "" ? undefined : asText(asRecord(call?.args)["prompt"]);
}

/** All that the agent used, each reply once; of what was taken back, its own episode tells. */
function costOf({ usages, counted, branches }: Talker): Usage | undefined {
  const gone = new Set(
    branches.flatMap((branch) => branch.filter(isResponse).map(({ apiCallId }) => apiCallId)),
  );
  const all = [...usages].flatMap(([id, usage]) => (gone.has(id) ? [] : [usage]));
  return sumOfUsages(all) ?? counted;
}

interface Told {
  readonly read: ReadPrompt | undefined;
  /** The model of the episode. */
  readonly model: string | undefined;
  readonly begun: ReadonlyMap<string, readonly string[]>;
}

function turnsOf(session: Session, response: Response, { read, model, begun }: Told): readonly Turn[] {
  const { texts, reasoning, calls, usage, ends, timestamp, eventId } = response;
  const isHosts =
    session.hasCallIds && response.isTold && response.apiCallId === undefined && response.model === undefined;
  const made = calls.map((call) => {
    if (Object.hasOwn(VSCODE_TOOLS.tools, call.name) && !Object.hasOwn(COPILOT_TOOLS.tools, call.name))
      session.agent = "vscode";
    const { id, name, args } = call;
    const action = codingAction(TOOLS, name, args, session.cwd);
    const subAgents = id === undefined ? undefined : begun.get(id);
    return { call, action, toolCall: { id, name, args, action, extra: compact({ subAgents }) } };
  });
  const completion = completionOf(response);
  const hasSaid = completion.text !== "" && response.isTold && !isHosts;
  const agent: AgentTurn = {
    kind: "agent",
    text: texts.join("\n\n"),
    reasoning: reasoning.join("\n\n"),
    calls: made.map(({ toolCall }) => toolCall),
    ...(ends === undefined ? {} : { ends }),
    usage,
    ...(read !== undefined && hasSaid && { read, completion }),
    extra: compact({
      timestamp,
      eventId,
      model: response.model === model ? undefined : response.model,
      byHost: isHosts || undefined,
    }),
  };
  const results = made.flatMap(({ call, action }): readonly Turn[] => {
    const { id, outputs, exitCode, ok } = call;
    if (outputs.length === 0) return [];
    const output = outputOf(call);
    const code = exitCode ?? (endsWithCode(action.type) ? exitCodeIn(output) : undefined);
    const result = resultOf(code, code === undefined ? ok : code === 0);
    return [{ kind: "result", callId: id, text: output, result }];
  });
  return [agent, ...results];
}
