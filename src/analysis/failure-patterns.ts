import { domainOfRecord } from "../domains/registry.ts";
import { READ, SEARCH, finalActionOf } from "../model/action-types.ts";
import type { DomainFacts, Episode, Step } from "../model/episode.ts";
import type { FailurePattern, FoundPattern } from "../model/failure-pattern.ts";

/**
 * Signs of failure that need no gold answer, for filtering a list of episodes. They are cheap and may be wrong: right episodes show
 * some too. The twelve detectors of SPEC §7 B, of which these are the part that needs neither gold nor a model, grow from here.
 */

/** SPEC §7 B: an answer in fewer steps than this is early. */
const EARLY_STEPS = 3;
/** SPEC §7 B: searches whose words overlap by more than this share are the same search. */
const SAME_SEARCH = 0.8;
/** How far back a search is compared, so that an episode of thousands stays cheap. */
const LOOK_BACK = 50;
/** One search that finds nothing is part of searching; two are a sign (on the Reflexion episodes 30% of wrong, 6% of right ones). */
const EMPTY_SEARCHES = 2;
/** Steps in a row that brought nothing new. */
const NO_PROGRESS_STEPS = 3;

interface SeenStep {
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

interface EpisodeView {
  readonly episode: Episode;
  readonly facts: DomainFacts;
  readonly finalAction: string;
  readonly steps: readonly SeenStep[];
  /** 0-based step of the last FINAL. */
  readonly final: number | undefined;
}

type Detector = (view: EpisodeView) => Omit<FoundPattern, "name"> | undefined;

/** Each detector says nothing where its pattern is absent, or makes no sense in the episode's domain. */
const DETECTORS: Readonly<Record<FailurePattern, Detector>> = {
  never_finished: ({ final, episode }) =>
    final === undefined && episode.answer === undefined
      ? { steps: lastStep(episode), reason: `no answer came; it ended with ${episode.stopReason}` }
      : undefined,
  premature_final: ({ final, facts, steps }) => {
    const isShort = final !== undefined && steps.length < EARLY_STEPS;
    if (!isShort || facts.maxSteps < EARLY_STEPS || !actsBeforeAnswer(facts)) return undefined;
    return { steps: [final], reason: `answered in step ${final + 1}` };
  },
  no_read_before_final: ({ final, facts, steps }) => {
    const canRead = facts.actionTypes.includes(READ) && !facts.searchReturnsText;
    if (final === undefined || !canRead || facts.readBecomesSearch === true) return undefined;
    const hasRead = steps.slice(0, final).some(({ step, brought }) => step.executed.type === READ && brought);
    return hasRead ? undefined : { steps: [final], reason: "nothing was read before the answer" };
  },
  format_mismatch: ({ final, facts, episode }) => {
    const words = wordsOf(episode.answer ?? "").length;
    const { longestAnswer: most = Infinity } = domainOfRecord(facts);
    if (final === undefined || words <= most) return undefined;
    return { steps: [final], reason: `an answer of ${words} words` };
  },
  repeated_search: ({ steps }) => {
    const searches = steps.filter(({ step }) => step.executed.type === SEARCH);
    const again = searches.filter((one, i) =>
      searches.slice(Math.max(0, i - LOOK_BACK), i).some((before) => sameSearch(before.words, one.words)),
    );
    return found(again, (n) => `${times(n)} searched for what had been searched for`);
  },
  repeated_action: ({ steps, finalAction }) => {
    const others = steps.filter(({ step }) => ![SEARCH, finalAction, "invalid"].includes(step.executed.type));
    const again = others.filter(({ repeats }) => repeats);
    return found(again, (n) => `${times(n)} did what had been done, and got what had been got`);
  },
  empty_searches: ({ steps }) => {
    const empty = steps.filter(
      ({ step, brought }) => [SEARCH, READ].includes(step.executed.type) && !brought,
    );
    if (empty.length < EMPTY_SEARCHES) return undefined;
    return found(empty, (n) => `${n} searches or reads found nothing`);
  },
  excessive_steps_no_progress: ({ steps, finalAction }) => {
    const stuck = longestRun(steps, (one) => one.step.executed.type !== finalAction && !one.isNew);
    if (stuck.length < NO_PROGRESS_STEPS) return undefined;
    return found(stuck, (n) => `${n} steps in a row brought nothing new`);
  },
  invalid_action: ({ episode }) => {
    const bad = episode.steps.flatMap(({ proposals }, t) =>
      proposals.some(({ action }) => action.type === "invalid") ? [{ t }] : [],
    );
    return found(bad, (n) => `${n} ${n === 1 ? "reply holds" : "replies hold"} no readable action`);
  },
};

/** The patterns that an episode shows, in the order of `FAILURE_PATTERNS`. Looks at no gold answer and no outcome. */
export function findPatterns(episode: Episode): FoundPattern[] {
  const view = viewOf(episode);
  return Object.entries(DETECTORS).flatMap(([name, detect]) => {
    const pattern = detect(view);
    return pattern === undefined ? [] : [{ name: name as FailurePattern, ...pattern }];
  });
}

/** One pass over the steps that ran: what each brought, and whether it had been there. */
function viewOf(episode: Episode): EpisodeView {
  const domain = domainOfRecord(episode.facts);
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
  const last = steps.findLast(({ step }) => step.executed.type === finalAction)?.t;
  return { episode, facts: episode.facts, finalAction, steps, final: last };
}

/** In a domain of one step an answer cannot be early. */
function actsBeforeAnswer({ actionTypes }: DomainFacts): boolean {
  return actionTypes.length > 1;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function sameSearch(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  const any = a.size + b.size - both;
  return any > 0 && both / any > SAME_SEARCH;
}

function longestRun(steps: readonly SeenStep[], belongs: (step: SeenStep) => boolean): readonly SeenStep[] {
  let [best, from, length] = [0, 0, 0];
  steps.forEach((step, i) => {
    length = belongs(step) ? length + 1 : 0;
    if (length > best) [best, from] = [length, i - length + 1];
  });
  return steps.slice(from, from + best);
}

function found(
  steps: readonly Pick<SeenStep, "t">[],
  reason: (count: number) => string,
): Omit<FoundPattern, "name"> | undefined {
  if (steps.length === 0) return undefined;
  return { steps: steps.map(({ t }) => t), reason: reason(steps.length) };
}

function lastStep({ steps }: Episode): number[] {
  return steps.length === 0 ? [] : [steps.length - 1];
}

const times = (n: number): string => (n === 1 ? "once" : `${n} times`);
