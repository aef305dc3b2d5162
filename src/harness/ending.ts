import { ModelError } from "../llm/chat-model.ts";
import type { Usage } from "../model/usage.ts";
import { outcomeOf, type Judge } from "../scoring/judge.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Finished } from "../trace/live-events.ts";
import type { Question } from "./question.ts";
import type { UsageMeter } from "./usage.ts";

/** How an episode ended, as its last event tells it. */
export type EpisodeEnd = Omit<Finished, "event">;

/** Why the steps ended. `detail` and `next` are for people: what failed, and what to do. */
export interface Stopped {
  readonly reason: string;
  readonly detail?: string;
  readonly next?: string;
  /** Thoughts of a model that came to no reply. */
  readonly reasoning?: string;
  /** What the call that failed was charged. */
  readonly usage?: Usage;
  /** Id of the messages that the policy read and never answered. */
  readonly asked?: string | undefined;
}

/** Thrown to end an episode from within a step. */
export class Stop extends Error {
  readonly reason: string;
  constructor(reason: string, detail = "") {
    super(detail);
    this.reason = reason;
  }
}

/**
 * What a failure within a step means (docs/formats.md, "Stop reasons"). `parent` is the run's signal, `signal` also aborts when the
 * episode's time is up. What is no stop, no abort and no failure of a model is a bug, and is thrown on.
 */
export function stopOf(error: unknown, parent: AbortSignal, signal: AbortSignal): Stopped {
  if (error instanceof Stop)
    return { reason: error.reason, ...(error.message !== "" && { detail: error.message }) };
  if (parent.aborted) return { reason: "cancelled" };
  if (signal.aborted) return { reason: "timeout" };
  if (!(error instanceof ModelError)) throw error;
  return {
    reason: error.kind === "budget" ? "budget" : `model_${error.kind}`,
    detail: error.message,
    ...(error.next !== undefined && { next: error.next }),
    ...(error.reasoning !== undefined && { reasoning: error.reasoning }),
    ...(error.usage !== undefined && { usage: error.usage }),
  };
}

interface Account {
  readonly question: Question;
  readonly judge: Judge;
  /** Ends a judge that takes its time; an episode that is stopped meanwhile stays without a verdict. */
  readonly signal: AbortSignal;
  readonly spent: UsageMeter;
  readonly spentOnTeacher: UsageMeter;
}

/** An episode without an answer has no verdict. */
async function verdictOn(
  { question: { question, gold }, judge, signal }: Account,
  answer: string | undefined,
): Promise<Verdict | undefined> {
  if (answer === undefined) return undefined;
  return judge.judge({ question, answer, gold }, signal);
}

/**
 * The end of an episode: judged, with what policy, environment and teacher used together. Rejects as the judge does; that of a domain does
 * not.
 */
export async function endOf(account: Account, stopped: Stopped, answer?: string): Promise<EpisodeEnd> {
  const { reason, usage, asked, ...failure } = stopped;
  const verdict = await verdictOn(account, answer);
  const teacher = account.spentOnTeacher.total();
  account.spent.add(teacher);
  account.spent.add(usage);
  const cost = account.spent.total();
  const extra = {
    ...(failure.detail !== undefined && { failure }),
    ...(asked !== undefined && { unansweredMessages: asked }),
    ...(teacher !== undefined && { teacher }),
  };
  return {
    outcome: outcomeOf(answer, verdict),
    stopReason: reason,
    ...(answer !== undefined && { answer }),
    ...(verdict !== undefined && { verdicts: [verdict] }),
    ...(cost !== undefined && { cost }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
