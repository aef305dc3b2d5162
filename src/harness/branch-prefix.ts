import type { Action } from "../model/action.ts";
import type { Decision } from "../model/decision.ts";
import { finalActionOf } from "../model/action-types.ts";
import type { Episode, Step } from "../model/episode.ts";
import type { LiveEpisode } from "../trace/live.ts";
import type { Seen } from "./policy.ts";
import { whyChanged } from "./why-changed.ts";

/** Recorded steps that a new episode begins with: as they were, and not run again. */
export interface Prefix {
  readonly steps: readonly Step[];
  /** The action that gives an answer. */
  readonly finalAction: string;
  /** What the harness decided in these steps. */
  readonly decisions: readonly Decision[];
}

/** A proposal that is taken over cost what it cost then, and costs nothing now. */
function unpaid(step: Step, t: number): Step {
  const proposals = step.proposals.map(({ usage: _usage, ...proposal }) => proposal);
  return { ...step, t, proposals };
}

/** The first `t` steps of an episode. RangeError where it has no step `t`. */
export function prefixOf({ steps, facts, decisions = [] }: Episode, t: number): Prefix {
  if (steps[t] === undefined) throw new RangeError(`No step ${t} among ${steps.length}`);
  return {
    steps: steps.slice(0, t).map(unpaid),
    finalAction: finalActionOf(facts),
    decisions: decisions.filter((decision) => decision.t !== undefined && decision.t < t),
  };
}

/** An answer that was not taken: the episode went another round (`Finish`). */
function isRound({ finalAction }: Pick<Prefix, "finalAction">, { executed }: Step): boolean {
  return executed.type === finalAction;
}

export function roundsIn(prefix: Prefix): number {
  return prefix.steps.filter((step) => isRound(prefix, step)).length;
}

/** The answer that a proposal comes to by the changes that were applied to it; another action where it comes to none. */
function answerOf({ events, proposals }: Step, nth: number, finalAction: string): Action | undefined {
  return events.reduce((answer, { proposal, status, intervention: change }) => {
    if (proposal !== nth || status !== "applied" || change?.type !== "MODIFY_ACTION") return answer;
    const { newActionType: type = answer?.type, newActionArg: arg = answer?.arg } = change;
    return type === finalAction && arg !== undefined ? { type, arg } : answer;
  }, proposals[nth]?.action);
}

/** The latest answer that was not taken, as the session keeps it (`untakenAnswer`). */
export function untakenIn({ steps, finalAction }: Prefix): string | undefined {
  const answers = steps.flatMap((step) => [
    ...step.proposals.map((_, nth) => answerOf(step, nth, finalAction)),
    step.executed,
  ]);
  return answers.findLast((one) => one?.type === finalAction && one.arg.trim() !== "")?.arg;
}

/** How often handlers have overridden a FINAL. */
export function overriddenIn({ decisions }: Prefix): number {
  return decisions.filter(({ part, value }) => part === "handler_vote" && value === true).length;
}

/** How many of the texts of `injected` held back the first proposal of a step; the others came with the second, or after the action. */
export function heldBackBy({ proposals, events, injected }: Step): number {
  if (proposals.length < 2) return 0;
  const texts = new Set(
    events.flatMap(({ proposal, status, intervention }) =>
      proposal === 0 && status === "applied" && intervention?.type === "INJECT_CONTEXT"
        ? intervention.contextText
        : [],
    ),
  );
  const count = injected.findIndex(({ text }) => !texts.has(text));
  return count < 0 ? injected.length : count;
}

/** Phase instructions that the policy read before a proposal of the step. */
function instructionsBefore({ instructions = [] }: Step, nth: number): readonly string[] {
  return instructions.filter(({ proposal = 0 }) => proposal === nth).map(({ text }) => text);
}

function seenOf(prefix: Prefix, step: Step): Seen[] {
  const { proposals, executed, observation } = step;
  const texts = step.injected.map(({ text }) => text);
  const last = proposals.at(-1);
  const [first] = proposals;
  if (last === undefined || first === undefined) return [];
  const early = heldBackBy(step);
  const before = (nth: number) => ({ t: step.t, instructions: instructionsBefore(step, nth) });
  const held: Seen[] =
    proposals.length > 1
      ? [{ kind: "held-back", proposal: first, injected: texts.slice(0, early), ...before(0) }]
      : [];
  const because = whyChanged(
    step.events,
    prefix.decisions.filter(({ t }) => t === step.t),
  );
  const asked = before(proposals.length - 1);
  const end: Seen = isRound(prefix, step)
    ? { kind: "next-round", proposal: last, note: observation, ...asked }
    : {
        kind: "step",
        proposal: last,
        executed,
        observation,
        injected: texts.slice(early),
        ...(because !== undefined && { because }),
        ...asked,
      };
  return [...held, end];
}

/** What the policy has seen of these steps, as the loop would have told it. */
export function seenIn(prefix: Prefix): Seen[] {
  return prefix.steps.flatMap((step) => seenOf(prefix, step));
}

/** What the session observed: a FINAL brought nothing but the note for another round. */
export function observedIn(
  prefix: Prefix,
  step: Step,
): { readonly executed: Action; readonly observation: string } {
  const { executed, observation } = step;
  return { executed, observation: isRound(prefix, step) ? "" : observation };
}

/** Tells the record of the steps, in the order of the loop. */
export function recordPrefix({ steps, decisions }: Prefix, record: LiveEpisode["record"]): void {
  for (const decision of decisions) record({ event: "decided", decision });
  for (const step of steps) {
    const { t, proposals, events, injected, dispatchMs, observation, documents, instructions = [] } = step;
    const { prompts, unanswered, result } = step;
    const before = {
      ...(prompts !== undefined && { prompts }),
      ...(unanswered !== undefined && { unanswered }),
    };
    proposals.forEach((proposal, i) => {
      const read = instructions.filter((one) => (one.proposal ?? 0) === i);
      const told = read.length > 0 && { instructions: read };
      record({ event: "proposed", t, proposal, ...told, ...(i === 0 && before) });
    });
    record({ event: "judged", t, events, injected, ...(dispatchMs !== undefined && { dispatchMs }) });
    if (step.notRun === undefined) record({ event: "executed", t, action: step.executed });
    else record({ event: "withheld", t, action: step.executed, why: step.notRun });
    const brought = {
      ...(documents !== undefined && { documents }),
      ...(result !== undefined && { result }),
    };
    record({ event: "observed", t, observation, ...brought });
  }
}
