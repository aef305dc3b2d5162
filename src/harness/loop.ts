import { ModelError, type ChatModel } from "../llm/chat-model.ts";
import type { Action } from "../model/action.ts";
import type { DomainFacts, Proposal } from "../model/episode.ts";
import type { PfProgram } from "../model/skill.ts";
import type { StepContext } from "../model/step-context.ts";
import type { PfHost, PfState } from "../sandbox/pf-host.ts";
import { advance, initialContext, withThought, type ContextRules } from "../trace/context-at.ts";
import type { LiveEpisode } from "../trace/live.ts";
import { exceededBy, type Budgets } from "./budgets.ts";
import { openDeadline, unlessAborted } from "./deadline.ts";
import { dispatch, offeredActions, type StepDecision } from "./dispatch.ts";
import { endOf, stopOf, Stop, type EpisodeEnd } from "./ending.ts";
import type { Environment, Policy, Seen } from "./policy.ts";
import type { Question } from "./question.ts";
import { teacherOf } from "./teacher.ts";
import { usageMeter, type UsageMeter } from "./usage.ts";

const FINAL = "FINAL";

/** All that one episode runs with. */
export interface EpisodeTask {
  readonly question: Question;
  readonly policy: Policy;
  readonly environment: Environment;
  /** Holds the PFs of `library`, loaded. */
  readonly host: PfHost;
  readonly library: readonly Pick<PfProgram, "skillId" | "priority">[];
  readonly teacher?: ChatModel;
  readonly facts: DomainFacts;
  readonly rules: ContextRules;
  readonly budgets: Budgets;
}

/** What changes from step to step. */
interface Running extends EpisodeTask {
  readonly live: Pick<LiveEpisode, "record">;
  readonly signal: AbortSignal;
  readonly spent: UsageMeter;
  readonly spentOnTeacher: UsageMeter;
  readonly seen: Seen[];
  context: StepContext;
  states: ReadonlyMap<string, PfState>;
}

/** The policy's next proposal, told to the record. */
async function propose(run: Running, t: number, proposal: number): Promise<Proposal> {
  const { question, seen, policy, facts, signal } = run;
  const input = {
    questionId: question.id,
    question: question.question,
    seen,
    t,
    proposal,
    maxSteps: facts.maxSteps,
  };
  const proposed = await unlessAborted(signal, () => policy.propose(input, signal));
  if (proposed === undefined) throw new Stop("policy_ended");
  run.spent.add(proposed.usage);
  run.live.record({ event: "proposed", t, proposal: proposed });
  return proposed;
}

/** Γ on one proposal, told to the record. */
async function judge(
  run: Running,
  t: number,
  proposed: Proposal,
  before: StepDecision | undefined,
): Promise<StepDecision> {
  const { host, library, states, teacher, facts, signal } = run;
  const started = performance.now();
  const decision = await dispatch({
    host,
    library,
    states,
    question: {
      context: withThought(run.context, proposed.thought),
      proposed: proposed.action,
      actionTypes: offeredActions(facts),
    },
    proposal: before === undefined ? 0 : 1,
    injectedBefore: before?.injected ?? [],
    ...(teacher !== undefined && {
      askTeacher: teacherOf(teacher, signal, (usage) => run.spentOnTeacher.add(usage)),
    }),
  });
  run.states = decision.states;
  const { events, injected } = decision;
  const dispatchMs = performance.now() - started;
  run.live.record({ event: "judged", t, events: [...events], injected: [...injected], dispatchMs });
  return decision;
}

/** Proposal and judgement, and both again where a context held back the FINAL (DESIGN.md, Γ). */
async function decide(run: Running, t: number): Promise<{ proposal: Proposal; decision: StepDecision }> {
  const proposal = await propose(run, t, 0);
  const decision = await judge(run, t, proposal, undefined);
  if (!decision.holdBack) return { proposal, decision };
  run.seen.push({ kind: "held-back", proposal, injected: decision.injected.map(({ text }) => text) });
  const again = await propose(run, t, 1);
  return { proposal: again, decision: await judge(run, t, again, decision) };
}

/** Runs the action. What fails inside the environment is its own stop reason; what the run did until then is kept. */
async function execute(run: Running, t: number, action: Action): Promise<string> {
  const { environment, signal, live } = run;
  const answer = await unlessAborted(signal, () => environment.execute(action, signal)).catch(
    (error: unknown) => {
      if (signal.aborted || error instanceof ModelError) throw error;
      throw new Stop("environment_error", error instanceof Error ? error.message : String(error));
    },
  );
  const { observation, documents, usage } = answer;
  run.spent.add(usage);
  live.record({
    event: "observed",
    t,
    observation,
    ...(documents !== undefined && { documents: [...documents] }),
  });
  return observation;
}

/** One step. Answers the final answer, or undefined when the episode goes on. */
async function takeStep(run: Running, t: number): Promise<string | undefined> {
  const { proposal, decision } = await decide(run, t);
  const { executed } = decision;
  // A PF whose teacher was cut off has decided without it: no such decision is carried out.
  run.signal.throwIfAborted();
  const exceeded = exceededBy(executed, run.context.actionHistory, run.budgets);
  if (exceeded !== undefined) throw new Stop(exceeded);
  run.live.record({ event: "executed", t, action: executed });
  if (executed.type === FINAL) return executed.arg;
  const observation = await execute(run, t, executed);
  run.seen.push({
    kind: "step",
    proposal,
    executed,
    observation,
    injected: decision.injected.map(({ text }) => text),
  });
  run.context = advance(run.context, { executed, observation }, run.facts, run.rules);
  return undefined;
}

/**
 * One episode: propose → Γ → (a held-back FINAL once more) → execute → observe, until an answer or a limit. Every call is
 * preceded by a look at the budgets; docs/formats.md lists the stop reasons. What the steps were is in the events of `live`,
 * how it ended is the answer. Rejects only where the sandbox or the disk is gone, or a policy has a bug.
 */
export async function runEpisode(
  task: EpisodeTask,
  live: Pick<LiveEpisode, "record">,
  signal: AbortSignal,
): Promise<EpisodeEnd> {
  const deadline = openDeadline(task.budgets.timeoutSeconds * 1000, signal);
  const context = initialContext(task.question.question, task.facts);
  const run: Running = {
    ...task,
    live,
    signal: deadline.signal,
    spent: usageMeter(),
    spentOnTeacher: usageMeter(),
    seen: [],
    context,
    states: new Map(),
  };
  try {
    for (let t = 0; t < task.budgets.maxSteps; t++) {
      const answer = await takeStep(run, t);
      if (answer !== undefined) return endOf(run, { reason: "final" }, answer);
    }
    return endOf(run, { reason: "max_steps" });
  } catch (error) {
    return endOf(run, stopOf(error, signal, deadline.signal));
  } finally {
    deadline.close();
  }
}
