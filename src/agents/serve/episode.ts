import type { Domain } from "../../domains/domain.ts";
import { rewrittenText } from "../../domains/rewritten-call.ts";
import type { Withheld } from "../../model/budgets.ts";
import { openDeadline, type Deadline } from "../../harness/deadline.ts";
import { endOf, keepDraft, stopOf, type Account, type Stopped } from "../../harness/ending.ts";
import type { Question } from "../../harness/question.ts";
import { openSession, type EpisodeSession, type Judgement } from "../../harness/session.ts";
import type { SessionTask } from "../../harness/session-task.ts";
import { teacherClient } from "../../harness/teacher.ts";
import { usageMeter } from "../../harness/usage.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import { redactTexts } from "../../llm/redact.ts";
import { formatAction, sameAction, type Action } from "../../model/action.ts";
import { REFUSE } from "../../model/coding-tools.ts";
import type { Instruction } from "../../model/decision.ts";
import type { DomainFacts } from "../../model/episode.ts";
import type { PfEvent } from "../../model/intervention.ts";
import type { Judge } from "../../scoring/judge.ts";
import { didYouMean } from "../../skill/suggest.ts";
import type { LiveEpisode } from "../../trace/live.ts";
import type { Conversation, MessageStore } from "../../trace/message-store.ts";
import { NAMELESS, ServeError, type Params } from "./protocol.ts";
import {
  eventOf,
  isRead,
  proposalOf,
  resultOf,
  textOf,
  type Ended,
  type Judged,
  type Next,
  type Observed,
  type Outcomes,
} from "./results.ts";
import { serialQueue } from "../../model/serial-queue.ts";

/** One episode that somebody else's agent drives. */
export interface ServedTask extends Pick<SessionTask, "host" | "library" | "control"> {
  readonly domain: Domain;
  /** The domain's own, opened for the server. */
  readonly judge: Judge;
  readonly question: Question;
  readonly facts: DomainFacts;
  /** Ends the messages with texts of skills. */
  readonly form: string;
  readonly teacher?: ChatModel;
  /** Hides secrets in what comes from the agent and from the teacher. */
  readonly redact: (text: string) => string;
  /** Where it is recorded; undefined: nowhere. */
  readonly live: Pick<LiveEpisode, "record" | "finish"> | undefined;
  /** Keeps what the agent's model read; undefined: nothing is written. */
  readonly reading: (Conversation & Pick<MessageStore, "settled">) | undefined;
  /** Ends it: the server stops. */
  readonly signal: AbortSignal;
  /** Hears of the end, once, when it is on the disk. */
  readonly onEnd: (ended: Ended) => void;
}

/** The calls of an episode take turns: each sees what the one before has left. Each rejects with ServeError where it cannot be. */
export interface ServedEpisode {
  readonly summaries: readonly string[];
  /** What the agent reads before its first step. */
  readonly first: Next;
  step(params: Params<"step">): Promise<Judged & Outcomes>;
  observe(params: Params<"observe">): Promise<Observed>;
  close(params: Params<"close">): Promise<Ended>;
  /** Ends it without an answer of its own. Nothing happens where it has ended. */
  stop(reason: string): Promise<Ended>;
}

/** What changes from call to call. */
interface State {
  waiting: "step" | "second step" | "observe";
  t: number;
  /** Read before this step's proposal, and not yet recorded with it. */
  told: readonly Instruction[];
  /** Runs on the other side, and waits for its observation. */
  executed: Action | undefined;
  /** What the PFs said of the latest proposal. */
  judged: readonly PfEvent[];
  /** Steps that were executed. */
  steps: number;
  ended: Ended | undefined;
}

interface Opening extends ServedTask {
  readonly deadline: Deadline;
  readonly account: Account;
  readonly record: LiveEpisode["record"];
  readonly state: State;
}

interface Running extends Opening {
  readonly session: EpisodeSession;
}

export function endedError({ stopReason }: Pick<Ended, "stopReason">): ServeError {
  const next = "Open another episode; docs/serve.md says why one ends.";
  return new ServeError("episode_ended", `The episode has ended (${stopReason}).`, next);
}

function outOfOrder(called: string, { waiting, executed }: State): ServeError {
  const of = executed === undefined ? "its action" : formatAction(executed);
  const due = {
    step: "the next step",
    "second step": "the second proposal of the step whose FINAL was held back",
    observe: `the observation of ${of.length > 200 ? `${of.slice(0, 200)}…` : of}`,
  }[waiting];
  const next = waiting === "observe" ? "observe" : "step";
  return new ServeError(
    "wrong_order",
    `The episode waits for ${due}; ${called} came.`,
    `Call ${next} first.`,
  );
}

function refuseUnknown({ type }: Pick<Action, "type">, { actionTypes }: DomainFacts): void {
  if (actionTypes.includes(type) || NAMELESS.includes(type)) return;
  const message = `The episode has no action "${type.slice(0, 60)}".`;
  throw new ServeError("bad_params", message, didYouMean(type, actionTypes));
}

async function end(run: Opening, stopped: Stopped, answer?: string): Promise<Ended> {
  const { state, account, deadline, live } = run;
  if (state.ended !== undefined) return state.ended;
  const last = await endOf(account, stopped, answer);
  const { stopReason, outcome } = last;
  const ended = { steps: state.steps, stopReason, outcome, ...(answer !== undefined && { answer }) };
  state.ended = ended;
  deadline.close();
  try {
    // An episode is not in the file before what its policy read.
    await run.reading?.settled();
    await live?.finish(redactTexts(last, run.redact));
  } finally {
    run.onEnd(ended);
  }
  return ended;
}

/** A budget is used up. The answer that was not taken is better than none. */
async function stopAt(run: Running, stopped: string): Promise<Pick<Next, "answer"> & { stopped: string }> {
  const answer = run.session.untakenAnswer();
  await end(run, { reason: stopped }, answer);
  return { stopped, ...(answer !== undefined && { answer }) };
}

function causeOf(error: unknown, { signal, deadline }: Opening): Stopped {
  if (signal.aborted) return { reason: "server_stopped" };
  try {
    return stopOf(error, signal, deadline.signal);
  } catch {
    return { reason: "internal_error", detail: error instanceof Error ? error.message : String(error) };
  }
}

/** What was cut off ends the episode as it would have ended in a run; a bug ends it too, and is thrown on. */
async function fail(run: Opening & Partial<Running>, error: unknown): Promise<never> {
  if (error instanceof ServeError) throw error;
  const stopped = causeOf(error, run);
  await end(run, stopped, run.session?.untakenAnswer());
  throw stopped.reason === "internal_error" ? error : endedError({ stopReason: stopped.reason });
}

/** What the agent reads before step `t`, where there is one. */
async function goOn(run: Running): Promise<Next> {
  const { state, session, control } = run;
  if (state.t >= control.maxSteps) return { instructions: [], ...(await stopAt(run, "max_steps")) };
  state.waiting = "step";
  state.told = session.instruct(state.t);
  return { instructions: state.told.map(textOf) };
}

async function finish(run: Running, answer: string): Promise<Outcomes> {
  const { state, session, deadline, record } = run;
  const { t } = state;
  const finished = await session.finish(t, answer);
  deadline.signal.throwIfAborted();
  if (finished.kind === "answer") {
    await end(run, { reason: "final" }, finished.answer);
    return { answer: finished.answer };
  }
  record({ event: "observed", t, observation: finished.note });
  state.t += 1;
  return { again: finished.note, ...(await goOn(run)) };
}

/** An action without budget does not run: the agent reads why, and the step is spent (SPEC §5). */
async function withhold(run: Running, executed: Action, { why, observation }: Withheld): Promise<Outcomes> {
  const { state, record } = run;
  const { t } = state;
  record({ event: "withheld", t, action: executed, why });
  record({ event: "observed", t, observation });
  state.steps += 1;
  state.t += 1;
  return { again: observation, ...(await goOn(run)) };
}

/** Lets the client run the action, or gives the answer that it is. */
async function execute(
  run: Running,
  proposed: Action,
  { executed, because }: Pick<Judgement, "executed" | "because">,
): Promise<Outcomes> {
  const { state, session, deadline, record, domain } = run;
  // A teacher that was cut off has decided nothing: what was decided without it is not carried out.
  deadline.signal.throwIfAborted();
  const withheld = session.withhold(executed);
  if (withheld !== undefined) return withhold(run, executed, withheld);
  record({ event: "executed", t: state.t, action: executed });
  state.steps += 1;
  if (executed.type === domain.finalAction) return finish(run, executed.arg);
  state.executed = executed;
  state.waiting = "observe";
  if (sameAction(proposed, executed) || executed.type === REFUSE) return {};
  return { rewritten: rewrittenText({ proposed, executed, because }) };
}

/** A record has them with the first proposal of a step. */
function promptsOf({ prompts = [] }: Params<"step">, { waiting }: State): string[] {
  if (prompts.length === 0 || waiting === "step") return prompts;
  const message = "The second proposal of a step comes with prompts, which only the first can have.";
  throw new ServeError("bad_params", message, "Send them with the first proposal of the next step.");
}

async function step(run: Running, params: Params<"step">): Promise<Judged & Outcomes> {
  const { state, session, record, account, facts } = run;
  if (state.waiting === "observe") throw outOfOrder("step", state);
  refuseUnknown(params.action, facts);
  const { t, told, waiting } = state;
  const prompts = promptsOf(params, state);
  const proposal = proposalOf(params, params.messages && run.reading?.read(params.messages));
  account.spent.add(proposal.usage);
  record({
    event: "proposed",
    t,
    proposal,
    ...(told.length > 0 && { instructions: [...told] }),
    ...(prompts.length > 0 && { prompts }),
  });
  keepDraft(
    account,
    run.domain.finalAction,
    { t, proposal: Number(waiting === "second step") },
    proposal.action,
  );
  for (const prompt of prompts) session.hear(prompt);
  state.told = [];
  const judgement = await session.judge(t, proposal);
  const { executed, injected, holdBack, instructions } = judgement;
  const events = state.judged.map(eventOf);
  const judged = { executed, injected: injected.map(textOf), hold_back: holdBack, events };
  if (!holdBack) return { ...judged, ...(await execute(run, proposal.action, judgement)) };
  state.waiting = "second step";
  state.told = instructions;
  return { ...judged, ...(instructions.length > 0 && { instructions: instructions.map(textOf) }) };
}

async function observe(run: Running, params: Params<"observe">): Promise<Observed> {
  const { state, session, record, deadline } = run;
  const { t, executed } = state;
  if (executed === undefined) throw outOfOrder("observe", state);
  const { observation, documents } = params;
  const result = resultOf(params);
  record({
    event: "observed",
    t,
    observation,
    ...(documents !== undefined && { documents }),
    ...(result !== undefined && { result }),
  });
  state.executed = undefined;
  const injected = await session.observe(executed, observation, result);
  deadline.signal.throwIfAborted();
  state.t += 1;
  const read = injected.length > 0 && { injected: injected.map(textOf) };
  return { ...read, ...(await goOn(run)) };
}

async function close(run: Running, { answer, stop_reason }: Params<"close">): Promise<Ended> {
  const reason = stop_reason ?? (answer === undefined ? "client_closed" : "final");
  return end(run, { reason }, answer ?? run.session.untakenAnswer());
}

function prepare(task: ServedTask): Opening {
  const state: State = {
    waiting: "step",
    t: 0,
    told: [],
    executed: undefined,
    judged: [],
    steps: 0,
    ended: undefined,
  };
  return {
    ...task,
    deadline: openDeadline(task.control.timeoutSeconds * 1000, task.signal),
    account: {
      question: task.question,
      judge: task.judge,
      // The word on a given answer stays, also while the server stops.
      signal: new AbortController().signal,
      spent: usageMeter(),
      spentOnTeacher: usageMeter(),
      drafts: [],
    },
    record(event) {
      if (event.event === "judged") state.judged = event.events;
      task.live?.record(redactTexts(event, task.redact));
    },
    state,
  };
}

async function begin(opening: Opening): Promise<{ run: Running; first: Next }> {
  const { control, deadline, account, question } = opening;
  const teacher = teacherClient({
    model: opening.teacher,
    control,
    redact: opening.redact,
    signal: deadline.signal,
    spend: (usage) => account.spentOnTeacher.add(usage),
  });
  const session = await openSession({ ...opening, question: question.question, teacher });
  deadline.signal.throwIfAborted();
  const run = { ...opening, session };
  return { run, first: await goOn(run) };
}

/**
 * Opens one episode: the same session as in `hasp run` (harness/loop.ts), with the policy and the environment on the other side of a
 * wire. It ends by a FINAL that stands, a budget, `close` or `stop`, and then stands in the run folder. Rejects with ServeError where
 * its time was up before it began.
 */
export async function openServed(task: ServedTask): Promise<ServedEpisode> {
  const opening = prepare(task);
  const { run, first } = await begin(opening).catch((error: unknown) => fail(opening, error));
  const { state, deadline, signal } = run;
  const inTurn = serialQueue();
  const call = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (state.ended !== undefined) throw endedError(state.ended);
      return work().catch((error: unknown) => fail(run, error));
    });
  const formed = <T extends object>(reply: T): T => (isRead(reply) ? { ...reply, form: task.form } : reply);
  const stop = (reason: string): Promise<Ended> =>
    inTurn(() => end(run, { reason }, run.session.untakenAnswer()));
  deadline.signal.addEventListener("abort", () => {
    // No call is waiting that could be told of a disk that fails now; the live file stays, and says as much.
    stop(signal.aborted ? "server_stopped" : "timeout").catch(() => undefined);
  });
  return {
    summaries: run.session.summaries,
    first: formed(first),
    step: (params) => call(async () => formed(await step(run, params))),
    observe: (params) => call(async () => formed(await observe(run, params))),
    close: (params) => call(() => close(run, params)),
    stop,
  };
}
