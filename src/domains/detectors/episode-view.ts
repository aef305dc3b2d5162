import { SEARCH, finalActionOf } from "../../model/action-types.ts";
import type { DomainFacts, Episode, Step } from "../../model/episode.ts";
import type { StepContext } from "../../model/step-context.ts";
import { wordsOf } from "../../model/words.ts";
import type { Verdict } from "../../model/verdict.ts";
import { contextAt, type ContextRules } from "../../trace/context-at.ts";

/** A step that ran, with what it brought. */
export interface SeenStep {
  readonly t: number;
  readonly step: Step;
  /** Of a SEARCH: its words. */
  readonly words: ReadonlySet<string>;
  /** The environment said something, and not that it found nothing. */
  readonly brought: boolean;
  /** Type, argument and observation of an earlier step. */
  readonly repeats: boolean;
  /** It brought something that no earlier step had brought. */
  readonly isNew: boolean;
}

/** What the detectors look at of a domain. */
export interface ViewedDomain {
  readonly contextRules: ContextRules;
  readonly longestAnswer?: number;
}

/** An episode as the detectors of failures look at it. */
export interface EpisodeView {
  readonly episode: Episode;
  readonly facts: DomainFacts;
  readonly domain: ViewedDomain;
  readonly finalAction: string;
  /** The first verdict on the answer, with its evidence; undefined without one. */
  readonly verdict: Verdict | undefined;
  readonly steps: readonly SeenStep[];
  /** 0-based step of the last FINAL. */
  readonly final: number | undefined;
  /** The context of that FINAL, computed when it is first asked for; undefined without one. */
  readonly finalContext: () => StepContext | undefined;
}

/** The steps that show something, 0-based and in order, and a reason for people. */
export interface Shown {
  readonly steps: readonly number[];
  readonly reason: string;
}

/** Says nothing where its failure is absent, or makes no sense in the episode's domain. Never throws. */
export type Detector = (view: EpisodeView) => Shown | undefined;

/** One pass over the steps that ran: what each brought, and whether it had been there. */
export function viewOf(episode: Episode, domain: ViewedDomain): EpisodeView {
  const finalAction = finalActionOf(episode.facts);
  const done = new Set<string>();
  const texts = new Set<string>();
  // A step that did not run is the last one, so the others keep their positions.
  const ran = episode.steps.filter(({ notRun }) => notRun === undefined);
  const steps = ran.map((step, t): SeenStep => {
    const { executed, observation } = step;
    const text = observation.trim();
    const brought = text !== "" && !domain.contextRules.isEmptySearch(text);
    const act = JSON.stringify([executed.type, executed.arg.trim().toLowerCase(), text]);
    const seen = { repeats: done.has(act), isNew: brought && !texts.has(text) };
    done.add(act);
    texts.add(text);
    const words = new Set(executed.type === SEARCH ? wordsOf(executed.arg) : []);
    return { t, step, words, brought, ...seen };
  });
  const final = steps.findLast(({ step }) => step.executed.type === finalAction)?.t;
  const finalContext = lazily(() => contextOfStep(episode, final, domain));
  const { facts, verdicts: [verdict] = [] } = episode;
  return { episode, facts, domain, finalAction, verdict, steps, final, finalContext };
}

function contextOfStep(
  episode: Episode,
  t: number | undefined,
  domain: ViewedDomain,
): StepContext | undefined {
  if (t === undefined || episode.steps[t]?.proposals[0] === undefined) return undefined;
  return contextAt(episode, t, domain.contextRules);
}

function lazily<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => (kept ??= { value: compute() }).value;
}

/** False in a domain of one step: an answer cannot be early there (SPEC §10.8). */
export function actsBeforeAnswer({
  facts,
  finalAction,
}: Pick<EpisodeView, "facts" | "finalAction">): boolean {
  return facts.actionTypes.some((type) => type !== finalAction);
}

/** The detector where the agent acts before it answers; one that finds nothing elsewhere. */
export function inSeveralSteps(detect: Detector): Detector {
  return (view) => (actsBeforeAnswer(view) ? detect(view) : undefined);
}

/** The steps with a reason that counts them; undefined where there are none. */
export function shown(
  steps: readonly Pick<SeenStep, "t">[],
  reason: (count: number) => string,
): Shown | undefined {
  if (steps.length === 0) return undefined;
  return { steps: steps.map(({ t }) => t), reason: reason(steps.length) };
}

export const times = (n: number): string => (n === 1 ? "once" : `${n} times`);
