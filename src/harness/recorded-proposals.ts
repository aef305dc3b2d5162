import { finalActionOf, namedFinal } from "../model/action-types.ts";
import type { Action } from "../model/action.ts";
import type { DomainFacts, Episode, Proposal, Step } from "../model/episode.ts";
import type { Pass } from "../model/intervention.ts";
import type { StepContext } from "../model/step-context.ts";
import type { RecordedProposal, RecordedReplies } from "../sandbox/pf-host.ts";
import { spentActions, type Budgets } from "../model/budgets.ts";
import { contextsAround, withProposal, type ContextRules, type StepContexts } from "../trace/context-at.ts";
import { isRepair, offeredActions } from "./dispatch.ts";

/** One recorded proposal, in the context in which it was made. */
export interface RecordedQuestion extends RecordedProposal {
  /** 0-based step. */
  readonly t: number;
  /** 0, or 1 after a held-back final action. */
  readonly proposal: number;
}

/** Conditions of a recorded episode beside its steps. */
export interface RecordedConditions {
  readonly contextRules: ContextRules;
  readonly maxModifyFires: number;
  /** Undefined of a record that names no budgets: nothing limits its PFs then. */
  readonly budgets: Budgets | undefined;
  /** PFs had a teacher to ask. */
  readonly hadTeacher: boolean;
}

/** The teacher's replies to the PFs on one proposal of a recorded step. */
function repliesIn({ events }: Step, proposal: number, pass?: Pass): RecordedReplies {
  return new Map(
    events.flatMap((event) =>
      event.proposal === proposal && event.pass === pass && event.teacherCalls !== undefined
        ? [[event.skillId, event.teacherCalls] as const]
        : [],
    ),
  );
}

/** Steps that no PF was asked about, with the reason: a hook lets a call pass that is too large to be judged. */
export function unaskedIn({ decisions = [] }: Pick<Episode, "decisions">): ReadonlyMap<number, string> {
  return new Map(
    decisions.flatMap(({ part, t, reason }) =>
      part === "hook_unasked" && t !== undefined ? [[t, reason] as const] : [],
    ),
  );
}

/** Ends at which no step was cut off between its action and its observation. */
const WHOLE_ENDS: ReadonlySet<string> = new Set(["final", "max_steps", "policy_ended"]);

/** Whether PFs could look at what the action of a step brought: it ran, and did not end the episode while it ran. */
function hasCome(record: RecordedRun, { t, notRun, executed, observation, events }: Step): boolean {
  if (notRun !== undefined || executed.type === finalActionOf(record.facts)) return false;
  if (observation !== "" || t < record.steps.length - 1) return true;
  // Each PF that was asked then has an event, so a record with its own library tells for certain.
  if (events.some(({ pass }) => pass === "post")) return true;
  // Stopped while the policy was asked for the next step: this one was over.
  const isNextAsked = record.extra?.["unansweredMessages"] !== undefined;
  return isNextAsked || WHOLE_ENDS.has(record.stopReason ?? "final");
}

/** The parts of an episode that say what its PFs were asked. */
export type RecordedRun = Pick<Episode, "question" | "facts" | "steps" | "decisions"> &
  Partial<Pick<Episode, "stopReason" | "extra">>;

/** The actions that PFs read from proposals that were none, by step and proposal (`repairKey`). */
export type Repairs = ReadonlyMap<string, Action>;

export const repairKey = (t: number, proposal: number): string => `${t} ${proposal}`;

/** The repairs that the events of a record tell. */
function repairsIn({ steps }: RecordedRun): Repairs {
  return new Map(
    steps.flatMap(({ t, proposals, events }) =>
      proposals.flatMap(({ action }, proposal) => {
        const change = events.find(
          (one) =>
            one.proposal === proposal &&
            one.pass === undefined &&
            one.status === "applied" &&
            one.intervention?.type === "MODIFY_ACTION",
        )?.intervention;
        if (change?.type !== "MODIFY_ACTION") return [];
        const { newActionType: type = action.type, newActionArg: arg = action.arg } = change;
        return isRepair(action, { type }) ? [[repairKey(t, proposal), { type, arg }] as const] : [];
      }),
    ),
  );
}

/** The action types without budget when a recorded proposal came. */
export function spentIn(
  facts: DomainFacts,
  budgets: Budgets | undefined,
  { actionHistory }: StepContext,
): Pick<RecordedQuestion, "spent"> {
  return budgets === undefined ? {} : { spent: spentActions(actionHistory, budgets, facts) };
}

/**
 * All recorded proposals, in order, as the PFs were asked about them; each is followed by the question about the action that a PF read from
 * it, those of a step whose action is of a type in `after` by the question that was put with its observation.
 */
export function recordedProposals(
  record: RecordedRun,
  { contextRules, maxModifyFires, budgets, hadTeacher }: RecordedConditions,
  after: ReadonlySet<string> = NO_TYPES,
  repairs: Repairs = repairsIn(record),
): RecordedQuestion[] {
  const asked = { actionTypes: offeredActions(record.facts), maxModifyFires, ...namedFinal(record.facts) };
  const contexts = contextsAround(record, contextRules);
  return Array.from(contexts, (around, t) => questionsOf(record.steps[t], around)).flat();

  function questionsOf(step: Step | undefined, around: StepContexts): RecordedQuestion[] {
    if (step === undefined) return [];
    const { t, executed } = step;
    const questionOn = (said: Proposal, proposal: number, pass?: Pass): RecordedQuestion => ({
      t,
      proposal,
      context: withProposal(around.before, said, contextRules),
      proposed: said.action,
      ...asked,
      ...spentIn(record.facts, budgets, around.before),
      ...(pass !== undefined && { pass }),
      replies: hadTeacher ? repliesIn(step, proposal, pass) : undefined,
    });
    const questions = step.proposals.flatMap((said, proposal) => {
      const action = repairs.get(repairKey(t, proposal));
      const first = questionOn(said, proposal);
      return action === undefined ? [first] : [first, questionOn({ ...said, action }, proposal, "repaired")];
    });
    const last = step.proposals.at(-1);
    if (last === undefined || !after.has(executed.type) || !hasCome(record, step)) return questions;
    const proposal = step.proposals.length - 1;
    const post: RecordedQuestion = {
      t,
      proposal,
      context: withProposal(around.after, { ...last, action: executed }, contextRules),
      proposed: executed,
      ...asked,
      pass: "post",
      replies: hadTeacher ? repliesIn(step, proposal, "post") : undefined,
    };
    return [...questions, post];
  }
}

const NO_TYPES: ReadonlySet<string> = new Set();
