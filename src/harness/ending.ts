import type { JudgeAnswer } from "../domains/domain.ts";
import { ModelError } from "../llm/chat-model.ts";
import type { Outcome } from "../model/episode.ts";
import type { Usage } from "../model/usage.ts";
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
  /** What the call that failed was charged. */
  readonly usage?: Usage;
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
    ...(error.usage !== undefined && { usage: error.usage }),
  };
}

function outcomeOf({ question: { gold }, judge }: Account, answer: string | undefined): Outcome {
  if (answer === undefined) return "halted";
  if (gold === undefined) return "unjudged";
  return judge(answer, gold) ? "correct" : "wrong";
}

interface Account {
  readonly question: Question;
  /** The domain's. */
  readonly judge: JudgeAnswer;
  readonly spent: UsageMeter;
  readonly spentOnTeacher: UsageMeter;
}

/** The end of an episode: judged by the domain, with what policy, environment and teacher used together. */
export function endOf(account: Account, stopped: Stopped, answer?: string): EpisodeEnd {
  const { reason, usage, ...failure } = stopped;
  const teacher = account.spentOnTeacher.total();
  account.spent.add(teacher);
  account.spent.add(usage);
  const cost = account.spent.total();
  const extra = {
    ...(failure.detail !== undefined && { failure }),
    ...(teacher !== undefined && { teacher }),
  };
  return {
    outcome: outcomeOf(account, answer),
    stopReason: reason,
    ...(answer !== undefined && { answer }),
    ...(cost !== undefined && { cost }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
