import type { RunnableDomain } from "../domains/domain.ts";
import { ModelError, type ChatModel } from "../llm/chat-model.ts";
import { redactTexts } from "../llm/redact.ts";
import type { Action } from "../model/action.ts";
import type { Instruction } from "../model/decision.ts";
import type { DomainFacts, Proposal } from "../model/episode.ts";
import type { TeacherCall } from "../model/intervention.ts";
import type { Sampling } from "../model/sampling.ts";
import type { Judge } from "../scoring/judge.ts";
import type { LiveEpisode } from "../trace/live.ts";
import type { Conversation } from "../trace/message-store.ts";
import { recordPrefix, seenIn, type Prefix } from "./branch-prefix.ts";
import { openDeadline, unlessAborted } from "./deadline.ts";
import { endOf, keepDraft, stopOf, Stop, type Account, type EpisodeEnd } from "./ending.ts";
import type { Environment, Policy, Seen } from "./policy.ts";
import type { Question } from "./question.ts";
import type { Injected } from "./weigh.ts";
import { openSession, type EpisodeSession, type Judgement } from "./session.ts";
import type { SessionTask } from "./session-task.ts";
import { teacherClient, type TeacherClient } from "./teacher.ts";
import { usageMeter } from "./usage.ts";

/** All that one episode runs with. */
export interface EpisodeTask extends Pick<SessionTask, "host" | "library" | "control"> {
  readonly domain: SessionTask["domain"] & Pick<RunnableDomain, "prompt">;
  /** The domain's own, opened for the run. */
  readonly judge: Judge;
  readonly question: Question;
  /** Which of the samples of the question this is; the first is 1. */
  readonly sample: number;
  readonly sampling: Sampling;
  readonly policy: Policy;
  readonly environment: Environment;
  readonly teacher?: ChatModel;
  readonly facts: DomainFacts;
  /** Keeps what the policy reads. */
  readonly conversation: Conversation;
  /**
   * Hides secrets in all that comes from outside, before anybody sees it: so the record is what was judged and read.
   */
  readonly redact: (text: string) => string;
  /** Recorded steps to go on from; without it the episode begins at its question. */
  readonly prefix?: Prefix | undefined;
}

/** What changes from step to step. */
interface Running extends Omit<EpisodeTask, "teacher"> {
  readonly session: EpisodeSession;
  readonly teacher: TeacherClient;
  readonly live: Pick<LiveEpisode, "record">;
  readonly signal: AbortSignal;
  readonly account: Account;
  readonly seen: Seen[];
  /** Id of the messages that a proposal was asked for with, until it comes. */
  asked: string | undefined;
}

/** The policy's proposal with all that the record keeps of it. */
function recordable(run: Running, proposed: Proposal, messages: string): Proposal {
  const { prompt } = run.domain;
  const { completion = { text: prompt.render(proposed), finish: "stop", rendered: true }, ...rest } =
    redactTexts(proposed, run.redact);
  return { ...rest, completion, messages };
}

/** The policy's next proposal, told to the record. `instructions` go with what held back its first one. */
async function propose(
  run: Running,
  t: number,
  proposal: 0 | 1,
  instructions: readonly Instruction[],
): Promise<Proposal> {
  const { question, seen, policy, facts, signal, session, sample, sampling } = run;
  const told = {
    summaries: session.summaries,
    actionTypes: facts.actionTypes,
    instructions: instructions.map(({ text }) => text),
    question: question.question,
    seen,
    t,
    maxSteps: facts.maxSteps,
    most: session.callsAllowed,
    replies: sampling.replies,
  };
  const messages = run.domain.prompt.messages(told);
  const input = { ...told, questionId: question.id, sample, sampling, proposal, messages };
  const asked = run.conversation.read(messages);
  run.asked = asked;
  const proposed = await unlessAborted(signal, () => policy.propose(input, signal));
  if (proposed === undefined) throw new Stop("policy_ended");
  run.asked = undefined;
  run.account.spent.add(proposed.usage);
  const kept = recordable(run, proposed, asked);
  const reminded = instructions.length > 0 && { instructions: [...instructions] };
  run.live.record({ event: "proposed", t, proposal: kept, ...reminded });
  keepDraft(run.account, run.domain.finalAction, { t, proposal }, kept.action);
  return kept;
}

const textsOf = (texts: readonly { readonly text: string }[]): readonly string[] =>
  texts.map(({ text }) => text);

/** The proposal of a step that counts, its judgement, and the texts that the policy read before it. */
interface Decided {
  readonly proposal: Proposal;
  readonly judgement: Judgement;
  readonly asked: Pick<Seen, "t" | "instructions">;
}

/** Proposal and judgement, and both again where a context held back the FINAL (DESIGN.md, Γ). */
async function decide(run: Running, t: number): Promise<Decided> {
  const { session, seen } = run;
  const instructions = session.instruct(t);
  const proposal = await propose(run, t, 0, instructions);
  const judgement = await session.judge(t, proposal);
  const asked = { t, instructions: textsOf(instructions) };
  if (!judgement.holdBack) return { proposal, judgement, asked };
  seen.push({ kind: "held-back", proposal, injected: textsOf(judgement.injected), ...asked });
  const again = await propose(run, t, 1, judgement.instructions);
  const last = await session.judge(t, again);
  return {
    proposal: again,
    judgement: last,
    asked: { t, instructions: textsOf(judgement.instructions) },
  };
}

/** The teacher as the environment asks it, each call noted. */
function notedSite(run: Running, calls: TeacherCall[]): ReturnType<TeacherClient["at"]> {
  const ask = run.teacher.at("search_snippet");
  if (ask === undefined) return undefined;
  return async (question) => {
    const call = await ask(question);
    calls.push(call);
    return call;
  };
}

/** Runs the action. What fails inside the environment is its own stop reason; what the run did until then is kept. */
async function execute(run: Running, t: number, action: Action): Promise<string> {
  const { environment, signal, live } = run;
  const calls: TeacherCall[] = [];
  const ask = notedSite(run, calls);
  const answer = await unlessAborted(signal, () => environment.execute(action, signal, ask)).catch(
    (error: unknown) => {
      if (signal.aborted || error instanceof ModelError) throw error;
      throw new Stop("environment_error", error instanceof Error ? error.message : String(error));
    },
  );
  const { observation, documents } = redactTexts(answer, run.redact);
  run.account.spent.add(answer.usage);
  live.record({
    event: "observed",
    t,
    observation,
    ...(documents !== undefined && { documents: [...documents] }),
    ...(calls.length > 0 && { calls }),
  });
  return observation;
}

/** What becomes of an answer: it is the episode's, or undefined and the policy goes another round. */
async function finish(
  run: Running,
  { proposal, asked }: Decided,
  answer: string,
): Promise<string | undefined> {
  const { t } = asked;
  const finished = await run.session.finish(t, answer);
  run.signal.throwIfAborted();
  if (finished.kind === "answer") return finished.answer;
  const { note } = finished;
  run.live.record({ event: "observed", t, observation: note });
  run.seen.push({ kind: "next-round", proposal, note, ...asked });
  return undefined;
}

/** The observation of an action that does not end the episode, with what PFs inject after it. */
interface Acted {
  readonly observation: string;
  readonly after: readonly Injected[];
}

async function act(run: Running, t: number, executed: Action): Promise<Acted> {
  const { session, live } = run;
  const withheld = session.withhold(executed);
  if (withheld !== undefined) {
    const { why, observation } = withheld;
    live.record({ event: "withheld", t, action: executed, why });
    live.record({ event: "observed", t, observation });
    return { observation, after: [] };
  }
  live.record({ event: "executed", t, action: executed });
  const observation = await execute(run, t, executed);
  return { observation, after: await session.observe(executed, observation) };
}

/** One step. Answers the final answer, or undefined when the episode goes on. */
async function takeStep(run: Running, t: number): Promise<string | undefined> {
  const { live } = run;
  const decided = await decide(run, t);
  const { proposal, judgement, asked } = decided;
  const { executed, injected, because } = judgement;
  // A teacher that was cut off has decided nothing: what was decided without it is not carried out.
  run.signal.throwIfAborted();
  if (executed.type === run.domain.finalAction) {
    live.record({ event: "executed", t, action: executed });
    return finish(run, decided, executed.arg);
  }
  const { observation, after } = await act(run, t, executed);
  run.signal.throwIfAborted();
  const texts = textsOf([...injected, ...after]);
  const why = because !== undefined && { because };
  run.seen.push({ kind: "step", proposal, executed, observation, injected: texts, ...why, ...asked });
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
 * preceded by a look at the budgets; docs/formats.md lists the stop reasons. Where no other answer comes, the episode has the latest one
 * that was not taken. The steps of a prefix are taken over, not run, and count against the budgets of steps and calls. What the steps were is in the events of `live`, how it ended is the answer. Rejects only
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
  const { judge } = task;
  const account: Account = { question, judge, signal, spent: usageMeter(), spentOnTeacher, drafts: [] };
  const teacher = teacherClient({
    model: task.teacher,
    control,
    redact: task.redact,
    signal: deadline.signal,
    spend: (usage) => spentOnTeacher.add(usage),
  });
  const seen: Seen[] = prefix === undefined ? [] : seenIn(prefix);
  let run: Running | undefined;
  try {
    const record = live.record.bind(live);
    const session = await openSession({ ...task, question: question.question, teacher, record });
    if (prefix !== undefined) {
      recordPrefix(prefix, record);
      task.environment.restore?.(prefix.steps);
    }
    const own = { session, teacher, live, signal: deadline.signal, seen, asked: undefined };
    run = { ...task, account, ...own };
    const answer = await takeSteps(run);
    if (answer !== undefined) return await endOf(account, { reason: "final" }, answer);
    return await endOf(account, { reason: "max_steps" }, session.untakenAnswer());
  } catch (error) {
    const stopped = stopOf(error, signal, deadline.signal);
    return await endOf(account, { ...stopped, asked: run?.asked }, run?.session.untakenAnswer());
  } finally {
    deadline.close();
  }
}
