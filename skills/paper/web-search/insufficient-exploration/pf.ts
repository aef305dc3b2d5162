import {
  freshQuery,
  modifyAction,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type SearchVote,
  type StepContext,
} from "hasp";

/** What to read when the results do not tell: retrievers put their best first. */
const FIRST_DOCUMENT = "doc_0";
/** Characters of what was read that a vote looks at. */
const LOOKED_AT = 40_000;
/** Words of questions that tell nothing about a document. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "the and for was were are who whom whose which that this what when where why how did does has had have with from into " +
    "his her its their they not but all both same any one two between before after during"
  ).split(" "),
);

/** One result of the last search, as the policy saw it. */
interface Result {
  readonly id: string;
  readonly text: string;
}

export default class InsufficientExploration extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (actionType !== "FINAL") return false;
    if (ctx.searchCount === 0) return false;
    if (ctx.readCount > 0) return false;
    // On the last step a READ would leave the episode without any answer.
    return ctx.stepCount + 1 < ctx.maxSteps;
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    if (ctx.emptyResults) return noop("nothing was read, but the last search found nothing to read");
    return modifyAction({
      type: "READ",
      arg: bestResult(ctx.lastSearchResultsText, ctx.question, arg),
      reason: `nothing has been read yet, after ${ctx.searchCount === 1 ? "1 search" : `${ctx.searchCount} searches`}`,
    });
  }

  /** Something was read, so that the trigger is silent; but most searches led to no text, and the texts lack most names of the question. */
  override vote(ctx: StepContext, _answer: string): SearchVote | undefined {
    if (ctx.readCount === 0 || ctx.readCount * 2 > ctx.searchCount) return undefined;
    const names = namesIn(ctx.question);
    const read = wordsOf(ctx.allReadContents.join(" ").slice(0, LOOKED_AT));
    const found = countShared(names, read);
    if (names.size === 0 || found * 2 > names.size) return undefined;
    const query = freshQuery(ctx);
    const reason = `of ${ctx.searchCount} searches ${ctx.readCount} led to a text, and ${found} of ${names.size} names in the question were read`;
    return { reason, ...(query !== undefined && { query }) };
  }
}

/**
 * The id of the result that names most of the drafted answer, since that is the claim to check; among equals the one
 * that shares the most words with the question, then the earliest.
 */
function bestResult(resultsText: string, question: string, answer: string): string {
  const answerWords = tellingWords(answer);
  const questionWords = tellingWords(question);
  let best = FIRST_DOCUMENT;
  let bestForAnswer = 0;
  let bestForQuestion = 0;
  for (const { id, text } of resultsOf(resultsText)) {
    const words = tellingWords(text);
    const forAnswer = countShared(answerWords, words);
    const forQuestion = countShared(questionWords, words);
    const better = forAnswer === bestForAnswer ? forQuestion > bestForQuestion : forAnswer > bestForAnswer;
    if (!better) continue;
    best = id;
    bestForAnswer = forAnswer;
    bestForQuestion = forQuestion;
  }
  return best;
}

/** Cuts the text at each line that begins with a document id; ids inside a passage are part of its text. */
function resultsOf(text: string): Result[] {
  const pieces = text.split(/^[^\S\n]*\[?(doc_\d+)\b/m);
  const results: Result[] = [];
  for (let at = 1; at < pieces.length; at += 2) {
    results.push({ id: pieces[at] ?? FIRST_DOCUMENT, text: pieces[at + 1] ?? "" });
  }
  return results;
}

function countShared(asked: ReadonlySet<string>, offered: ReadonlySet<string>): number {
  return [...asked].filter((word) => offered.has(word)).length;
}

/** The words of three letters and more worth comparing, in lower case. */
function tellingWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)));
}

/** Words with a capital or a digit behind the first word of the question, in lower case. */
function namesIn(question: string): ReadonlySet<string> {
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
  const names = words.slice(1).filter((word) => /^[\p{Lu}\p{N}]./u.test(word));
  return new Set(names.map((name) => name.toLowerCase()));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
