import { namedFinal } from "../model/action-types.ts";
import type { Action } from "../model/action.ts";
import type { Decision, Instruction } from "../model/decision.ts";
import type { Proposal, Step } from "../model/episode.ts";
import type { Pass } from "../model/intervention.ts";
import type { StepContext } from "../model/step-context.ts";
import { FRESH_STATE, type AskTeacher } from "../sandbox/pf-host.ts";
import { advance, initialContext, withPrompts, withProposal } from "../trace/context-at.ts";
import { heldBackBy, observedIn, overriddenIn, roundsIn, untakenIn, type Prefix } from "./branch-prefix.ts";
import { callsLeft, spentActions, withheldBy, type Withheld } from "../model/budgets.ts";
import { budgetsOf, contextLimitsOf } from "../model/control.ts";
import { dispatch, insteadOfRead, isRepair, offeredActions, type StepDecision } from "./dispatch.ts";
import { formatAnswer } from "./final/answer-format.ts";
import { voteOnFinal } from "./final/handlers.ts";
import { decideRetry } from "./final/retry.ts";
import { choiceOnDraft, onDraft, remind } from "./reminders.ts";
import { recordedProposals, unaskedIn } from "./recorded-proposals.ts";
import { selectSkills } from "./select/select.ts";
import {
  freshState,
  restored,
  savedFrom,
  type Asked,
  type SavedSession,
  type State,
} from "./session-state.ts";
import type { Opened, SessionTask } from "./session-task.ts";
import type { Injected } from "./weigh.ts";
import { whyChanged } from "./why-changed.ts";

/** What became of one proposal. */
export interface Judgement {
  /** What runs. While `holdBack`, the FINAL that would run if the policy insists. */
  readonly executed: Action;
  readonly injected: readonly Injected[];
  /** The reason that `executed` runs in place of the proposed action (`whyChanged`). */
  readonly because: string | undefined;
  /** The policy sees `injected` and proposes again in the same step. */
  readonly holdBack: boolean;
  /** Phase instructions on the draft that the policy reads with `injected`; none unless `holdBack`. */
  readonly instructions: readonly Instruction[];
}

/** What became of an answer: it is given, in the form that the question asks for; or the policy reads a note and goes another round. */
export type Finish =
  | { readonly kind: "answer"; readonly answer: string }
  | { readonly kind: "again"; readonly note: string };

/**
 * One episode as skills see it: what is selected for its question, what the policy is reminded of, what becomes of each proposal, what
 * becomes of the answer. The loop drives it with a policy and an environment of ours, `hasp serve` with somebody else's. Every
 * decision goes to the record. Calls come in the order instruct → judge (again, after a held-back FINAL) → observe or finish.
 */
export interface EpisodeSession {
  /** Summaries of the selected skills, for the system prompt. */
  readonly summaries: readonly string[];
  /** What has happened so far. */
  context(): StepContext;
  /** What the policy reads before it proposes step `t`. */
  instruct(t: number): readonly Instruction[];
  judge(t: number, proposal: Proposal): Promise<Judgement>;
  /** The reason that this action does not run, where its budget is used up: the step then counts as one without an action. */
  withhold(executed: Action): Withheld | undefined;
  /** How many calls of each limited action an episode may make. */
  readonly callsAllowed: Readonly<Record<string, number>>;
  /**
   * The action has run. PFs that look `after` such an action are asked now; what they inject is read with this observation, behind what
   * came with the judgement.
   */
  observe(executed: Action, observation: string, result?: Step["result"]): Promise<readonly Injected[]>;
  finish(t: number, answer: string): Promise<Finish>;
  /** The latest answer that was not taken, as it would have been given: the episode's where no other comes. */
  untakenAnswer(): string | undefined;
  /** A person has said something. */
  hear(prompt: string): void;
  /** All that a later process needs to go on, as plain JSON. */
  save(): SavedSession;
}

function decided({ task }: Opened, decision: Decision | undefined): void {
  if (decision !== undefined) task.record({ event: "decided", decision });
}

/** Γ on one proposal, or after its action has run, told to the record. A pass in which no PF was asked tells nothing. */
async function weighAction(
  { task, selected, state }: Opened,
  { t, proposal, nth, injected: injectedBefore }: Asked,
  pass?: Pass,
): Promise<StepDecision> {
  const { host, facts, control, teacher, record } = task;
  const started = performance.now();
  const ask: AskTeacher = async ({ skillId, ...call }) =>
    (await teacher.at(`pf.${skillId}`)?.(call)) ?? { error: "the teacher is switched off here" };
  const decision = await dispatch({
    host,
    library: selected.programs,
    states: state.states,
    question: {
      context: withProposal(state.context, proposal, task.domain.contextRules),
      proposed: proposal.action,
      actionTypes: offeredActions(facts),
      maxModifyFires: control.maxModifyFires,
      spent: spentActions(state.context.actionHistory, budgetsOf(control), facts),
      ...namedFinal(task.domain),
      ...(pass !== undefined && { pass }),
    },
    proposal: nth,
    injectedBefore,
    limits: contextLimitsOf(control),
    finalAction: task.domain.finalAction,
    ...(teacher.isThere && { askTeacher: ask }),
  });
  const { events, injected } = decision;
  const dispatchMs = performance.now() - started;
  if (pass === undefined || events.length > 0)
    record({ event: "judged", t, events: [...events], injected: [...injected], dispatchMs });
  return decision;
}

/** The action that runs, with the decision that put it in place of the weighed one. */
interface Settled {
  readonly executed: Action;
  readonly decision?: Decision;
}

/** The action that runs after a weighed proposal: a READ that is none here becomes a SEARCH, a final action may be voted down. */
async function settle(
  opened: Opened,
  t: number,
  proposal: Proposal,
  decision: StepDecision,
): Promise<Settled> {
  const { task, selected, state } = opened;
  const { domain, facts, control, teacher } = task;
  const context = withProposal(state.context, proposal, domain.contextRules);
  const executed = insteadOfRead(decision.executed, proposal.action, facts, context);
  if (executed.type !== decision.executed.type) {
    const searched: Decision = {
      part: "snippet_mode",
      t,
      by: "settings",
      reason: "No READ here: a search stands in for it.",
      value: executed.arg,
    };
    decided(opened, searched);
    return { executed, decision: searched };
  }
  if (executed.type !== domain.finalAction || decision.holdBack) return { executed };
  const { action, decision: vote } = await voteOnFinal({
    t,
    answer: executed.arg,
    context,
    facts,
    skills: selected.withHandler,
    host: task.host,
    loaded: new Set(task.library.flatMap(({ program }) => program?.skillId ?? [])),
    states: state.states,
    control,
    overridden: state.overridden,
    teacher,
  });
  decided(opened, vote);
  if (action === undefined) return { executed };
  state.overridden += 1;
  return { executed: action, ...(vote !== undefined && { decision: vote }) };
}

/** Γ on a proposal, and once more on the action that a PF has read from one that was none. */
async function weighProposal(
  opened: Opened,
  asked: Asked,
): Promise<StepDecision & { readonly on: Proposal }> {
  const { proposal } = asked;
  const first = await weighAction(opened, asked);
  opened.state.states = first.states;
  if (!isRepair(proposal.action, first.executed)) return { ...first, on: proposal };
  const on = { ...proposal, action: first.executed };
  const again = { ...asked, proposal: on, injected: [...asked.injected, ...first.injected] };
  const second = await weighAction(opened, again, "repaired");
  opened.state.states = second.states;
  const events = [...first.events, ...second.events];
  return { ...second, on, events, injected: [...first.injected, ...second.injected] };
}

/** Keeps an answer that does not run: as Γ would have given it, else as it was proposed. */
function keepAnswer({ task, state }: Opened, answers: readonly Action[], runs: Action | undefined): void {
  const { finalAction } = task.domain;
  if (runs?.type === finalAction) return;
  const answer = answers.find(({ type, arg }) => type === finalAction && arg.trim() !== "");
  if (answer !== undefined) state.untaken = answer.arg;
}

async function judge(opened: Opened, t: number, proposal: Proposal): Promise<Judgement> {
  const { state } = opened;
  const before = state.heldBack ?? [];
  const asked = { t, proposal, nth: state.heldBack === undefined ? 0 : 1, injected: before };
  const { on, ...weighed } = await weighProposal(opened, asked);
  state.underWay = { ...asked, injected: [...before, ...weighed.injected] };
  const choice = choiceOnDraft(opened, asked, on, weighed);
  const holdBack = choice !== undefined;
  const decision = { ...weighed, holdBack };
  const { executed, decision: settled } = await settle(opened, t, proposal, decision);
  const { injected } = decision;
  keepAnswer(opened, [decision.executed, on.action], holdBack ? undefined : executed);
  state.heldBack = holdBack ? injected : undefined;
  state.told = holdBack ? 0 : injected.length;
  if (choice !== undefined) state.standing = choice.standing;
  for (const one of choice?.decisions ?? []) decided(opened, one);
  const because = whyChanged(decision.events, settled === undefined ? [] : [settled]);
  return { executed, injected, because, holdBack, instructions: choice?.instructions ?? [] };
}

function observe(
  { task, state }: Opened,
  executed: Action,
  observation: string,
  { result, notRun }: Pick<Step, "result" | "notRun"> = {},
): void {
  const step = {
    executed,
    observation,
    ...(result !== undefined && { result }),
    ...(notRun !== undefined && { notRun }),
  };
  state.context = advance(state.context, step, task.facts, task.domain.contextRules);
  state.observation = observation;
  state.last = notRun === undefined ? executed.type : undefined;
}

/** PFs that look at what has just come see it before the policy does (SPEC §3). Nothing crosses where no PF wants to. */
async function askAfter(opened: Opened, executed: Action): Promise<readonly Injected[]> {
  const { task, state } = opened;
  const { underWay } = state;
  state.underWay = undefined;
  if (underWay === undefined || executed.type === task.domain.finalAction) return [];
  const proposal = { ...underWay.proposal, action: executed };
  const { states, injected } = await weighAction(opened, { ...underWay, proposal }, "post");
  state.states = states;
  return injected;
}

/**
 * The state of each PF after the recorded proposals of a prefix, by today's code. The teacher's replies are those of the record. A PF's
 * state does not depend on the others, so one crossing folds them all.
 */
async function statesAfter({ task, selected }: Opened, prefix: Prefix): Promise<State["states"]> {
  const { host, question, facts, control, teacher, domain } = task;
  if (selected.programs.length === 0) return new Map();
  const record = { question, facts, steps: [...prefix.steps], decisions: [...prefix.decisions] };
  const unasked = unaskedIn(record);
  const conditions = {
    contextRules: domain.contextRules,
    maxModifyFires: control.maxModifyFires,
    budgets: budgetsOf(control),
    hadTeacher: teacher.isThere,
  };
  const ran = new Set(prefix.steps.map(({ executed }) => executed.type));
  const asked = recordedProposals(record, conditions, ran).filter(({ t }) => !unasked.has(t));
  if (asked.length === 0) return new Map();
  const ids = selected.programs.map(({ skillId }) => skillId);
  const verdicts = await host.fold(ids, asked);
  return new Map(ids.map((id) => [id, verdicts.get(id)?.at(-1)?.state ?? FRESH_STATE]));
}

/** Goes through recorded steps as if they had been taken here. Their decisions are in the record already. */
async function takeOver(opened: Opened, prefix: Prefix): Promise<void> {
  const { state } = opened;
  for (const step of prefix.steps) {
    remind(opened, step.t);
    const [first, second] = step.proposals;
    if (first !== undefined && second !== undefined)
      state.standing = onDraft(opened, step.t, first, heldBackBy(step)).standing;
    state.context = withPrompts(state.context, step.prompts);
    const { executed, observation } = observedIn(prefix, step);
    observe(opened, executed, observation, step);
    state.told = step.injected.length - heldBackBy(step);
  }
  state.states = await statesAfter(opened, prefix);
  state.overridden = overriddenIn(prefix);
  state.round += roundsIn(prefix);
  state.untaken = untakenIn(prefix);
}

async function finish(opened: Opened, t: number, answer: string): Promise<Finish> {
  const { task, state } = opened;
  const { control, teacher, domain, question } = task;
  if (control.enableRetry) {
    const { round, underWay } = state;
    const context =
      underWay === undefined
        ? state.context
        : withProposal(state.context, underWay.proposal, domain.contextRules);
    const { maxRounds } = control;
    const retry = await decideRetry({ t, answer, context, round, maxRounds, teacher, domain });
    decided(opened, retry.decision);
    if (retry.note !== undefined) {
      state.round += 1;
      state.untaken = answer;
      observe(opened, { type: domain.finalAction, arg: answer }, "");
      state.told = 0;
      return { kind: "again", note: retry.note };
    }
  }
  if (!control.enableAnswerFormatting) return { kind: "answer", answer };
  const formatted = await formatAnswer(question, answer, teacher, domain);
  decided(opened, formatted.decision);
  return { kind: "answer", answer: formatted.answer };
}

/** Begins an episode: selects for its question (SPEC §4) and records why; then takes over the steps of a prefix, if it has one. */
export async function openSession(task: SessionTask): Promise<EpisodeSession> {
  const { question, library, domain, control, teacher } = task;
  const selected = await selectSkills({ question, library, domain, control, teacher });
  const state =
    task.saved === undefined
      ? freshState(initialContext(question, task.facts, domain.contextRules))
      : restored(task.saved);
  const opened: Opened = { task, selected, state };
  if (task.saved === undefined) for (const decision of selected.decisions) decided(opened, decision);
  if (task.prefix !== undefined) await takeOver(opened, task.prefix);
  return {
    summaries: selected.summaries,
    context: () => state.context,
    instruct(t) {
      const { decisions, instructions } = remind(opened, t);
      for (const decision of decisions) decided(opened, decision);
      return instructions;
    },
    judge: (t, proposal) => judge(opened, t, proposal),
    withhold(executed) {
      const withheld = withheldBy(executed, state.context.actionHistory, budgetsOf(control));
      if (withheld !== undefined) observe(opened, executed, withheld.observation, { notRun: withheld.why });
      return withheld;
    },
    callsAllowed: callsLeft([], budgetsOf(control)),
    async observe(executed, observation, result) {
      observe(opened, executed, observation, result === undefined ? {} : { result });
      const after = await askAfter(opened, executed);
      state.told += after.length;
      return after;
    },
    hear(prompt) {
      state.context = withPrompts(state.context, [prompt]);
    },
    untakenAnswer: () => state.untaken,
    save: () => savedFrom(state),
    finish: (t, answer) => finish(opened, t, answer),
  };
}
