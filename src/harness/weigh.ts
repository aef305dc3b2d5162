import { formatAction, sameAction, type Action } from "../model/action.ts";
import type { ContextLimits } from "../model/control.ts";
import type { Intervention, Pass, PfEvent } from "../model/intervention.ts";
import { notAskedWords } from "../sandbox/not-asked.ts";
import type { PfVerdict } from "../sandbox/pf-host.ts";

export interface Injected {
  readonly skillId: string;
  readonly text: string;
}

export interface Weighing extends ContextLimits {
  readonly proposed: Action;
  /** Which proposal of the step: 0, or 1 after a held-back FINAL. */
  readonly proposal: number;
  /** The domain's action that ends an episode. A context injected on it holds it back once. */
  readonly finalAction: string;
  /** What earlier proposals of the same step already injected: neither repeated nor paid for again. */
  readonly injectedBefore: readonly Injected[];
  /** `post`: `proposed` has run, and what is injected is read with its observation. */
  readonly pass?: Pass | undefined;
}

/** What Γ decides on one proposal. */
export interface Weighed {
  /** What runs. While `holdBack`, the FINAL that would run if the policy insists. */
  readonly executed: Action;
  /** As the policy reads them: in ascending priority. */
  readonly injected: readonly Injected[];
  /** One per verdict, in their order; of a pass after the action, one per PF that was asked. */
  readonly events: readonly PfEvent[];
  /** The policy sees `injected` and proposes again in the same step; nothing runs. */
  readonly holdBack: boolean;
}

type Fired = Extract<PfVerdict, { kind: "fired" }>;
type Modify = Extract<Intervention, { type: "MODIFY_ACTION" }>;
type Outcome = Pick<PfEvent, "status" | "reason"> & { readonly by?: string };

/** What is settled before contexts are: the winner of the step, and whether anyone will read a context. */
interface Ruling {
  readonly winner: { readonly skillId: string; readonly action: Action } | undefined;
  readonly executed: Action;
  /** The episode goes on after this proposal, so the policy will see what is injected. */
  readonly isRead: boolean;
}

/** The proposed action with the change; it keeps `raw` only where it stays the policy's own. */
function changed(proposed: Action, change: Modify): Action {
  const action = { type: change.newActionType ?? proposed.type, arg: change.newActionArg ?? proposed.arg };
  return sameAction(action, proposed) ? proposed : action;
}

function changeOf(verdict: PfVerdict, proposed: Action): Action | undefined {
  if (verdict.kind !== "fired" || verdict.intervention.type !== "MODIFY_ACTION") return undefined;
  const action = changed(proposed, verdict.intervention);
  return sameAction(action, proposed) ? undefined : action;
}

/** The first change; on a FINAL, the first that turns it into another action, so that new wording loses no doubt about it. */
function winnerOf(verdicts: readonly PfVerdict[], { proposed, finalAction }: Weighing): Ruling["winner"] {
  const changes = verdicts.flatMap((verdict) => {
    const action = changeOf(verdict, proposed);
    return action === undefined ? [] : [{ skillId: verdict.skillId, action }];
  });
  const stops =
    proposed.type === finalAction ? changes.find(({ action }) => action.type !== finalAction) : undefined;
  return stops ?? changes[0];
}

function rule(verdicts: readonly PfVerdict[], about: Weighing): Ruling {
  const winner = winnerOf(verdicts, about);
  const executed = winner?.action ?? about.proposed;
  const mayHoldBack = about.proposed.type === about.finalAction && about.proposal === 0;
  return { winner, executed, isRead: executed.type !== about.finalAction || mayHoldBack };
}

function weighModify(verdict: Fired, about: Weighing, { winner }: Ruling): Outcome {
  const { reason } = verdict.intervention;
  if (changeOf(verdict, about.proposed) === undefined) {
    return {
      status: "noop",
      reason: `Changes nothing: ${formatAction(about.proposed)} was proposed. ${reason}`.trim(),
    };
  }
  if (winner?.skillId === verdict.skillId) return { status: "applied", reason };
  return { status: "overridden", reason, ...(winner !== undefined && { by: winner.skillId }) };
}

function oneTooMany(most: number, before: readonly string[]): Outcome {
  const first = before.length === 0 ? "" : `: ${before.join(", ")} came first`;
  return {
    status: "limited",
    reason: `A step adds ${most} context${most === 1 ? "" : "s"} at most (max_contexts)${first}.`,
  };
}

type Contexts = ReturnType<typeof contextTaker>;

/** Takes contexts in turn while they are new, will be read, and fit. */
function contextTaker(about: Weighing, ruling: Ruling) {
  const { maxContexts, contextBudget: budget, injectedBefore } = about;
  const known = new Map(injectedBefore.map(({ text, skillId }) => [text, skillId]));
  const taken: Injected[] = [];
  let used = injectedBefore.reduce((sum, { text }) => sum + text.length, 0);

  function refuse(text: string): Outcome | undefined {
    if (!ruling.isRead) {
      const why =
        about.proposed.type === about.finalAction
          ? "a FINAL is held back once a step"
          : "the episode ends here";
      return { status: "limited", reason: `Nobody would read the context: ${why}.` };
    }
    const first = known.get(text);
    if (first !== undefined) return { status: "noop", reason: `${first} has injected the same text.` };
    if (injectedBefore.length + taken.length >= maxContexts)
      return oneTooMany(maxContexts, [...known.values()]);
    if (used + text.length <= budget) return undefined;
    const left = Math.max(0, budget - used);
    return {
      status: "limited",
      reason: `The context has ${text.length} characters; the prompt has room for ${left} of ${budget}.`,
    };
  }

  function take(skillId: string, text: string, reason: string): Outcome {
    const refusal = refuse(text);
    if (refusal !== undefined) return refusal;
    known.set(text, skillId);
    taken.push({ skillId, text });
    used += text.length;
    return { status: "applied", reason };
  }
  return { take, taken };
}

function reasonOfLimit({ limit, allowed }: Extract<PfVerdict, { kind: "limited" }>): string {
  const times = allowed === 1 ? "once" : `${allowed} times`;
  return limit === "maxFires"
    ? `Has fired ${times} in this episode (maxFires).`
    : `Has modified an action ${times} in this episode.`;
}

function weighFired(verdict: Fired, about: Weighing, ruling: Ruling, contexts: Contexts): Outcome {
  const { intervention } = verdict;
  if (intervention.type === "NOOP") return { status: "noop", reason: intervention.reason };
  if (intervention.type === "MODIFY_ACTION") return weighModify(verdict, about, ruling);
  return contexts.take(verdict.skillId, intervention.contextText, intervention.reason);
}

function weighOne(verdict: PfVerdict, about: Weighing, ruling: Ruling, contexts: Contexts): Outcome {
  if (verdict.kind === "fired") return weighFired(verdict, about, ruling, contexts);
  if (verdict.kind === "skipped") {
    const { why } = verdict;
    const reason = why === undefined ? "shouldActivate is false" : notAskedWords(why, about.proposed);
    return { status: "skipped", reason };
  }
  if (verdict.kind === "unavailable") return { status: "skipped", reason: `no ${verdict.actionType} here` };
  if (verdict.kind === "limited") return { status: "limited", reason: reasonOfLimit(verdict) };
  if (verdict.kind === "spent")
    return { status: "limited", reason: `Not charged: no ${verdict.actionType} is left in this episode.` };
  return { status: "error", reason: verdict.message };
}

/** Of a judged record whose PF asks something else than the recorded one did. */
const NO_REPLY = "(No reply recorded for its question to the teacher; decided without a teacher.)";

function eventOf(verdict: PfVerdict, outcome: Outcome, { proposal, pass }: Weighing): PfEvent {
  const calls = "teacherCalls" in verdict ? (verdict.teacherCalls ?? []) : [];
  const reason = verdict.noReply === true ? `${outcome.reason} ${NO_REPLY}`.trim() : outcome.reason;
  return {
    skillId: verdict.skillId,
    proposal,
    ...(pass !== undefined && { pass }),
    ...outcome,
    reason,
    ...(verdict.kind === "fired" && { intervention: verdict.intervention }),
    ...(verdict.kind === "error" && verdict.line !== undefined && { line: verdict.line }),
    ...(calls.length > 0 && { teacherCalls: [...calls] }),
  };
}

/** Whether a PF was asked at all. */
export const wasAsked = (verdict: PfVerdict): boolean =>
  verdict.kind !== "skipped" || verdict.why === undefined;

/**
 * Γ's decision on one proposal (DESIGN.md, Γ). `verdicts` come in the order of `byTurn`: the first MODIFY_ACTION that changes
 * something wins, the others are `overridden`; one that changes nothing is a `noop`. On a FINAL, a change to another action
 * wins over every change of its wording, whatever their order: the episode must not end because an answer was trimmed.
 * Contexts add up without repeats within their number and the budget; what does not fit, or would be read by nobody because the
 * FINAL stands, is `limited`; they hold back a FINAL whose wording was changed as well. Live runs, replays and backtests call it,
 * so none of them simulates it. Pure.
 */
export function weigh(verdicts: readonly PfVerdict[], about: Weighing): Weighed {
  const ruling = rule(verdicts, about);
  const contexts = contextTaker(about, ruling);
  const heard = about.pass === undefined ? verdicts : verdicts.filter(wasAsked);
  const events = heard.map((verdict) => eventOf(verdict, weighOne(verdict, about, ruling, contexts), about));
  const holdBack = ruling.executed.type === about.finalAction && ruling.isRead && contexts.taken.length > 0;
  // Ascending priority: the policy reads the specific before the general (DESIGN.md, Γ).
  return { executed: ruling.executed, injected: contexts.taken.toReversed(), events, holdBack };
}
