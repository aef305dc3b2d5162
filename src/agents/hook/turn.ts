import { CODING_ACTIONS } from "../../model/coding-tools.ts";
import { codingAgent } from "../../domains/coding-agent/coding-agent.ts";
import type { Action } from "../../model/action.ts";
import type { Decision } from "../../model/decision.ts";
import type { ProjectCheck, World } from "../../model/coding-context.ts";
import type { TaskEnd } from "../../domains/coding-agent/background.ts";
import type { DomainFacts } from "../../model/episode.ts";
import type { Degradation } from "../../model/hook-degradations.ts";
import type { StepContext } from "../../model/step-context.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import { CODING_FINAL } from "../../model/coding-tools.ts";
import { CODING_AGENT } from "../../model/domain-names.ts";
import { advance, initialContext, withoutAnswer, withPrompts } from "../../trace/context-at.ts";
import { LIVE_SCHEMA, type LiveEvent } from "../../trace/live-events.ts";
import type { HookEvent } from "./event.ts";
import type { HostAdapter } from "./host.ts";
import { hookControl, type ActingLibrary } from "./library.ts";
import type { RecentStep, SessionState, WorldPort } from "./session-store.ts";

/** A session may go on for days. */
const MAX_STEPS = 1_000_000;

export function factsFor(root: string, project: readonly ProjectCheck[]): DomainFacts {
  return {
    domain: CODING_AGENT,
    actionTypes: [...CODING_ACTIONS],
    searchReturnsText: false,
    maxSteps: MAX_STEPS,
    cwd: root,
    ...(project.length > 0 && { project: [...project] }),
  };
}

export function freshSession(id: string, part: number, facts: DomainFacts): SessionState {
  return {
    schema: "hasp.hook-session/2",
    episode: part === 1 ? id : `${id}+${part}`,
    part,
    started: false,
    question: "",
    facts,
    steps: 0,
    saved: undefined,
    recent: [],
    prompts: [],
    held: undefined,
    holds: 0,
    callsSinceHold: 0,
    late: [],
    answers: [],
    noticed: [],
    offset: 0,
  };
}

/** One event on its way through a session: what it changes, and what it adds to the live file. */
export interface Turn {
  readonly event: HookEvent;
  readonly adapter: HostAdapter;
  readonly library: ActingLibrary;
  readonly world: WorldPort;
  /** The world when this event was answered; undefined: it is looked at now. */
  readonly seen?: World | undefined;
  /** The PFs of `library`, loaded on first use. */
  readonly host: () => Promise<PfHost>;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly lines: LiveEvent[];
  state: SessionState;
  readonly degraded: Degradation[];
}

export function change(turn: Turn, part: Partial<SessionState>): void {
  turn.state = { ...turn.state, ...part };
}

/** Tasks whose end is remembered. */
const MAX_TASKS = 20;

export const latestTasks = (tasks: readonly TaskEnd[]): readonly TaskEnd[] => tasks.slice(-MAX_TASKS);

export function decided(turn: Turn, decision: Decision): void {
  turn.lines.push({ event: "decided", decision });
}

/** Begins the episode, unless it has begun. */
export function begin(turn: Turn, question: string): void {
  const { state, library, event } = turn;
  if (state.started) return;
  change(turn, { started: true, question });
  turn.lines.push({
    schema: LIVE_SCHEMA,
    event: "started",
    id: state.episode,
    questionId: state.episode,
    sample: 1,
    question,
    source: "hasp",
    facts: state.facts,
    settings: { policy: "hook", host: event.host, teacher: "none", control: hookControl(library) },
    library: [...library.refs],
  });
}

const rules = () => codingAgent.contextRules;

/** Before the first of the recent steps. */
export function baseContext({ saved, question, facts }: SessionState): StepContext {
  return saved?.context ?? initialContext(question, facts, rules());
}

export function after(
  context: StepContext,
  step: Pick<RecentStep, "executed" | "observation" | "result" | "extra" | "prompts">,
  facts: DomainFacts,
): StepContext {
  const { executed, observation, result, extra } = step;
  const brought = { ...(result !== undefined && { result }), ...(extra !== undefined && { extra }) };
  const done = observation === undefined ? withoutAnswer(step) : { executed, observation, ...brought };
  return advance(withPrompts(context, step.prompts), done, facts, rules());
}

/** The context in which the next proposal is judged; as trace/context-at.ts rebuilds it from the record. */
export function contextNow(state: SessionState): StepContext {
  const { recent, facts, prompts } = state;
  const context = recent.reduce((then, step) => after(then, step, facts), baseContext(state));
  return withPrompts(context, prompts.length === 0 ? undefined : prompts);
}

/** Takes the steps whose answers are all there into the saved context. */
export function settle(turn: Turn): void {
  const { recent, facts, saved } = turn.state;
  if (saved === undefined) return;
  const open = recent.findIndex(({ observation }) => observation === undefined);
  const done = open < 0 ? recent : recent.slice(0, open);
  if (done.length === 0) return;
  const context = done.reduce((then, step) => after(then, step, facts), saved.context);
  const last = done.at(-1)?.executed.type;
  change(turn, { saved: { ...saved, context, last }, recent: recent.slice(done.length) });
}

/** Ends the step under way, which needs no answer of a tool. */
export function endStep(turn: Turn, executed: Action): void {
  const t = turn.state.steps;
  turn.lines.push({ event: "executed", t, action: executed }, { event: "observed", t, observation: "" });
  takeStep(turn, { executed, observation: "", key: "", asked: "", texts: [] });
}

/** The step under way is done but perhaps for its answer: the next proposal is another step's. */
export function takeStep(turn: Turn, step: Omit<RecentStep, "t" | "prompts">): void {
  const { steps: t, prompts, recent, saved } = turn.state;
  const said = prompts.length === 0 ? {} : { prompts };
  change(turn, {
    recent: [...recent, { t, ...said, ...step }],
    steps: t + 1,
    prompts: [],
    held: undefined,
    ...(saved !== undefined && { saved: { ...saved, heldBack: undefined } }),
  });
  settle(turn);
}

/** What was held back and is not proposed again: a person has spoken, or the session has ended. */
export function closeHeld(turn: Turn): void {
  const { held } = turn.state;
  if (held !== undefined) endStep(turn, { type: CODING_FINAL, arg: held.arg });
}

/** Calls whose answers never came: the person said no, or broke off. What the agent was to read with them is kept for later. */
export function closeOpen(turn: Turn): void {
  const { recent, late } = turn.state;
  const open = recent.filter(({ observation }) => observation === undefined);
  if (open.length === 0) return;
  const closed = { observation: "", extra: { unanswered: true } };
  for (const { t } of open) turn.lines.push({ event: "observed", t, ...closed });
  change(turn, {
    recent: recent.map((step) => (step.observation === undefined ? { ...step, ...closed } : step)),
    late: [...late, ...open.flatMap(({ texts }) => texts)],
  });
  settle(turn);
}
