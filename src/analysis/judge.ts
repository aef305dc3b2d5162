import type { Action } from "../model/action.ts";
import type { Episode } from "../model/episode.ts";
import type { Explanation } from "../model/explanation.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { Compiler } from "../skill/compiler.ts";
import { explainRun } from "../skill/explain-run.ts";
import type { PfHost, PfQuestion, PfState, PfVerdict } from "../sandbox/pf-host.ts";
import { FRESH_STATE } from "../sandbox/pf-host.ts";
import { type ContextRules, contextsOf } from "../trace/context-at.ts";
import { weigh } from "../harness/weigh.ts";
import type { ActiveSkill, Library } from "./library.ts";

/** What today's library decides on one recorded proposal. */
export interface RecordedJudgement {
  /** 0-based. */
  readonly t: number;
  readonly events: readonly PfEvent[];
  readonly executed: Action;
  readonly injected: readonly { readonly skillId: string; readonly text: string }[];
  /** An earlier step was modified: this step of the record might never have come. */
  readonly diverged: boolean;
  /** What each PF carried when it was asked. */
  readonly statesBefore: ReadonlyMap<string, PfState>;
}

/** The first proposal of each step, in the context in which it was made. */
export function recordedQuestions(episode: Episode, rules: ContextRules): PfQuestion[] {
  const contexts = contextsOf(episode, rules);
  return episode.steps.flatMap((step, t) => {
    const context = contexts[t];
    const proposed = step.proposals[0]?.action;
    if (context === undefined || proposed === undefined) return [];
    return [{ context, proposed, actionTypes: episode.facts.actionTypes }];
  });
}

function at(verdicts: ReadonlyMap<string, readonly PfVerdict[]>, t: number): PfVerdict[] {
  return [...verdicts.values()].flatMap((list) => list[t] ?? []);
}

function statesBefore(
  verdicts: ReadonlyMap<string, readonly PfVerdict[]>,
  t: number,
): ReadonlyMap<string, PfState> {
  return new Map([...verdicts].map(([id, list]) => [id, t === 0 ? FRESH_STATE : (list[t - 1]?.state ?? FRESH_STATE)]));
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
  const questions = recordedQuestions(episode, rules);
  const ids = library.active.map(({ skill }) => skill.skillId);
  const verdicts = await host.fold(ids, questions);
  let diverged = false;
  return questions.map((question, t) => {
    const decided = weigh(at(verdicts, t), { proposed: question.proposed, proposal: 0, injectedBefore: [] });
    const judgement = {
      t,
      events: decided.events,
      executed: decided.executed,
      injected: decided.injected,
      diverged,
      statesBefore: statesBefore(verdicts, t),
    };
    diverged ||= decided.events.some(isAppliedModify);
    return judgement;
  });
}

function isAppliedModify(event: PfEvent): boolean {
  return event.status === "applied" && event.intervention?.type === "MODIFY_ACTION";
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
