import type { Episode, Step } from "../model/episode.ts";
import type { RecordedProposal, RecordedReplies } from "../sandbox/pf-host.ts";
import { spentActions, type Budgets } from "../model/budgets.ts";
import { contextsOf, withProposal, type ContextRules } from "../trace/context-at.ts";
import { offeredActions } from "./dispatch.ts";

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
function repliesIn({ events }: Step, proposal: number): RecordedReplies {
  return new Map(
    events.flatMap((event) =>
      event.proposal === proposal && event.teacherCalls !== undefined
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

/** All recorded proposals, in order, as the PFs were asked about them. */
export function recordedProposals(
  record: Pick<Episode, "question" | "facts" | "steps" | "decisions">,
  { contextRules, maxModifyFires, budgets, hadTeacher }: RecordedConditions,
): RecordedQuestion[] {
  const contexts = contextsOf(record, contextRules);
  const actionTypes = offeredActions(record.facts);
  return record.steps.flatMap((step, i) => {
    const context = contexts[i];
    if (context === undefined) return [];
    return step.proposals.map((asked, proposal) => ({
      t: step.t,
      proposal,
      context: withProposal(context, asked, contextRules),
      proposed: asked.action,
      actionTypes,
      maxModifyFires,
      ...(budgets !== undefined && { spent: spentActions(context.actionHistory, budgets, record.facts) }),
      replies: hadTeacher ? repliesIn(step, proposal) : undefined,
    }));
  });
}
