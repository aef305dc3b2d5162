import type { Action } from "../model/action.ts";
import { isOnlyFinal, SEARCH } from "../model/action-types.ts";
import { canRead, type DomainSpec } from "../model/domain-spec.ts";
import type { StepContext } from "../model/step-context.ts";
import { isType } from "./scaffold-pf.ts";

/** A recorded step as somebody found it: what was known, and what was proposed. */
export interface FailingStep {
  readonly context: StepContext;
  readonly proposed: Pick<Action, "type" | "arg" | "raw">;
}

/** What sets a step apart, in code and in words. It holds on that step. */
export interface Trigger {
  /** Kebab-case, for the name of a skill. */
  readonly name: string;
  /** An expression over `ctx`, `actionType` and `arg`. */
  readonly code: string;
  /** Follows "the policy proposes … and". */
  readonly words: string;
}

/** Words above which a query is a sentence. */
const LONG_QUERY = 15;

/** The proposed type as an expression. */
export function typeTrigger({ proposed }: FailingStep): Trigger {
  const slug = proposed.type
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return { name: /^[a-z]/.test(slug) ? slug : "step", code: isType(proposed.type), words: proposed.type };
}

/** What of a domain a step is set apart by. */
type SteppedDomain = Pick<DomainSpec, "actionTypes" | "furtherTypes" | "finalAction">;

interface Sign extends Trigger {
  holds(step: FailingStep, domain: SteppedDomain): boolean;
}

/** The most telling first. */
const SIGNS: readonly Sign[] = [
  {
    name: "repeated",
    code: "ctx.actionHistory.some((past) => past.type === actionType && past.arg === arg)",
    words: "the same action ran before",
    holds: ({ context, proposed }) =>
      context.actionHistory.some(({ type, arg }) => type === proposed.type && arg === proposed.arg),
  },
  {
    name: "unread",
    code: "!ctx.hasRead",
    words: "nothing has been read",
    holds: ({ context, proposed }, domain) =>
      proposed.type === domain.finalAction && !context.hasRead && canRead(domain),
  },
  {
    name: "after-empty-search",
    code: "ctx.emptyResults",
    words: "the latest search found nothing",
    holds: ({ context }) => context.emptyResults,
  },
  {
    name: "despite-contradiction",
    code: "ctx.contradictorySources",
    words: "the sources contradict one another",
    holds: ({ context }) => context.contradictorySources,
  },
  {
    name: "long",
    code: `arg.split(/\\s+/).length > ${LONG_QUERY}`,
    words: `it has more than ${LONG_QUERY} words`,
    holds: ({ proposed }) => proposed.type === SEARCH && proposed.arg.split(/\s+/).length > LONG_QUERY,
  },
  {
    name: "at-last-step",
    code: "ctx.stepCount + 1 >= ctx.maxSteps",
    words: "no step is left after it",
    holds: ({ context }, domain) => context.stepCount + 1 >= context.maxSteps && !isOnlyFinal(domain),
  },
];

/** How far the episode had come: what is left to say of a step without any sign. */
function progress({ context: { searchCount, stepCount } }: FailingStep): Trigger[] {
  if (searchCount > 1)
    return [
      {
        name: "after-searches",
        code: `ctx.searchCount >= ${searchCount}`,
        words: `${searchCount} searches are done`,
      },
    ];
  if (stepCount === 0) return [];
  const steps = stepCount === 1 ? "1 step is" : `${stepCount} steps are`;
  return [{ name: "later", code: `ctx.stepCount >= ${stepCount}`, words: `${steps} done` }];
}

/** What sets this step apart besides the type of its action; the most telling first, and two at most. */
export function triggersOf(step: FailingStep, domain: SteppedDomain): readonly Trigger[] {
  const found = SIGNS.filter((sign) => sign.holds(step, domain)).slice(0, 2);
  return found.length > 0 ? found : progress(step);
}

/** What a skill made from this step might be called. */
export function suggestName(step: FailingStep, domain: SteppedDomain): string {
  return [triggersOf(step, domain)[0]?.name ?? "check", typeTrigger(step).name].join("-");
}

/** When such a skill is to be used, in one sentence. */
export function suggestDescription(step: FailingStep, domain: SteppedDomain): string {
  const words = triggersOf(step, domain).map((trigger) => trigger.words);
  const when = words.length === 0 ? "" : ` and ${words.join(", and ")}`;
  return `Use when the policy proposes ${typeTrigger(step).words}${when}.`;
}
