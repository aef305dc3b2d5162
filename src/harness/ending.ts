import { ModelError } from "../llm/chat-model.ts";
import type { Action } from "../model/action.ts";
import type { Usage } from "../model/usage.ts";
import { outcomeOf, verdictIn, whyNoVerdict, type Judge, type Judgement } from "../scoring/judge.ts";
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

/** An answer that the policy proposed. */
export interface Draft {
  /** 0-based step. */
  readonly t: number;
  /** Which proposal of the step. */
  readonly proposal: number;
  readonly answer: string;
}

/** What an end is told from. */
export interface Account {
  readonly question: Question;
  readonly judge: Judge;
  /** Ends a judge that takes its time; an episode that is stopped meanwhile stays without a verdict. */
  readonly signal: AbortSignal;
  readonly spent: UsageMeter;
  readonly spentOnTeacher: UsageMeter;
  /** Every answer that was proposed, in order. */
  readonly drafts: Draft[];
}

/** The proposal is an answer: it is judged with the end of its episode, so that nobody within it can hear of the verdict. */
export function keepDraft(
  { drafts }: Account,
  finalAction: string,
  draft: Omit<Draft, "answer">,
  action: Action,
): void {
  if (action.type === finalAction) drafts.push({ ...draft, answer: action.arg });
}

/** What a judge says of the answers of one episode, each text asked about once; and why it failed, if it did. */
function asking({ question: { question, gold, material }, judge, signal }: Account) {
  const known = new Map<string, Promise<Judgement>>();
  let failure: string | undefined;
  async function ask(answer: string): Promise<Judgement> {
    try {
      return await judge.judge({ question, answer, gold, material }, signal);
    } catch (error) {
      if (!signal.aborted) failure ??= error instanceof Error ? error.message : String(error);
      return undefined;
    }
  }
  return {
    judgementOf(answer: string): Promise<Judgement> {
      const judgement = known.get(answer) ?? ask(answer);
      known.set(answer, judgement);
      return judgement;
    },
    failure: () => failure,
  };
}

/**
 * The end of an episode: its answer judged, and every answer that was proposed; with what policy, environment and teacher used together. An
 * episode without an answer has no verdict; neither has one whose judge failed, which `extra.judging` then tells, nor one whose judge came
 * to none, which `noVerdict` tells.
 */
export async function endOf(account: Account, stopped: Stopped, answer?: string): Promise<EpisodeEnd> {
  const { reason, usage, asked, ...failure } = stopped;
  const judging = asking(account);
  const judgement = answer === undefined ? undefined : await judging.judgementOf(answer);
  const verdict = verdictIn(judgement);
  const noVerdict = whyNoVerdict(judgement);
  const drafts: NonNullable<EpisodeEnd["drafts"]> = [];
  for (const draft of account.drafts) {
    const given = verdictIn(await judging.judgementOf(draft.answer));
    if (given !== undefined) drafts.push({ t: draft.t, proposal: draft.proposal, verdict: given });
  }
  const unjudged = judging.failure();
  const teacher = account.spentOnTeacher.total();
  account.spent.add(teacher);
  account.spent.add(usage);
  const cost = account.spent.total();
  const extra = {
    ...(failure.detail !== undefined && { failure }),
    ...(unjudged !== undefined && { judging: unjudged }),
    ...(asked !== undefined && { unansweredMessages: asked }),
    ...(teacher !== undefined && { teacher }),
  };
  return {
    outcome: outcomeOf(answer, verdict),
    stopReason: reason,
    ...(answer !== undefined && { answer }),
    ...(verdict !== undefined && { verdicts: [verdict] }),
    ...(noVerdict !== undefined && { noVerdict }),
    ...(drafts.length > 0 && { drafts }),
    ...(cost !== undefined && { cost }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
