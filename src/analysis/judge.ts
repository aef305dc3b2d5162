import { domainOf } from "../domains/registry.ts";
import { sameAction, type Action } from "../model/action.ts";
import type { Episode } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { Compiler } from "../skill/compiler.ts";
import { explainRun } from "../skill/explain-run.ts";
import type { PfHost, PfQuestion, PfState, PfVerdict } from "../sandbox/pf-host.ts";
import { FRESH_STATE } from "../sandbox/pf-host.ts";
import { type ContextRules, contextAt, contextsOf, withProposal } from "../trace/context-at.ts";
import { insteadOfRead, offeredActions } from "../harness/dispatch.ts";
import { weigh, type Injected, type Weighed } from "../harness/weigh.ts";
import { activeIn, type ActiveSkill, type Library } from "./library.ts";

/** The action that handlers vote on. */
const FINAL = "FINAL";

/** What today's library decides on one recorded step. */
export interface RecordedJudgement {
  /** 0-based. */
  readonly t: number;
  /** Of the first proposal, then of the one that followed a held-back FINAL. */
  readonly events: readonly PfEvent[];
  readonly executed: Action;
  readonly injected: readonly Injected[];
  /** Today another action would have run at an earlier step, so this step of the record might never have come. */
  readonly diverged: boolean;
  /** What each PF carried when the step's first proposal came. */
  readonly statesBefore: ReadonlyMap<string, PfState>;
}

/** One recorded proposal, in the context in which it was made. */
export interface RecordedQuestion extends PfQuestion {
  readonly t: number;
  /** 0, or 1 after a held-back FINAL. */
  readonly proposal: number;
}

type Verdicts = ReadonlyMap<string, readonly PfVerdict[]>;

/**
 * Skills that the episode's own selection left out, with the reason: they were not asked, and a replay does not ask them either. A
 * skill that was not there at the time is judged.
 */
export function leftOutOf({ decisions = [], library }: Episode): ReadonlyMap<string, string> {
  const selector = decisions.find(({ part }) => part === "pf_selector");
  if (selector !== undefined)
    return new Map(
      (selector.leftOut ?? []).map(({ skillId, reason }) => [
        skillId,
        `not selected for this question: ${reason}`,
      ]),
    );
  const closing = decisions.find(({ part }) => part === "difficulty_gate") ?? decisions[0];
  return new Map(closing === undefined ? [] : library.map(({ skillId }) => [skillId, closing.reason]));
}

/** All recorded proposals of an episode, in order. */
export function recordedQuestions(episode: Episode, rules: ContextRules): RecordedQuestion[] {
  const contexts = contextsOf(episode, rules);
  const actionTypes = offeredActions(episode.facts);
  const limits = limitsOf(episode);
  return episode.steps.flatMap((step, t) => {
    const context = contexts[t];
    if (context === undefined) return [];
    return step.proposals.map((asked, proposal) => ({
      t,
      proposal,
      context: withProposal(context, asked, rules),
      proposed: asked.action,
      actionTypes,
      ...limits,
    }));
  });
}

/**
 * What the episode itself was judged with; of an imported one, which says nothing of it, what is usual in its domain: an agent's session
 * has other limits than a question.
 */
function limitsOf({ settings, facts }: Episode): Pick<PfQuestion, "maxModifyFires"> {
  const control = settings?.["control"];
  const isSaid = typeof control === "object" && control !== null && "maxModifyFires" in control;
  const usual = domainOf(facts.domain)?.thresholds.maxModifyFires;
  const maxModifyFires = isSaid ? control.maxModifyFires : usual;
  return typeof maxModifyFires === "number" ? { maxModifyFires } : {};
}

/** The first proposal of step `t` alone; undefined where the episode has no such step. */
export function recordedQuestionAt(
  episode: Episode,
  t: number,
  rules: ContextRules,
): RecordedQuestion | undefined {
  const first = episode.steps[t]?.proposals[0];
  if (first === undefined) return undefined;
  const actionTypes = offeredActions(episode.facts);
  const context = contextAt(episode, t, rules);
  return { t, proposal: 0, context, proposed: first.action, actionTypes, ...limitsOf(episode) };
}

const at = (verdicts: Verdicts, i: number): PfVerdict[] =>
  [...verdicts.values()].flatMap((list) => list[i] ?? []);

function statesAt(verdicts: Verdicts, i: number): ReadonlyMap<string, PfState> {
  return new Map([...verdicts].map(([id, list]) => [id, list[i - 1]?.state ?? FRESH_STATE]));
}

/** A second proposal answers a held-back FINAL; it counts only where the first still stands today. */
function isReached(question: RecordedQuestion, first: Weighed | undefined): boolean {
  return question.proposal === 0 || first?.executed.type === FINAL;
}

/** Steps that no PF was asked about, with the reason: a hook lets a call pass that is too large to be judged. */
function unaskedIn({ decisions = [] }: Episode): ReadonlyMap<number, string> {
  return new Map(
    decisions.flatMap(({ part, t, reason }) =>
      part === "hook_unasked" && t !== undefined ? [[t, reason] as const] : [],
    ),
  );
}

/** What Γ wanted of steps at which the host could not do it; what was done in its place stands as it was recorded. */
function degradedIn({ decisions = [] }: Episode): ReadonlyMap<number, unknown> {
  return new Map(
    decisions.flatMap(({ part, t, value }) =>
      part === "hook_degraded" && t !== undefined ? [[t, value] as const] : [],
    ),
  );
}

const asWanted = ({ type, arg }: Action): string => JSON.stringify({ type, arg });

/** What an episode is judged with. */
interface Bench {
  readonly verdicts: Verdicts;
  /** Skills that took no part, and why. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly facts: Episode["facts"];
}

const skippedBy = (leftOut: Bench["leftOut"], proposal: number): PfEvent[] =>
  [...leftOut].map(([skillId, reason]) => ({ skillId, proposal, status: "skipped", reason }));

function judgeStep(
  questions: readonly RecordedQuestion[],
  from: number,
  { verdicts, leftOut, facts }: Bench,
): Omit<RecordedJudgement, "t" | "diverged"> {
  const decided: Weighed[] = [];
  questions.forEach((question, i) => {
    if (!isReached(question, decided[0])) return;
    const { proposed, proposal, context } = question;
    const injectedBefore = decided.flatMap((earlier) => earlier.injected);
    const weighed = weigh(at(verdicts, from + i), { proposed, proposal, injectedBefore });
    const executed = insteadOfRead(weighed.executed, proposed, facts, context);
    const events = [...weighed.events, ...skippedBy(leftOut, proposal)];
    decided.push({ ...weighed, executed, events });
  });
  const last = decided.at(-1);
  if (last === undefined) throw new Error("A step without a proposal");
  return {
    events: decided.flatMap(({ events }) => events),
    executed: last.executed,
    injected: decided.flatMap(({ injected }) => injected),
    statesBefore: statesAt(verdicts, from),
  };
}

/**
 * Folds Γ over the recorded proposals of an episode, each PF with its own memory and limits. A PF's state does not depend
 * on the other PFs, so one crossing folds them all; Γ then weighs each step. No teacher.
 */
export async function judgeRecorded(
  episode: Episode,
  library: Library,
  host: PfHost,
  rules: ContextRules,
): Promise<readonly RecordedJudgement[]> {
  const unasked = unaskedIn(episode);
  const degraded = degradedIn(episode);
  const questions = recordedQuestions(episode, rules).filter(({ t }) => !unasked.has(t));
  const all = activeIn(library, episode.facts.domain).map(({ skill }) => skill.skillId);
  const leftOut = new Map([...leftOutOf(episode)].filter(([id]) => all.includes(id)));
  const verdicts = await host.fold(
    all.filter((id) => !leftOut.has(id)),
    questions,
  );
  const bench = { verdicts, leftOut, facts: episode.facts };
  const votedDown = new Set(
    (episode.decisions ?? []).flatMap(({ part, value, t }) =>
      part === "handler_vote" && value === true ? t : [],
    ),
  );
  let diverged = false;
  return episode.steps.map(({ executed }, t) => {
    const why = unasked.get(t);
    if (why !== undefined) {
      const later = questions.findIndex((question) => question.t > t);
      const statesBefore = statesAt(verdicts, later < 0 ? questions.length : later);
      const everyone = new Map(all.map((id) => [id, why]));
      const events = skippedBy(everyone, 0);
      return { t, diverged, events, executed, injected: [], statesBefore };
    }
    const from = questions.findIndex((question) => question.t === t);
    const judged = {
      t,
      diverged,
      ...judgeStep(
        questions.filter((question) => question.t === t),
        from,
        bench,
      ),
    };
    // Handlers are not heard again: their vote on a FINAL stands as it was recorded.
    const voted = votedDown.has(t) && judged.executed.type === FINAL;
    const isKept = voted || degraded.get(t) === asWanted(judged.executed);
    const ran = isKept ? executed : judged.executed;
    diverged ||= !sameAction(ran, executed);
    return { ...judged, executed: ran };
  });
}

/** Why a PF did or did not fire on one question; undefined when its code cannot be instrumented. */
export async function explain(
  active: ActiveSkill,
  state: PfState,
  question: PfQuestion,
  compiler: Pick<Compiler, "instrument">,
  host: PfHost,
): Promise<Explanation | undefined> {
  const { program, source, skill } = active;
  const { value } = await compiler.instrument(program.file, source);
  if (value === undefined) return undefined;
  const run = await host.probe({ ...program, code: value.code }, state, question);
  return explainRun(value, run, { skillId: skill.skillId, file: program.file });
}

/** Why each PF of the library did or did not fire on a step's first proposal, by skill id. */
export async function explainStep(
  library: Library,
  judgement: RecordedJudgement,
  question: PfQuestion,
  compiler: Pick<Compiler, "instrument">,
  host: PfHost,
): Promise<ReadonlyMap<string, Explanation>> {
  const found = new Map<string, Explanation>();
  for (const active of library.active) {
    const { skillId } = active.skill;
    const state = judgement.statesBefore.get(skillId);
    if (state === undefined) continue;
    const explanation = await explain(active, state, question, compiler, host);
    if (explanation !== undefined) found.set(skillId, explanation);
  }
  return found;
}
