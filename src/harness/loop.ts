import type { Domain } from "../domains/domain.ts";
import { ModelError, type ChatModel } from "../llm/chat-model.ts";
import type { Action } from "../model/action.ts";
import type { DomainFacts, Proposal } from "../model/episode.ts";
import type { LiveEpisode } from "../trace/live.ts";
import { earlierAnswer, recordPrefix, seenIn, type Prefix } from "./branch-prefix.ts";
import { exceededBy } from "../model/budgets.ts";
import { budgetsOf } from "../model/control.ts";
import { openDeadline, unlessAborted } from "./deadline.ts";
import { endOf, stopOf, Stop, type EpisodeEnd } from "./ending.ts";
import type { Environment, Policy, Seen } from "./policy.ts";
import type { Question } from "./question.ts";
import { openSession, type EpisodeSession, type Judgement, type SessionTask } from "./session.ts";
import { teacherClient, type TeacherClient } from "./teacher.ts";
import { usageMeter, type UsageMeter } from "./usage.ts";

/** All that one episode runs with. */
export interface EpisodeTask extends Pick<SessionTask, "host" | "library" | "control"> {
  readonly domain: SessionTask["domain"] & Pick<Domain, "judge">;
  readonly question: Question;
  readonly policy: Policy;
  readonly environment: Environment;
  readonly teacher?: ChatModel;
  readonly facts: DomainFacts;
  /** Recorded steps to go on from; without it the episode begins at its question. */
  readonly prefix?: Prefix | undefined;
}

/** What changes from step to step. */
interface Running extends Omit<EpisodeTask, "teacher"> {
  readonly session: EpisodeSession;
  readonly teacher: TeacherClient;
  readonly live: Pick<LiveEpisode, "record">;
  readonly signal: AbortSignal;
  readonly spent: UsageMeter;
  readonly seen: Seen[];
  /** An answer that was not taken, in case no other comes. */
  earlier: string | undefined;
}

/** The policy's next proposal, told to the record. */
async function propose(run: Running, t: number, proposal: number): Promise<Proposal> {
  const { question, seen, policy, facts, signal, session } = run;
  const instructions = proposal === 0 ? session.instruct(t) : [];
  const input = {
    summaries: session.summaries,
    actionTypes: facts.actionTypes,
    instructions: instructions.map(({ text }) => text),
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
  const told = instructions.length > 0 && { instructions: [...instructions] };
  run.live.record({ event: "proposed", t, proposal: proposed, ...told });
  return proposed;
}

/** Proposal and judgement, and both again where a context held back the FINAL (DESIGN.md, Γ). */
async function decide(run: Running, t: number): Promise<{ proposal: Proposal; judgement: Judgement }> {
  const { session, seen } = run;
  const proposal = await propose(run, t, 0);
  const judgement = await session.judge(t, proposal);
  if (!judgement.holdBack) return { proposal, judgement };
  seen.push({ kind: "held-back", proposal, injected: judgement.injected.map(({ text }) => text) });
  const again = await propose(run, t, 1);
  return { proposal: again, judgement: await session.judge(t, again) };
}

/** Runs the action. What fails inside the environment is its own stop reason; what the run did until then is kept. */
async function execute(run: Running, t: number, action: Action): Promise<string> {
  const { environment, signal, live, teacher } = run;
  const ask = teacher.at("search_snippet");
  const answer = await unlessAborted(signal, () => environment.execute(action, signal, ask)).catch(
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

/** What becomes of an answer: it is the episode's, or undefined and the policy goes another round. */
async function finish(
  run: Running,
  t: number,
  proposal: Proposal,
  answer: string,
): Promise<string | undefined> {
  const finished = await run.session.finish(t, answer);
  run.signal.throwIfAborted();
  if (finished.kind === "answer") return finished.answer;
  const { note } = finished;
  run.earlier = answer;
  run.live.record({ event: "observed", t, observation: note });
  run.seen.push({ kind: "next-round", proposal, note });
  return undefined;
}

/** One step. Answers the final answer, or undefined when the episode goes on. */
async function takeStep(run: Running, t: number): Promise<string | undefined> {
  const { session, live } = run;
  const { proposal, judgement } = await decide(run, t);
  const { executed, injected } = judgement;
  // A teacher that was cut off has decided nothing: what was decided without it is not carried out.
  run.signal.throwIfAborted();
  const exceeded = exceededBy(executed, session.context().actionHistory, budgetsOf(run.control));
  if (exceeded !== undefined) throw new Stop(exceeded);
  live.record({ event: "executed", t, action: executed });
  if (executed.type === run.domain.finalAction) return finish(run, t, proposal, executed.arg);
  const observation = await execute(run, t, executed);
  run.seen.push({
    kind: "step",
    proposal,
    executed,
    observation,
    injected: injected.map(({ text }) => text),
  });
  session.observe(executed, observation);
  return undefined;
}

async function takeSteps(run: Running): Promise<string | undefined> {
  for (let t = run.prefix?.steps.length ?? 0; t < run.control.maxSteps; t++) {
    const answer = await takeStep(run, t);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/**
 * One episode: select → propose → Γ → (a held-back FINAL once more) → execute → observe, until an answer or a limit. Every call is
 * preceded by a look at the budgets; docs/formats.md lists the stop reasons. The steps of a prefix are taken over, not run, and count
 * against the budgets of steps and calls. What the steps were is in the events of `live`, how it ended is the answer. Rejects only
 * where the sandbox or the disk is gone, or a policy has a bug.
 */
export async function runEpisode(
  task: EpisodeTask,
  live: Pick<LiveEpisode, "record">,
  signal: AbortSignal,
): Promise<EpisodeEnd> {
  const { question, control, prefix } = task;
  const deadline = openDeadline(control.timeoutSeconds * 1000, signal);
  const spentOnTeacher = usageMeter();
  const account = { question, judge: task.domain.judge, spent: usageMeter(), spentOnTeacher };
  const teacher = teacherClient({
    model: task.teacher,
    control,
    signal: deadline.signal,
    spend: (usage) => spentOnTeacher.add(usage),
  });
  const seen: Seen[] = prefix === undefined ? [] : seenIn(prefix);
  const earlier = prefix === undefined ? undefined : earlierAnswer(prefix);
  let run: Running | undefined;
  try {
    const record = live.record.bind(live);
    const session = await openSession({ ...task, question: question.question, teacher, record });
    if (prefix !== undefined) {
      recordPrefix(prefix, record);
      task.environment.restore?.(prefix.steps);
    }
    run = { ...task, ...account, session, teacher, live, signal: deadline.signal, seen, earlier };
    const answer = await takeSteps(run);
    if (answer !== undefined) return endOf(account, { reason: "final" }, answer);
    return endOf(account, { reason: "max_steps" }, run.earlier);
  } catch (error) {
    return endOf(account, stopOf(error, signal, deadline.signal), run?.earlier);
  } finally {
    deadline.close();
  }
}
