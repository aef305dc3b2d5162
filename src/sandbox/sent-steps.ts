import type { StepContext } from "../model/step-context.ts";
import type { PfCall, RecordedProposal } from "./pf-host.ts";
import type { SentReplies, SentStep } from "./wire.ts";

/** The end of a list that begins as another one; undefined where it does not. Entries are the same or count as others. */
function grownBy(before: unknown, after: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || after.length < before.length) return undefined;
  return before.every((entry, i) => entry === after[i]) ? after.slice(before.length) : undefined;
}

/** A question on its way into the sandbox. */
export type OutgoingStep = PfCall & Partial<Pick<RecordedProposal, "replies">>;

function sentReplies({ replies }: OutgoingStep): { readonly replies?: SentReplies } {
  return replies === undefined ? {} : { replies: [...replies] };
}

function sentSpent({ spent = [] }: OutgoingStep): Pick<SentStep, "spent"> {
  return spent.length === 0 ? {} : { spent };
}

const sentPass = ({ pass }: OutgoingStep): Pick<SentStep, "pass"> => (pass === undefined ? {} : { pass });

/** Fields that each step carries for itself. */
const sentOwn = (step: OutgoingStep) => ({ ...sentPass(step), ...sentSpent(step), ...sentReplies(step) });

function wholeStep(step: OutgoingStep): SentStep {
  const { context, proposed, actionTypes } = step;
  return { changed: context, proposed, actionTypes, whole: true, ...sentOwn(step) };
}

/** Fields that JSON would carry: one that is undefined is none. */
function fieldsOf(context: object): string[] {
  return Object.entries(context).flatMap(([key, value]) => (value === undefined ? [] : [key]));
}

/** PFs see the order of the fields, too. */
function sameFields(a: object, b: object): boolean {
  const [ours, theirs] = [fieldsOf(a), fieldsOf(b)];
  return ours.length === theirs.length && ours.every((key, i) => key === theirs[i]);
}

/** A question beside the one before it in the same crossing; without one, as a whole. */
export function sentStep(question: OutgoingStep, before: PfCall | undefined): SentStep {
  if (before === undefined || !sameFields(before.context, question.context)) return wholeStep(question);
  const changed: Record<string, unknown> = {};
  const grown: Record<string, readonly unknown[]> = {};
  for (const [key, value] of Object.entries(question.context)) {
    const known: unknown = before.context[key as keyof StepContext];
    if (known === value) continue;
    const more = grownBy(known, value);
    if (more === undefined) changed[key] = value;
    else if (more.length > 0) grown[key] = more;
  }
  return {
    changed,
    ...(Object.keys(grown).length > 0 && { grown }),
    proposed: question.proposed,
    ...(question.actionTypes !== before.actionTypes && { actionTypes: question.actionTypes }),
    ...sentOwn(question),
  };
}
