import { domainOfRecord } from "../domains/registry.ts";
import { sameAction, type Action } from "../model/action.ts";
import { finalActionOf, namedFinal } from "../model/action-types.ts";
import { spentActions } from "../model/budgets.ts";
import { budgetsOf } from "../model/control.ts";
import type { Episode, Step } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { Compiler } from "../skill/compiler.ts";
import { explainRun } from "../skill/explain-run.ts";
import type { PfCall, PfHost, PfQuestion, PfState, PfVerdict } from "../sandbox/pf-host.ts";
import { FRESH_STATE } from "../sandbox/pf-host.ts";
import { contextAt } from "../trace/context-at.ts";
import { insteadOfRead, offeredActions } from "../harness/dispatch.ts";
import {
  recordedProposals,
  unaskedIn,
  type RecordedConditions,
  type RecordedQuestion,
} from "../harness/recorded-proposals.ts";
import { weigh, type Injected, type Weighed } from "../harness/weigh.ts";
import { askedIn, type AskedSkills } from "./asked-skills.ts";
import type { ActiveSkill, Library } from "./library.ts";
import { controlOf, hadTeacher } from "./recorded-control.ts";

/** What today's library decides on one recorded step. */
export interface RecordedJudgement {
  /** 0-based. */
  readonly t: number;
  /** Of the first proposal, then of the one that followed a held-back final action; as a run records them. */
  readonly events: readonly PfEvent[];
  /** `skipped`, with the reason, for each PF that is not asked: the episode's selection left it out. A run does not record these. */
  readonly notAsked: readonly PfEvent[];
  readonly executed: Action;
  readonly injected: readonly Injected[];
  /** Today another action would have run at an earlier step, so this step of the record might never have come. */
  readonly diverged: boolean;
  /** What each PF carried when the step's first proposal came. */
  readonly statesBefore: ReadonlyMap<string, PfState>;
  /** What PFs that look `after` such an action were asked when it had run, and what each PF carried; undefined where none looks. */
  readonly ran?: RanQuestion | undefined;
}

/** A question about an action that had run, and what each PF carried then. */
export interface RanQuestion {
  readonly question: PfQuestion;
  readonly states: ReadonlyMap<string, PfState>;
}

type Verdicts = ReadonlyMap<string, readonly PfVerdict[]>;

function conditionsOf(episode: Episode): RecordedConditions {
  const { contextRules } = domainOfRecord(episode.facts);
  const control = controlOf(episode);
  const budgets = episode.settings?.control === undefined ? undefined : budgetsOf(control);
  const { maxModifyFires } = control;
  return { contextRules, maxModifyFires, budgets, hadTeacher: hadTeacher(episode) };
}

/** All recorded proposals of an episode, in order, each followed by what is asked after an action of a type in `after`. */
export function recordedQuestions(episode: Episode, after?: ReadonlySet<string>): RecordedQuestion[] {
  return recordedProposals(episode, conditionsOf(episode), after);
}

/** The first proposal of step `t` alone; undefined where the episode has no such step. */
export function recordedQuestionAt(episode: Episode, t: number): PfQuestion | undefined {
  const first = episode.steps[t]?.proposals[0];
  if (first === undefined) return undefined;
  const { contextRules, maxModifyFires, budgets } = conditionsOf(episode);
  const context = contextAt(episode, t, contextRules);
  return {
    context,
    proposed: first.action,
    actionTypes: offeredActions(episode.facts),
    maxModifyFires,
    ...namedFinal(episode.facts),
    ...(budgets !== undefined && { spent: spentActions(context.actionHistory, budgets, episode.facts) }),
  };
}

const at = (verdicts: Verdicts, i: number): PfVerdict[] =>
  [...verdicts.values()].flatMap((list) => list[i] ?? []);

function statesAt(verdicts: Verdicts, i: number): ReadonlyMap<string, PfState> {
  return new Map([...verdicts].map(([id, list]) => [id, list[i - 1]?.state ?? FRESH_STATE]));
}

/** What Γ wanted of steps at which the host could not do it; what was done in its place stands as it was recorded. */
function degradedIn({ decisions = [] }: Episode): ReadonlyMap<number, unknown> {
  return new Map(
    decisions.flatMap(({ part, t, value }) =>
      part === "hook_degraded" && t !== undefined ? [[t, value] as const] : [],
    ),
  );
}

/** Steps whose final action the handlers turned into a search. */
function votedDownIn({ decisions = [] }: Episode): ReadonlySet<number> {
  return new Set(
    decisions.flatMap(({ part, value, t }) =>
      part === "handler_vote" && value === true && t !== undefined ? [t] : [],
    ),
  );
}

const asWanted = ({ type, arg }: Action): string => JSON.stringify({ type, arg });

const skippedBy = (reasons: ReadonlyMap<string, string>, proposal: number): PfEvent[] =>
  [...reasons].map(([skillId, reason]) => ({ skillId, proposal, status: "skipped", reason }));

/** Everything that one episode is judged with; all of it comes from the record, but for the verdicts. */
interface Bench {
  readonly episode: Episode;
  /** None where no PF is asked: the contexts of a long episode are large. */
  readonly questions: readonly RecordedQuestion[];
  /** Position of each asked step's first question, by step. */
  readonly starts: ReadonlyMap<number, number>;
  readonly verdicts: Verdicts;
  /** Skills that take no part, and why. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly finalAction: string;
  readonly contextBudget: number;
  readonly unasked: ReadonlyMap<number, string>;
  readonly degraded: ReadonlyMap<number, unknown>;
  readonly votedDown: ReadonlySet<number>;
}

type StepJudgement = Omit<RecordedJudgement, "t" | "diverged" | "ran">;

/** Γ on each proposal of a step. A second one counts only where its first is held back, or would stand, today. */
function weighStep({ t, proposals }: Step, { questions, starts, verdicts, ...bench }: Bench): StepJudgement {
  const { finalAction, contextBudget, leftOut, episode } = bench;
  const from = starts.get(t) ?? 0;
  const decided: Weighed[] = [];
  const notAsked: PfEvent[] = [];
  for (const [proposal, { action: proposed }] of proposals.entries()) {
    if (proposal > 0 && decided[0]?.executed.type !== finalAction) continue;
    const context = questions[from + proposal]?.context;
    const injectedBefore = decided.flatMap(({ injected }) => injected);
    const about = { proposed, proposal, injectedBefore, finalAction, contextBudget };
    const weighed = weigh(at(verdicts, from + proposal), about);
    // Without a PF that is asked, the proposal itself runs.
    const executed =
      context === undefined ? proposed : insteadOfRead(weighed.executed, proposed, episode.facts, context);
    decided.push({ ...weighed, executed });
    notAsked.push(...skippedBy(leftOut, proposal));
  }
  const last = decided.at(-1);
  if (last === undefined) throw new Error("A step without a proposal");
  return {
    events: decided.flatMap(({ events }) => events),
    notAsked,
    executed: last.executed,
    injected: decided.flatMap(({ injected }) => injected),
    statesBefore: statesAt(verdicts, from),
  };
}

/**
 * Γ once the recorded action of a step has run. Where another one would run today, nobody knows what that would bring: no PF is heard.
 */
function weighAfter(
  step: Step,
  judged: StepJudgement,
  ran: Action,
  bench: Bench,
): (RanQuestion & Pick<Weighed, "events" | "injected">) | undefined {
  const { t, executed: proposed, proposals } = step;
  const { questions, verdicts, starts, finalAction, contextBudget } = bench;
  const i = (starts.get(t) ?? 0) + proposals.length;
  const question = questions[i];
  if (question?.t !== t || question.pass !== "post" || !sameAction(ran, proposed)) return undefined;
  const proposal = proposals.length - 1;
  const about = { proposed, proposal, injectedBefore: judged.injected, finalAction, contextBudget };
  const { events, injected } = weigh(at(verdicts, i), { ...about, pass: "post" });
  return { events, injected, question, states: statesAt(verdicts, i) };
}

/** Position of each step's first question, by step. */
function startsOf(questions: readonly RecordedQuestion[]): ReadonlyMap<number, number> {
  return new Map(
    questions.flatMap(({ t, proposal, pass }, i) =>
      proposal === 0 && pass === undefined ? [[t, i] as const] : [],
    ),
  );
}

/** A step that no PF was asked about. */
function unaskedStep(
  { t, executed }: Step,
  why: string,
  { questions, verdicts, leftOut }: Bench,
): StepJudgement {
  const later = questions.findIndex((question) => question.t > t);
  const [asked, others] = [[...verdicts.keys()], [...leftOut.keys()]].map((ids) =>
    skippedBy(new Map(ids.map((id) => [id, why])), 0),
  );
  const statesBefore = statesAt(verdicts, later < 0 ? questions.length : later);
  return { events: asked ?? [], notAsked: others ?? [], executed, injected: [], statesBefore };
}

/**
 * What happened at the step in place of what Γ decides: handlers are not heard again, so a recorded vote stands on a final action, and what a
 * host did in place of what it cannot do.
 */
function keptAction(t: number, { executed }: StepJudgement, bench: Bench): boolean {
  const voted = bench.votedDown.has(t) && executed.type === bench.finalAction;
  return voted || bench.degraded.get(t) === asWanted(executed);
}

/**
 * Folds Γ over the recorded proposals of an episode, each PF with its own memory and limits. A PF's state does not depend
 * on the other PFs, so one crossing folds them all; Γ then weighs each step. Control, domain and facts are those of the record.
 */
export async function judgeRecorded(
  episode: Episode,
  library: Library,
  host: PfHost,
  { asked, leftOut }: AskedSkills = askedIn(episode, library),
): Promise<readonly RecordedJudgement[]> {
  const unasked = unaskedIn(episode);
  // A hook asks nobody once a call has run.
  const looking = episode.settings?.policy === "hook" ? [] : asked;
  const after = new Set(looking.flatMap(({ traits }) => traits.after));
  const all = asked.length === 0 ? [] : recordedQuestions(episode, after);
  const questions = all.filter(({ t }) => !unasked.has(t));
  const ids = asked.map(({ skill }) => skill.skillId);
  const bench: Bench = {
    episode,
    questions,
    starts: startsOf(questions),
    verdicts: await host.fold(ids, questions),
    leftOut,
    finalAction: finalActionOf(episode.facts),
    contextBudget: controlOf(episode).contextBudget,
    unasked,
    degraded: degradedIn(episode),
    votedDown: votedDownIn(episode),
  };
  let diverged = false;
  return episode.steps.map((step) => {
    const { t, executed } = step;
    const why = unasked.get(t);
    const judged = why === undefined ? weighStep(step, bench) : unaskedStep(step, why, bench);
    const ran = keptAction(t, judged, bench) ? executed : judged.executed;
    const later = why === undefined ? weighAfter(step, judged, ran, bench) : undefined;
    const judgement = {
      t,
      ...judged,
      events: [...judged.events, ...(later?.events ?? [])],
      injected: [...judged.injected, ...(later?.injected ?? [])],
      executed: ran,
      diverged,
      ran: later && { question: later.question, states: later.states },
    };
    diverged ||= !sameAction(ran, executed);
    return judgement;
  });
}

/** Why a PF did or did not fire on one question; undefined when its code cannot be instrumented. */
export async function explain(
  active: ActiveSkill,
  state: PfState,
  question: PfCall,
  compiler: Pick<Compiler, "instrument">,
  host: PfHost,
): Promise<Explanation | undefined> {
  const { program, source, skill } = active;
  const { value } = await compiler.instrument(program.file, source);
  if (value === undefined) return undefined;
  const run = await host.probe({ ...program, code: value.code }, state, question);
  const explained = explainRun(value, run, { skillId: skill.skillId, file: program.file });
  return question.pass === undefined ? explained : { ...explained, pass: question.pass };
}

/** Why each PF of the library did or did not fire on a step's first proposal, or after its action had run, by skill id. */
export async function explainStep(
  library: Library,
  judgement: RecordedJudgement,
  question: PfQuestion,
  compiler: Pick<Compiler, "instrument">,
  host: PfHost,
): Promise<ReadonlyMap<string, Explanation>> {
  const found = new Map<string, Explanation>();
  for (const active of library.active) {
    const asked = askedAt(active, judgement, question);
    if (asked === undefined) continue;
    const explanation = await explain(active, asked.state, asked.question, compiler, host);
    if (explanation !== undefined) found.set(active.skill.skillId, explanation);
  }
  return found;
}

/**
 * What a PF was asked at a step, and what it carried then: its first proposal, or the action that had run where it looks after those of
 * this type. Undefined where it was not asked.
 */
export function askedAt(
  { skill: { skillId }, traits }: ActiveSkill,
  { statesBefore, ran }: RecordedJudgement,
  question: PfQuestion,
): { readonly question: PfQuestion; readonly state: PfState } | undefined {
  const isLater = traits.after.includes(question.proposed.type);
  if (isLater && ran?.question.proposed.type !== question.proposed.type) return undefined;
  const asked = isLater && ran !== undefined ? ran : { question, states: statesBefore };
  const state = asked.states.get(skillId);
  return state && { question: asked.question, state };
}
