import type { Domain } from "../domains/domain.ts";
import type { Action } from "../model/action.ts";
import type { Decision, Instruction } from "../model/decision.ts";
import type { DomainFacts, Proposal, Step } from "../model/episode.ts";
import type { StepContext } from "../model/step-context.ts";
import {
  FRESH_STATE,
  type AskTeacher,
  type PfHost,
  type PfQuestion,
  type PfState,
} from "../sandbox/pf-host.ts";
import { advance, initialContext, withPrompts, withProposal } from "../trace/context-at.ts";
import type { LiveEpisode } from "../trace/live.ts";
import { observedIn, overriddenIn, roundsIn, type Prefix } from "./branch-prefix.ts";
import type { Control } from "./control.ts";
import { dispatch, insteadOfRead, offeredActions, type StepDecision } from "./dispatch.ts";
import { formatAnswer } from "./final/answer-format.ts";
import { voteOnFinal } from "./final/handlers.ts";
import { decideRetry } from "./final/retry.ts";
import { selectInstructions } from "./select/instructions.ts";
import { selectSkills, type LibrarySkill } from "./select/select.ts";
import type { TeacherClient } from "./teacher.ts";
import type { Injected } from "./weigh.ts";

const FINAL = "FINAL";

/** What an episode's proposals are judged with; neither its policy nor its environment. */
export interface SessionTask {
  readonly question: string;
  readonly host: PfHost;
  readonly library: readonly LibrarySkill[];
  readonly domain: Pick<Domain, "name" | "pfLists" | "contextRules">;
  readonly control: Control;
  readonly facts: DomainFacts;
  readonly teacher: TeacherClient;
  readonly record: LiveEpisode["record"];
  /** Recorded steps that the episode begins with; the session comes as it stands after them. */
  readonly prefix?: Prefix | undefined;
  /** Where an earlier process left the session. Skills are selected anew, which without a teacher comes out the same. */
  readonly saved?: SavedSession | undefined;
}

/** What became of one proposal. */
export interface Judgement {
  /** What runs. While `holdBack`, the FINAL that would run if the policy insists. */
  readonly executed: Action;
  readonly injected: readonly Injected[];
  /** The policy sees `injected` and proposes again in the same step. */
  readonly holdBack: boolean;
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
  observe(executed: Action, observation: string, result?: Step["result"]): void;
  finish(t: number, answer: string): Promise<Finish>;
  /** A person has said something. */
  hear(prompt: string): void;
  /** All that a later process needs to go on, as plain JSON. */
  save(): SavedSession;
}

/** A session between two processes: `hasp hook` is one process for each event of an agent. */
export interface SavedSession {
  readonly context: StepContext;
  readonly states: readonly (readonly [skillId: string, state: PfState])[];
  readonly heldBack: readonly Injected[] | undefined;
  readonly standing: readonly string[];
  readonly observation: string;
  readonly last: string | undefined;
  readonly overridden: number;
  readonly round: number;
}

function freshState({ question, facts, domain }: SessionTask): State {
  return {
    context: initialContext(question, facts, domain.contextRules),
    states: new Map(),
    heldBack: undefined,
    standing: new Set(),
    observation: "",
    last: undefined,
    overridden: 0,
    round: 1,
  };
}

const restored = (saved: SavedSession): State => ({
  ...saved,
  states: new Map(saved.states),
  standing: new Set(saved.standing),
});

const savedFrom = (state: State): SavedSession => ({
  ...state,
  states: [...state.states],
  standing: [...state.standing],
});

/** What changes from step to step. */
interface State {
  context: StepContext;
  states: ReadonlyMap<string, PfState>;
  /** What held back the FINAL of this step. */
  heldBack: readonly Injected[] | undefined;
  standing: ReadonlySet<string>;
  observation: string;
  last: string | undefined;
  /** FINALs that handlers have overridden. */
  overridden: number;
  round: number;
}

/** Γ on one proposal, told to the record. */
async function weighProposal(
  task: SessionTask,
  programs: Parameters<typeof dispatch>[0]["library"],
  state: State,
  t: number,
  proposal: Proposal,
): Promise<StepDecision> {
  const { host, facts, control, teacher, record } = task;
  const started = performance.now();
  const ask: AskTeacher = async ({ skillId, ...call }) =>
    (await teacher.at(`pf.${skillId}`)?.(call)) ?? { error: "the teacher is switched off here" };
  const decision = await dispatch({
    host,
    library: programs,
    states: state.states,
    question: {
      context: withProposal(state.context, proposal, task.domain.contextRules),
      proposed: proposal.action,
      actionTypes: offeredActions(facts),
      maxModifyFires: control.maxModifyFires,
    },
    proposal: state.heldBack === undefined ? 0 : 1,
    injectedBefore: state.heldBack ?? [],
    contextBudget: control.contextBudget,
    ...(teacher.isThere && { askTeacher: ask }),
  });
  const { events, injected } = decision;
  const dispatchMs = performance.now() - started;
  record({ event: "judged", t, events: [...events], injected: [...injected], dispatchMs });
  return decision;
}

/**
 * What each PF carries after recorded proposals, by today's code and without a teacher. A PF's state does not depend on the others,
 * so one crossing folds them all.
 */
async function statesAfter(
  host: PfHost,
  programs: Parameters<typeof dispatch>[0]["library"],
  asked: readonly PfQuestion[],
): Promise<State["states"]> {
  if (asked.length === 0 || programs.length === 0) return new Map();
  const ids = programs.map(({ skillId }) => skillId);
  const verdicts = await host.fold(ids, asked);
  return new Map(ids.map((id) => [id, verdicts.get(id)?.at(-1)?.state ?? FRESH_STATE]));
}

/** Begins an episode: selects for its question (SPEC §4) and records why; then takes over the steps of a prefix, if it has one. */
export async function openSession(task: SessionTask): Promise<EpisodeSession> {
  const { question, library, domain, control, facts, teacher, record, host } = task;
  const decided = (decision: Decision | undefined): void => {
    if (decision !== undefined) record({ event: "decided", decision });
  };
  const selected = await selectSkills({ question, library, domain, control, teacher });
  if (task.saved === undefined) selected.decisions.forEach(decided);
  const state: State = task.saved === undefined ? freshState(task) : restored(task.saved);

  /** What runs of a weighed proposal: a READ that is none here becomes a SEARCH, a FINAL may be voted down. */
  async function settle(t: number, proposal: Proposal, decision: StepDecision): Promise<Action> {
    const context = withProposal(state.context, proposal, domain.contextRules);
    const executed = insteadOfRead(decision.executed, proposal.action, facts, context);
    if (executed.type !== decision.executed.type)
      decided({
        part: "snippet_mode",
        t,
        by: "settings",
        reason: "No READ here: a search stands in for it.",
        value: executed.arg,
      });
    if (executed.type !== FINAL || decision.holdBack) return executed;
    const { action, decision: vote } = await voteOnFinal({
      t,
      answer: executed.arg,
      context,
      skills: selected.withHandler,
      events: decision.events,
      control,
      overridden: state.overridden,
      teacher,
    });
    decided(vote);
    if (action === undefined) return executed;
    state.overridden += 1;
    return action;
  }

  function observe(executed: Action, observation: string, result?: Step["result"]): void {
    const step = { executed, observation, ...(result !== undefined && { result }) };
    state.context = advance(state.context, step, facts, domain.contextRules);
    state.observation = observation;
    state.last = executed.type;
  }

  /** What the policy is to be reminded of now. */
  function remind(t: number): ReturnType<typeof selectInstructions> {
    const choice = selectInstructions({
      t,
      context: state.context,
      observation: state.observation,
      skills: selected.withText,
      control,
      last: state.last,
      searchReturnsText: facts.searchReturnsText,
      standing: state.standing,
    });
    state.standing = choice.standing;
    return choice;
  }

  /** Goes through recorded steps as if they had been taken here. What they decided is told by whoever records them. */
  async function takeOver(prefix: Prefix): Promise<void> {
    const asked: PfQuestion[] = [];
    for (const step of prefix.steps) {
      remind(step.t);
      state.context = withPrompts(state.context, step.prompts);
      for (const proposal of step.proposals) asked.push(questionOf(proposal));
      const { executed, observation } = observedIn(step);
      observe(executed, observation, step.result);
    }
    state.states = await statesAfter(host, selected.programs, asked);
    state.overridden = overriddenIn(prefix);
    state.round += roundsIn(prefix);
  }

  function questionOf(proposal: Proposal): PfQuestion {
    return {
      context: withProposal(state.context, proposal, domain.contextRules),
      proposed: proposal.action,
      actionTypes: offeredActions(facts),
      maxModifyFires: control.maxModifyFires,
    };
  }

  if (task.prefix !== undefined) await takeOver(task.prefix);
  return {
    summaries: selected.inPrompt.map(({ systemSummary }) => systemSummary).filter((text) => text !== ""),
    context: () => state.context,
    instruct(t) {
      const { decisions, instructions } = remind(t);
      decisions.forEach(decided);
      return instructions;
    },
    async judge(t, proposal) {
      const decision = await weighProposal(task, selected.programs, state, t, proposal);
      state.states = decision.states;
      const executed = await settle(t, proposal, decision);
      state.heldBack = decision.holdBack ? decision.injected : undefined;
      return { executed, injected: decision.injected, holdBack: decision.holdBack };
    },
    observe,
    hear(prompt) {
      state.context = withPrompts(state.context, [prompt]);
    },
    save: () => savedFrom(state),
    async finish(t, answer) {
      if (control.enableRetry) {
        const { context, round } = state;
        const retry = await decideRetry({ t, answer, context, round, maxRounds: control.maxRounds, teacher });
        decided(retry.decision);
        if (retry.note !== undefined) {
          state.round += 1;
          observe({ type: FINAL, arg: answer }, "");
          return { kind: "again", note: retry.note };
        }
      }
      if (!control.enableAnswerFormatting) return { kind: "answer", answer };
      const formatted = await formatAnswer(question, answer, teacher);
      decided(formatted.decision);
      return { kind: "answer", answer: formatted.answer };
    },
  };
}
