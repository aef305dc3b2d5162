import type { StepContext } from "../../model/step-context.ts";
import { jaccard, wordsOf } from "../../model/words.ts";
import { signsOf } from "./question-kind.ts";

/** Inputs of a condition: the state before a proposal, the observation of the last action, and the draft of an answer. */
export interface ConditionFacts {
  readonly context: StepContext;
  /** The latest observation; empty before the first. */
  readonly observation: string;
  /** Thought and answer of a proposed final action; undefined before a proposal. */
  readonly draft?: string | undefined;
}

/** A longer observation buries what matters. Characters. */
const LONG_OBSERVATION = 2_000;
const FEW_STEPS = 2;
/** Searches whose words overlap more than this say much the same (SPEC §3, iterative_refinement). */
const SAME_SEARCH = 0.5;

function isSearchRepeated({ actionHistory }: StepContext): boolean {
  const queries = actionHistory
    .filter(({ type }) => type === "SEARCH")
    .map(({ arg }) => new Set(wordsOf(arg)));
  const last = queries.pop();
  return last !== undefined && queries.some((query) => jaccard(query, last) > SAME_SEARCH);
}

/** Lines of a list, each with a value. */
const LIST_LINE = /^[ \t]*(?:[-*•]|\(?\d{1,3}[.):]|\(?[a-z][.)])[ \t]+(?=.*\d)/gim;
/** One line of a list says no more than a sentence does, and two may be an answer and its check. */
const LISTED = 3;
/** Words for several values that belong together; a person may have ordered anything. */
const OF_TUPLES = /\bordered (?:pair|triple|tuple|solution|set|way|sequence)s?\b|\b(?:pairs|triples)\b/i;

/** An enumeration often comes without the word "case": "the pairs (0, −7), (−2, −5), …". */
function isEnumeration(draft: string): boolean {
  return OF_TUPLES.test(draft) || (draft.match(LIST_LINE)?.length ?? 0) >= LISTED;
}

type Test = (facts: ConditionFacts) => boolean;

/** One test for each condition that a SKILL.md may name (skill/vocabulary.ts); a unit test compares the two. */
export const CONDITION_TESTS: Readonly<Record<string, Test>> = {
  search_empty: ({ context }) => context.searchCount > 0 && context.emptyResults,
  no_search_yet: ({ context }) => context.searchCount === 0,
  no_read_yet: ({ context }) => !context.hasRead,
  has_read: ({ context }) => context.hasRead,
  single_source: ({ context }) => context.readCount === 1,
  search_repeated: ({ context }) => isSearchRepeated(context),
  sources_conflict: ({ context }) => context.contradictorySources,
  long_observation: ({ observation }) => observation.length > LONG_OBSERVATION,
  few_steps_left: ({ context }) => context.maxSteps - context.stepCount <= FEW_STEPS,
  multi_hop_question: ({ context }) => signsOf(context.question).hops >= 2,
  negated_question: ({ context }) =>
    /\b(?:not|never|neither|nor|except|excluding|other than|without|isn't|wasn't|didn't)\b/i.test(
      context.question,
    ),
  has_case_analysis: ({ draft = "" }) =>
    /\bcase (?:\d|[ivx]+\b|[a-c]\b)|\b(?:if|when) .{1,80}, then .{1,200}\b(?:otherwise|if|when)\b/is.test(
      draft,
    ),
  enumerates: ({ draft = "" }) => isEnumeration(draft),
};

/** Conditions on the draft of an answer: they never hold before a proposal (SPEC §2). */
export const DRAFT_CONDITIONS: ReadonlySet<string> = new Set(["has_case_analysis", "enumerates"]);

/** All of them hold. A condition that nobody knows never does: SKILL.md's own check has told its author. */
export function holds(conditions: readonly string[], facts: ConditionFacts): boolean {
  return conditions.every((name) => Object.hasOwn(CONDITION_TESTS, name) && CONDITION_TESTS[name]?.(facts));
}
