import type { Action } from "../model/action.ts";
import { READ, SEARCH } from "../model/action-types.ts";
import type { DomainFacts, Episode, Proposal, Step } from "../model/episode.ts";
import type { StepContext } from "../model/step-context.ts";

/** What a step did, as far as a step context can depend on it. */
export type DoneStep = Pick<Step, "executed" | "observation" | "result" | "notRun" | "extra">;
/** What is proposed, as far as a step context can depend on it. */
export type AskedAbout = Pick<Proposal, "thought" | "action" | "world">;

/** What a domain knows about texts and this room does not; `src/domains/` implements it. */
export interface ContextRules {
  /** The observation of a search, or of a read, says that nothing was found. */
  isEmptySearch(observation: string): boolean;
  /** The text contradicts itself, or says that sources do. */
  contradicts(text: string): boolean;
  /** What the domain's contexts have besides the common fields. */
  readonly own?: OwnFields;
}

/** The fields of a context that one domain alone has. Each function answers those that change. */
export interface OwnFields {
  /** They are folded from all that happened before, so that a case tells it step by step. */
  readonly fromSession?: true;
  initial(question: string, facts: DomainFacts): Partial<StepContext>;
  /** About the proposal that is to be judged. */
  proposed(context: StepContext, proposal: AskedAbout): Partial<StepContext>;
  /** After a step. `context` is the one before it. */
  advance(context: StepContext, step: DoneStep): Partial<StepContext>;
  /** What the history keeps of an action; its argument may be long. */
  remembered(action: Action): Pick<Action, "type" | "arg">;
}

/** The context of the first step, before the policy has said anything. */
export function initialContext(question: string, facts: DomainFacts, rules: ContextRules): StepContext {
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
    ...rules.own?.initial(question, facts),
  };
}

/** The same context with what it says of the proposal that is about to be judged. */
export function withProposal(context: StepContext, proposal: AskedAbout, rules: ContextRules): StepContext {
  return { ...context, thought: proposal.thought, ...rules.own?.proposed(context, proposal) };
}

/** The same context after a person has said something. */
export function withPrompts(context: StepContext, prompts: readonly string[] | undefined): StepContext {
  if (prompts === undefined || context.prompts === undefined) return context;
  return { ...context, prompts: [...context.prompts, ...prompts] };
}

/**
 * The context after a step. The live loop and `contextAt` both use it, so a replay sees what the loop saw. What was
 * executed counts, not what was proposed. A READ counts when it brought text; so does a SEARCH where
 * `facts.searchReturnsText` (DESIGN.md, "Real trajectories"). A step whose action did not run counts as a step and as nothing else.
 */
export function advance(
  context: StepContext,
  step: DoneStep,
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
  step: DoneStep,
  facts: Pick<DomainFacts, "searchReturnsText">,
  rules: ContextRules,
): StepContext {
  const { executed, observation } = step;
  if (step.notRun !== undefined) return { ...context, stepCount: context.stepCount + 1, thought: "" };
  // First, because it reads the context before the step, and the lists below may be its own.
  const own = rules.own?.advance(context, step);
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
    actionHistory: append(
      context.actionHistory,
      rules.own?.remembered(executed) ?? { type: executed.type, arg: executed.arg },
    ),
    thought: "",
    ...own,
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

/** The step as it looked while its answer was still to come. */
export function withoutAnswer({ executed }: Pick<Step, "executed">): DoneStep {
  return { executed, observation: "", extra: { open: true } };
}

/** The parts of an episode that its contexts depend on. */
export type Recorded = Pick<Episode, "question" | "facts" | "steps" | "decisions">;

/** The note that follows an answer which was not taken is for the policy; the step itself brought nothing. */
function withoutNotes({ steps, decisions = [] }: Recorded): readonly Step[] {
  const noted = new Set(
    decisions.flatMap(({ part, value, t }) => (part === "retry" && value === true ? t : [])),
  );
  return noted.size === 0
    ? steps
    : steps.map((step) => (noted.has(step.t) ? { ...step, observation: "" } : step));
}

/** The contexts of one step, without anything that its proposals say. */
export interface StepContexts {
  /** As its proposals come. */
  readonly before: StepContext;
  /** As its action has run. */
  readonly after: StepContext;
}

/**
 * The contexts of all steps in turn. Where a step was proposed while earlier answers were still to come, the context before it lacks those
 * answers, as it did live.
 */
export function* contextsAround(episode: Recorded, rules: ContextRules): Generator<StepContexts> {
  const { facts, question } = episode;
  const steps = withoutNotes(episode);
  const before: StepContext[] = [];
  let context = initialContext(question, facts, rules);
  for (const [t, step] of steps.entries()) {
    context = withPrompts(context, step.prompts);
    before.push(context);
    const asked = contextWithout(step.unanswered ?? [], t);
    context = advance(context, step, facts, rules);
    yield { before: asked, after: context };
  }

  function contextWithout(open: readonly number[], t: number): StepContext {
    const first = Math.min(t, ...open);
    const start = before[first];
    if (start === undefined || first === t) return context;
    return steps.slice(first, t).reduce((then, done, i) => {
      const next = advance(then, open.includes(first + i) ? withoutAnswer(done) : done, facts, rules);
      return withPrompts(next, steps[first + i + 1]?.prompts);
    }, start);
  }
}

/** The context in which each step's first proposal was judged, in one pass. */
export function contextsOf(episode: Recorded, rules: ContextRules): StepContext[] {
  return Array.from(contextsAround(episode, rules), ({ before }, t) => {
    const [proposal] = episode.steps[t]?.proposals ?? [];
    return proposal === undefined ? before : withProposal(before, proposal, rules);
  });
}

/** The context in which step `t` (0-based) was judged. RangeError outside 0…length−1. */
export function contextAt(episode: Recorded, t: number, rules: ContextRules): StepContext {
  const step = episode.steps[t];
  const [proposal] = step?.proposals ?? [];
  if (step === undefined || proposal === undefined)
    throw new RangeError(`No step ${t} among ${episode.steps.length}`);
  const { unanswered = [] } = step;
  let context = initialContext(episode.question, episode.facts, rules);
  for (const [i, done] of withoutNotes(episode).slice(0, t).entries()) {
    const seen = unanswered.includes(i) ? withoutAnswer(done) : done;
    const heard = withPrompts(context, done.prompts);
    context = advanceBy(intoOwnList, heard, seen, episode.facts, rules);
  }
  return withProposal(withPrompts(context, step.prompts), proposal, rules);
}

/** The keys whose values differ, in the order of the context. */
export function changedKeys(before: StepContext, after: StepContext): (keyof StepContext)[] {
  const keys = Object.keys(after) as (keyof StepContext)[];
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}
