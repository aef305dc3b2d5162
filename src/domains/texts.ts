import { FIELDS_OF_SEARCHES } from "../model/search-context-fields.ts";
import { SAME_ANSWER, type Likeness } from "../scoring/same-answer.ts";

/** Characters of an episode that the summariser of failures reads (SPEC §7 B). */
export interface SummaryLengths {
  /** Of the answer. */
  readonly prediction: number;
  /** The answer has lines, whose breaks and indentation mean something. */
  readonly hasLines?: true;
  /** Of the steps, one line each. */
  readonly trace: number;
  /** Share of a line that the thought of its step may take. */
  readonly thought: number;
}

/** Fields of a step context, as prompts about skills list them. */
export interface ContextTexts {
  /** After "It sees only `ctx`:". */
  readonly fields: string;
  /** Of a case's `context`. */
  readonly inCases: string;
  /** Contexts that both methods of a Program Function must bear, each with a comma behind it. */
  readonly bears: string;
  /** What an example of a case says beside its steps, with a comma before it. */
  readonly state: string;
  /** The actions that `applicable_phases` calls search, with a comma behind them; empty where there are none. */
  readonly gathering: string;
  /** Fields of the context that never say anything in the domain. */
  readonly without: readonly string[];
}

/**
 * The words of a domain in the prompts of teachers, judges and authors of skills. Their files are the same for all domains; a change of a
 * text here changes the prompt as a change of its file does.
 */
export interface DomainTexts {
  /** What the agent can do before it answers, after "an agent that can". */
  readonly can: string;
  /** What it does, after "an agent that". */
  readonly does: string;
  /** The difficulties 1, 3 and 5 of a question, in one line. */
  readonly difficulties: string;
  /** The scores 1, 0.5 and 0 of a step, as a list. */
  readonly stepScores: string;
  /** Heading of what the agent has found. Absent: it has nothing to find, and its thought is shown. */
  readonly found?: string;
  /** An answer that is worth another round, after "or is". */
  readonly doubtful: string;
  /** Advice for another round, where the teacher gives none. */
  readonly advice: string;
  /** What makes no difference between two answers, as a list. */
  readonly sameAnswer: string;
  readonly context: ContextTexts;
  readonly summary: SummaryLengths;
}

/** Of a domain that says nothing else: the answer is what there is to do. */
const PLAIN_TEXTS: DomainTexts = {
  can: "think before it answers",
  does: "answers a question",
  difficulties:
    "1: one thought answers it. 3: two or three thoughts must be joined. 5: many of them, or some that easily go wrong.",
  stepScores: `- 1: the action gets what is missing most, or gives an answer that the thought supports.
- about 0.5: it is related, but vague or incomplete.
- 0: it is malformed, unrelated, or an answer that the thought does not support.`,
  doubtful: "at odds with the agent's own thought",
  advice:
    "Look at the question again, check each part of the thought, and give the best answer that follows from it.",
  sameAnswer: SAME_ANSWER,
  context: {
    fields: "question, stepCount,\nmaxSteps, actionHistory, thought",
    inCases: "question, stepCount, maxSteps, actionHistory (a list of `{ type, arg }`), thought",
    bears: "",
    state: "",
    gathering: "",
    without: FIELDS_OF_SEARCHES,
  },
  summary: { prediction: 200, trace: 1_800, thought: 0.55 },
};

/** Of domains in which an agent searches and reads. Their wording is that of the prompts' versions. */
export const SEARCHING_TEXTS: DomainTexts = {
  can: "search and read documents",
  does: "answers a question with a search engine",
  difficulties:
    "1: one lookup answers it. 3: two or three facts must be found and joined. 5: many facts, or facts that are easily confused.",
  stepScores: `- 1: the action gets the one fact that is missing most, or gives an answer that the texts read so far support.
- about 0.5: it is related, but vague, too broad, or repeats an action that brought nothing.
- 0: it is malformed, unrelated, or an answer that nothing read so far supports.`,
  found: "What it has found",
  doubtful: "at odds with what was found",
  advice:
    "Look at the question again, search for a part of it that you have not looked at, and give the best answer that the evidence allows.",
  sameAnswer: SAME_ANSWER,
  context: {
    fields:
      "question, stepCount,\nmaxSteps, hasRead, searchCount, readCount, emptyResults, contradictorySources, actionHistory, lastSearchResultsText,\nallReadContents, thought",
    inCases:
      "question, stepCount, maxSteps, hasRead, searchCount, readCount, emptyResults,\ncontradictorySources, actionHistory (a list of `{ type, arg }`), lastSearchResultsText, allReadContents (a list of texts), thought",
    bears: "nothing searched, nothing read, empty results, contradictory\n   sources, ",
    state: ", searchCount: 2",
    gathering: "`[search]` about actions\nthat gather information, ",
    without: [],
  },
  summary: { prediction: 200, trace: 1_800, thought: 0.25 },
};

/** The texts of a domain, with plain ones for those that it does not have. */
export function textsOf({ texts }: { readonly texts?: Partial<DomainTexts> }): DomainTexts {
  return { ...PLAIN_TEXTS, ...texts };
}

/** What makes no difference between two answers of a domain. */
export function likenessOf(domain: {
  readonly texts?: Partial<DomainTexts>;
  readonly keys: { readonly answer: Likeness["key"] };
}): Likeness {
  return { words: textsOf(domain).sameAnswer, key: domain.keys.answer };
}
