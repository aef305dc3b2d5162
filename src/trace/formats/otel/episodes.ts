import type { Origin, Outcome } from "../../../model/episode.ts";
import { type Conversation, episodeOf } from "../conversation.ts";
import type { Ledger } from "../ledger.ts";
import { asText, compact } from "../records.ts";
import type { ReadEpisode, ToolCall, Turn } from "../turn.ts";
import { NAMES } from "./attribute-names.ts";
import type { OpenCall } from "./calls.ts";
import { type AgentDraft, type Draft, firstSteps, type TurnDraft } from "./draft.ts";
import type { Notes } from "./notes.ts";
import type { Plan } from "./plans.ts";
import { openSession, type Session, takeItems, typedWords } from "./session.ts";
import { extraOf, wholeExtraOf } from "./span-extra.ts";
import { agentName, conversationOf } from "./span-role.ts";
import { usageOf } from "./span-usage.ts";
import { failureOf, type Span, textAt } from "./span.ts";
import { type SpanTalk, talkOf } from "./span-talk.ts";

/** An episode before it is made: its place among the others is known, its turns may still get links. */
interface Outline {
  readonly id: string;
  readonly plan: Plan;
  readonly draft: Draft;
  readonly steps: ReadonlyMap<AgentDraft, number>;
  /** The first of its conversation, which has the spans that tell of no step. */
  readonly isFirst: boolean;
  /** Nobody knows what came after its last step. */
  readonly isBroken: boolean;
  origin: Origin | undefined;
}

export interface MadeEpisodes {
  readonly episodes: readonly ReadEpisode[];
  /** Chats that nothing was recorded of. */
  readonly silent: number;
}

/** The episodes of conversations, callers first. `broken`: traces whose file breaks off. */
export function episodesOf(plans: readonly Plan[], broken: ReadonlySet<string>, notes: Notes): MadeEpisodes {
  const taken = new Map<string, number>();
  const outlines: Outline[] = [];
  const byPlan = new Map<Plan, Outline[]>();
  const told = new Map<Span, { readonly session: Session; readonly call: OpenCall }>();
  const byDraft = new Map<Draft, Outline>();
  let silent = 0;
  for (const plan of plans) {
    if (plan.items.length === 0) continue;
    const session = sessionOf(plan, broken.has(plan.traceId), notes);
    silent += session.drafts.reduce((sum, draft) => sum + silentTurns(draft), 0);
    for (const [span, call] of session.told) told.set(span, { session, call });
    const made = session.drafts.map((draft, nth): Outline => {
      const id = freeId(taken, plan);
      const isBroken = broken.has(plan.traceId) && nth === session.drafts.length - 1;
      return { id, plan, draft, steps: firstSteps(draft), isFirst: nth === 0, isBroken, origin: undefined };
    });
    for (const outline of made) {
      byDraft.set(outline.draft, outline);
      outlines.push(outline);
    }
    byPlan.set(plan, made);
  }
  for (const outline of outlines) outline.origin = originOf(outline, { told, byPlan, byDraft });
  const episodes = outlines.map((outline) => episodeOf(describe(outline, notes.ledger)));
  return { episodes, silent };
}

/** Turns of the agent of which nothing was recorded, not even in the spans of tools. */
const silentTurns = ({ turns }: Draft): number =>
  turns.filter((turn) => turn.kind === "agent" && turn.silent && turn.calls.length === 0).length;

function sessionOf({ agents, items, loose }: Plan, isBroken: boolean, notes: Notes): Session {
  const told = agents.map((agent) => talkOf(agent, notes));
  const typed = agents.map(typedWords).find((words) => words !== undefined);
  const question = typed ?? told.map(lastWords).find((words) => words !== undefined);
  const given = {
    system: told.findLast(({ system }) => system.length > 0)?.system ?? [],
    tools: told.findLast(({ tools }) => tools.length > 0)?.tools ?? [],
  };
  const session = openSession(notes, { loose, question, given });
  takeItems(session, items);
  const failed = isBroken || agents.some((agent) => failureOf(agent) !== undefined);
  for (const [nth, { lastReply }] of session.drafts.entries()) {
    if (lastReply === undefined) continue;
    const isStopped = failed && nth === session.drafts.length - 1;
    lastReply.ends = lastReply.done && lastReply.calls.length === 0 && !isStopped;
  }
  return session;
}

/** What the user said last. */
const lastWords = ({ input }: SpanTalk): string | undefined =>
  input.findLast(({ role, text }) => role === "user" && text !== "")?.text;

/** The trace names what nobody called, and a sub-agent is named after its agent; further ones are numbered. */
function freeId(taken: Map<string, number>, { traceId, caller, agents }: Plan): string {
  const agent = agents.at(-1);
  const name = caller === undefined ? undefined : ((agent && agentName(agent)) ?? agent?.spanId ?? "agent");
  const base = name === undefined ? traceId : `${traceId}~${name}`;
  let id = base;
  for (let number = taken.get(base) ?? 1; taken.has(id); id = `${base}~${number}`) {
    number++;
    taken.set(base, number);
  }
  taken.set(id, Math.max(1, taken.get(id) ?? 1));
  return id;
}

interface Known {
  readonly told: ReadonlyMap<Span, { readonly session: Session; readonly call: OpenCall }>;
  readonly byPlan: ReadonlyMap<Plan, readonly Outline[]>;
  readonly byDraft: ReadonlyMap<Draft, Outline>;
}

/** The step that called an agent, which gets the agent's episode among its `subAgents`. */
function originOf({ id, plan }: Outline, { told, byPlan, byDraft }: Known): Origin | undefined {
  const { caller } = plan;
  if (caller === undefined) return undefined;
  const called = caller.via === undefined ? undefined : told.get(caller.via);
  const place = called?.session.places.get(called.call);
  const owner = place === undefined ? undefined : byDraft.get(place.draft);
  const first = place === undefined ? undefined : owner?.steps.get(place.turn);
  if (called !== undefined && place !== undefined && owner !== undefined && first !== undefined) {
    addSubAgent(called.call, id);
    return { as: "sub_agent", episode: owner.id, t: first + called.call.place };
  }
  const main = byPlan.get(caller.plan)?.at(-1);
  return main === undefined ? undefined : calledBefore(main, plan, id);
}

/** No tool's span is between: the turn before the agent began called it, with the call that nothing else tells, if there is one. */
function calledBefore(main: Outline, plan: Plan, id: string): Origin {
  const begin = plan.agents.at(-1)?.start ?? plan.items[0]?.span.start ?? 0;
  const { turns } = main.draft;
  const turn = turns.findLast(
    (turn) => turn.kind === "agent" && turn.start !== undefined && turn.start <= begin,
  );
  const first = turn?.kind === "agent" ? main.steps.get(turn) : undefined;
  if (turn?.kind !== "agent" || first === undefined) return { as: "sub_agent", episode: main.id };
  const name = plan.agents.map(agentName).find((given) => given !== undefined);
  const free = turn.calls.filter(({ hasSpan, extra }) => !hasSpan && extra?.["subAgents"] === undefined);
  const call = free.find((each) => name !== undefined && each.name.includes(name)) ?? free[0];
  addSubAgent(call ?? turn, id);
  return { as: "sub_agent", episode: main.id, t: first + (call?.place ?? 0) };
}

function addSubAgent(into: { extra: Record<string, unknown> | undefined }, id: string): void {
  const known = into.extra?.["subAgents"] as string[] | undefined;
  if (known === undefined) into.extra = { ...into.extra, subAgents: [id] };
  else known.push(id);
}

const VERDICTS: ReadonlyMap<string, Outcome> = new Map([
  ["correct", "correct"],
  ["pass", "correct"],
  ["incorrect", "wrong"],
  ["fail", "wrong"],
]);

/** What `gen_ai.evaluation.result` events say, the first of them that is a verdict. */
function outcomeOf(spans: readonly Span[], ledger: Ledger): Outcome {
  for (const { name, attributes } of spans.flatMap((span) => span.events)) {
    const label = asText(attributes["gen_ai.evaluation.score.label"]);
    const outcome =
      name === "gen_ai.evaluation.result" ? VERDICTS.get(label?.toLowerCase() ?? "") : undefined;
    if (outcome === undefined) continue;
    ledger.mapped("gen_ai.evaluation.result", "outcome");
    return outcome;
  }
  return "unjudged";
}

function describe({ id, plan, draft, isFirst, isBroken, origin }: Outline, ledger: Ledger): Conversation {
  const agents = isFirst ? plan.agents.filter((agent) => !draft.spans.includes(agent)) : [];
  const others = isFirst ? plan.others : [];
  const spans = [...draft.spans, ...agents, ...others];
  const kept = [...agents.map(extraOf), ...others.map(wholeExtraOf)];
  ledger.kept("spans that are neither chats nor tools", "extra of the episode", kept.length);
  const first = (...keys: readonly string[]): string | undefined =>
    spans.map((span) => textAt(span, ...keys)).find((text) => text !== undefined);
  const evaluations = spans
    .flatMap((span) => span.events)
    .filter(({ name }) => name === "gen_ai.evaluation.result");
  const resource = spans[0]?.resource ?? {};
  const counted = draft.turns.some((turn) => turn.kind === "agent" && turn.usage !== undefined);
  // What the agent's span counts is the sum of its chats.
  const [agent] = counted ? [] : agents;
  const cost = agent === undefined ? undefined : usageOf(agent, ledger);
  return {
    id,
    source: "otel",
    turns: [...draft.opening, ...draft.turns.map(turnOf)],
    question: draft.question,
    origin,
    outcome: outcomeOf(spans, ledger),
    ...(isBroken ? { stopReason: "interrupted" } : {}),
    ...(cost === undefined ? {} : { cost }),
    settings: compact({
      model: first("gen_ai.response.model") ?? first(...NAMES.requestModel),
      agent: plan.agents.map(agentName).findLast((name) => name !== undefined) ?? first("gen_ai.agent.name"),
    }),
    extra: compact({
      resource: Object.keys(resource).length === 0 ? undefined : resource,
      conversationId: spans.map(conversationOf).find((name) => name !== undefined),
      spans: kept.length === 0 ? undefined : kept,
      evaluations: evaluations.length === 0 ? undefined : evaluations,
      failedChats: draft.failures.length === 0 ? undefined : draft.failures,
    }),
  };
}

function turnOf(turn: TurnDraft): Turn {
  if (turn.kind !== "agent") return turn;
  const { text, reasoning, calls, ends, usage, read, completion, extra } = turn;
  return { kind: "agent", text, reasoning, calls: calls.map(callOf), ends, usage, read, completion, extra };
}

const callOf = ({ id, name, args, extra }: OpenCall): ToolCall => ({ id, name, args, extra });
