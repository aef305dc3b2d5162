import { sameAction } from "../model/action.ts";
import type { Episode, Step } from "../model/episode.ts";
import type { PfHost, PfQuestion, PfState } from "../sandbox/pf-host.ts";
import { dispatch, type DispatchInput, type StepDecision } from "./dispatch.ts";

/** What today's library makes of one recorded step. */
export interface RedrivenStep {
  /** 0-based. */
  readonly t: number;
  /** One per recorded proposal that was put before Γ; the last one is what the step came to. */
  readonly decisions: readonly [StepDecision, ...StepDecision[]];
  /** An earlier step ran another action than the record, so this one might never have come. */
  readonly diverged: boolean;
}

export interface RedriveOptions extends Pick<DispatchInput, "contextBudget" | "askTeacher"> {
  /** The context and action of a recorded proposal (trace/, contextAt). */
  readonly questionAt: (t: number, proposal: number) => PfQuestion;
}

type Base = Pick<DispatchInput, "host" | "library"> & RedriveOptions;

/**
 * A recorded second proposal answers a held-back FINAL. It is judged as such unless Γ now makes something else
 * of the FINAL, which leaves no room for it.
 */
async function redriveStep(
  base: Base,
  step: Step,
  before: ReadonlyMap<string, PfState>,
): Promise<RedrivenStep["decisions"]> {
  const { questionAt, ...rest } = base;
  const first = await dispatch({
    ...rest,
    states: before,
    question: questionAt(step.t, 0),
    proposal: 0,
    injectedBefore: [],
  });
  const proposed = step.proposals[0]?.action;
  const stands = first.executed.type === proposed?.type;
  if (step.proposals.length < 2 || !stands) return [first];
  const second = await dispatch({
    ...rest,
    states: first.states,
    question: questionAt(step.t, 1),
    proposal: 1,
    injectedBefore: first.injected,
  });
  return [first, second];
}

/**
 * Puts the recorded proposals of an episode before today's library, step by step, each PF with its own memory and limits.
 * Nothing is executed: after the first step that now runs another action than the record, the rest is marked `diverged`.
 */
export async function redrive(
  episode: Pick<Episode, "steps">,
  library: DispatchInput["library"],
  host: PfHost,
  options: RedriveOptions,
): Promise<readonly RedrivenStep[]> {
  const steps: RedrivenStep[] = [];
  let states: ReadonlyMap<string, PfState> = new Map();
  let diverged = false;
  for (const step of episode.steps) {
    const decisions = await redriveStep({ ...options, host, library }, step, states);
    const last = decisions[1] ?? decisions[0];
    steps.push({ t: step.t, decisions, diverged });
    states = last.states;
    diverged ||= !sameAction(last.executed, step.executed);
  }
  return steps;
}
