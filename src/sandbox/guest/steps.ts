import type { PfCall } from "../pf-host.ts";
import type { SentReplies, SentStep } from "../wire.ts";
import { freezeJson } from "./data.ts";

function contextOf({ changed, grown, whole }: SentStep, before: PfCall | undefined): object {
  freezeJson(changed);
  if (whole === true || before === undefined) return changed;
  const context: Record<string, unknown> = { ...before.context, ...changed };
  for (const key in grown) {
    const list = freezeJson(grown[key] ?? []);
    context[key] = Object.freeze([...(context[key] as readonly unknown[]), ...list]);
  }
  return Object.freeze(context);
}

/** A question as the guest judges it. */
export interface UnpackedStep extends PfCall {
  readonly replies: SentReplies | undefined;
  readonly asked: SentStep["asked"];
}

/** The questions as they were before they were packed (sandbox/sent-steps.ts), with frozen contexts. */
export function questionsOf(sent: readonly SentStep[]): UnpackedStep[] {
  const questions: UnpackedStep[] = [];
  for (const step of sent) {
    const before = questions.at(-1);
    // The rest of a question is the guest's own: no PF ever holds it.
    questions.push({
      context: contextOf(step, before) as PfCall["context"],
      proposed: step.proposed,
      actionTypes: step.actionTypes ?? before?.actionTypes ?? [],
      replies: step.replies,
      asked: step.asked,
      ...(step.pass !== undefined && { pass: step.pass }),
    });
  }
  return questions;
}
