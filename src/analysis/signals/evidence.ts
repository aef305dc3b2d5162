import { wasRight } from "../../model/outcomes.ts";
import { domainOfRecord } from "../../domains/registry.ts";
import type { Action } from "../../model/action.ts";
import { sameAction } from "../../model/action.ts";
import { finalActionOf } from "../../model/action-types.ts";
import type { Episode, Step } from "../../model/episode.ts";
import type { PfEvent } from "../../model/intervention.ts";
import type { Correction } from "../../model/signals.ts";
import type { StepContext } from "../../model/step-context.ts";
import { contextsOf } from "../../trace/context-at.ts";

/** A judgement of a step by the teacher, for `s3.semantic`. */
export interface SemanticScore {
  /** In [0, 1]. */
  readonly score: number;
  /** Id of the teacher. */
  readonly by: string;
}

/** Everything that the signals of one step are computed from (SPEC §6, the record e_t). */
export interface StepEvidence {
  readonly step: Step;
  /** In which the first proposal was judged. */
  readonly context: StepContext;
  readonly finalAction: string;
  /** Action types that the environment can execute, the final action among them. */
  readonly actionTypes: readonly string[];
  /** Number of steps of the episode, as far as they follow from each other. */
  readonly length: number;
  /** The first action that the policy proposed at this step. */
  readonly proposed: Action;
  readonly executed: Action;
  /** Skills whose Program Function was applied, overridden or a noop. */
  readonly activated: readonly string[];
  /** Skills that changed the action before it ran: by their Program Function, or by the vote of their handler. */
  readonly changedBy: readonly string[];
  /** Skills whose context was added. */
  readonly contextBy: readonly string[];
  readonly correction: Correction;
  /** Undefined: nobody knows the outcome. */
  readonly passed: boolean | undefined;
  readonly semantic: SemanticScore | undefined;
  /** The measures of the domain on this step, by name; each in [0, 1]. */
  readonly domainScores: Readonly<Record<string, number>>;
}

const ACTIVE: ReadonlySet<string> = new Set(["applied", "overridden", "noop"]);

const idsOf = (events: readonly PfEvent[]): readonly string[] => [
  ...new Set(events.map(({ skillId }) => skillId)),
];

/**
 * How HASP changed a step (SPEC §8, Readings): `modified` where the action that ran differs from the first proposal and from the last one;
 * `revised` where the policy itself proposed another action after a context.
 */
export function correctionOf({ proposals, executed }: Pick<Step, "proposals" | "executed">): Correction {
  const [first] = proposals;
  const last = proposals.at(-1);
  if (first === undefined || last === undefined || sameAction(executed, first.action)) return "none";
  return sameAction(executed, last.action) ? "revised" : "modified";
}

/** The skills whose vote turned the final action of step `t` into another one. */
export function votersAt({ decisions = [] }: Episode, t: number): readonly string[] {
  return decisions.flatMap(({ part, t: at, value, votes = [] }) =>
    part === "handler_vote" && at === t && value === true
      ? votes.flatMap(({ skillId, override }) => (override ? [skillId] : []))
      : [],
  );
}

/** True for a right answer, false for a wrong or a missing one (SPEC §7: *failed* = EM 0, halted included); undefined where nothing judged it. */
export function passedOf({ outcome }: Pick<Episode, "outcome">): boolean | undefined {
  return wasRight(outcome);
}

/** Scores of the teacher for one episode, by step. */
export type SemanticScores = ReadonlyMap<number, SemanticScore>;

/** The evidence of every step of an episode; `divergedAt`: the step (0-based) after which nothing follows from those before. */
export function evidenceOf(
  episode: Episode,
  semantic: SemanticScores | undefined,
  divergedAt: number | undefined,
): StepEvidence[] {
  const { facts, steps } = episode;
  const { contextRules, stepMeasures = [] } = domainOfRecord(facts);
  const finalAction = finalActionOf(facts);
  const contexts = contextsOf(episode, contextRules);
  return steps.flatMap((step, i) => {
    const [first] = step.proposals;
    const context = contexts[i];
    if (first === undefined || context === undefined) return [];
    const answer = step.proposals.findLast(({ action }) => action.type === finalAction);
    const verdict = answer?.verdicts?.[0];
    const applied = step.events.filter(({ status }) => status === "applied");
    const changes = applied.filter(
      ({ intervention, pass }) => intervention?.type === "MODIFY_ACTION" && pass !== "post",
    );
    return {
      step,
      context,
      finalAction,
      actionTypes: [...facts.actionTypes, finalAction],
      length: divergedAt === undefined ? steps.length : divergedAt + 1,
      proposed: first.action,
      executed: step.executed,
      activated: idsOf(step.events.filter(({ status }) => ACTIVE.has(status))),
      changedBy: [...idsOf(changes), ...votersAt(episode, step.t)],
      contextBy: idsOf(applied.filter(({ intervention }) => intervention?.type === "INJECT_CONTEXT")),
      correction: correctionOf(step),
      passed: divergedAt === undefined ? passedOf(episode) : undefined,
      semantic: semantic?.get(step.t),
      domainScores: Object.fromEntries(
        stepMeasures.map((one) => [one.name, one.measure({ step, context, facts, verdict })]),
      ),
    };
  });
}
