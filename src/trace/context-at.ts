import type { DomainFacts, Episode, Step } from "../model/episode.ts";
import type { StepContext } from "../model/step-context.ts";

/** What a domain knows about texts and this room does not; `src/domains/` implements it. */
export interface ContextRules {
  /** The observation of a search, or of a read, says that nothing was found. */
  isEmptySearch(observation: string): boolean;
  /** The text contradicts itself, or says that sources do. */
  contradicts(text: string): boolean;
}

/** The action types whose executions a step context counts. */
const SEARCH = "SEARCH";
const READ = "READ";

/** The context of the first step, before the policy has said anything. */
export function initialContext(question: string, facts: DomainFacts): StepContext {
  return {
    question,
    stepCount: 0,
    maxSteps: facts.maxSteps,
    hasRead: false,
    searchCount: 0,
    readCount: 0,
    emptyResults: false,
    contradictorySources: false,
    actionHistory: [],
    lastSearchResultsText: "",
    allReadContents: [],
    thought: "",
  };
}

/** The same context with the thought of the proposal that is about to be judged. */
export function withThought(context: StepContext, thought: string): StepContext {
  return { ...context, thought };
}

/**
 * The context after a step. The live loop and `contextAt` both use it, so a replay sees what the loop saw. What was
 * executed counts, not what was proposed. A READ counts when it brought text; so does a SEARCH where
 * `facts.searchReturnsText` (DESIGN.md, "Real trajectories").
 */
export function advance(
  context: StepContext,
  step: Pick<Step, "executed" | "observation">,
  facts: Pick<DomainFacts, "searchReturnsText">,
  rules: ContextRules,
): StepContext {
  return advanceBy(copyWith, context, step, facts, rules);
}

/** How a list of the context gets its next entry. */
type Append = <T>(list: T[], entry: T) => T[];

const copyWith: Append = (list, entry) => [...list, entry];

/** For a context that nobody keeps: copies of ever longer lists would take the square of the steps. */
const intoOwnList: Append = (list, entry) => {
  list.push(entry);
  return list;
};

function advanceBy(
  append: Append,
  context: StepContext,
  { executed, observation }: Pick<Step, "executed" | "observation">,
  facts: Pick<DomainFacts, "searchReturnsText">,
  rules: ContextRules,
): StepContext {
  const searched = executed.type === SEARCH;
  const brought = observation.trim() !== "" && !rules.isEmptySearch(observation);
  const read = brought && (executed.type === READ || (searched && facts.searchReturnsText));
  return {
    ...context,
    ...(searched ? searchFindings(observation, brought, rules) : {}),
    stepCount: context.stepCount + 1,
    searchCount: context.searchCount + (searched ? 1 : 0),
    hasRead: context.hasRead || read,
    readCount: context.readCount + (read ? 1 : 0),
    allReadContents: read ? append(context.allReadContents, observation) : context.allReadContents,
    actionHistory: append(context.actionHistory, { type: executed.type, arg: executed.arg }),
    thought: "",
  };
}

function searchFindings(
  observation: string,
  brought: boolean,
  rules: ContextRules,
): Pick<StepContext, "emptyResults" | "contradictorySources" | "lastSearchResultsText"> {
  return {
    emptyResults: !brought,
    contradictorySources: brought && rules.contradicts(observation),
    lastSearchResultsText: observation,
  };
}

/** The context in which each step's first proposal was judged, in one pass. */
export function contextsOf(episode: Episode, rules: ContextRules): StepContext[] {
  const contexts: StepContext[] = [];
  let context = initialContext(episode.question, episode.facts);
  for (const step of episode.steps) {
    contexts.push(withThought(context, step.proposals[0]?.thought ?? ""));
    context = advance(context, step, episode.facts, rules);
  }
  return contexts;
}

/** The context in which step `t` (0-based) was judged. RangeError outside 0…length−1. */
export function contextAt(episode: Episode, t: number, rules: ContextRules): StepContext {
  const step = episode.steps[t];
  if (step === undefined) throw new RangeError(`No step ${t} among ${episode.steps.length}`);
  const start = initialContext(episode.question, episode.facts);
  const before = episode.steps
    .slice(0, t)
    .reduce((context, done) => advanceBy(intoOwnList, context, done, episode.facts, rules), start);
  return withThought(before, step.proposals[0]?.thought ?? "");
}

/** The keys whose values differ, in the order of the context. */
export function changedKeys(before: StepContext, after: StepContext): (keyof StepContext)[] {
  const keys = Object.keys(after) as (keyof StepContext)[];
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}
