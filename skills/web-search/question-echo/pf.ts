import {
  freshQuery,
  injectContext,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type SearchVote,
  type StepContext,
} from "hasp";

/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

/** Characters of the draft that the policy reads again. */
const LONGEST_QUOTE = 80;

/** Questions whose answer stands in them: a choice between the things they name, or yes and no. */
const OFFERS_ANSWERS =
  /\b(?:or|both|between|which of|more|older|younger|earlier|later|first|last|longer|larger|bigger|taller|higher|same|common)\b|^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b/i;

const NUMBER_WORD =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|first|second|third)$/;

/** Questions about relatives and namesakes: the answer has a name in common with the question. */
const SHARES_NAME =
  /\b(?:named (?:after|for)|namesake|father|mother|parents?|brothers?|sisters?|siblings?|sons?|daughters?|wife|husband|cousins?|uncle|aunt|founders?|founded by)\b/i;

/** Words after "what" or "which" that can name the kind of thing asked for. */
const KIND_WORDS = 3;

export default class QuestionEcho extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    const said = plain(tellingWords(arg).join(" "));
    const asked = plain(ctx.question.slice(0, LOOKED_AT));
    const echoed = said.filter((word) => asked.includes(word)).length;
    if (echoed === 0 || echoed * 2 < said.length || OFFERS_ANSWERS.test(ctx.question)) return false;
    if (echoed === said.length) return !namesTheKind(said, asked);
    return !asked.includes(said.at(-1) ?? "") && !said.some(isNumber) && !SHARES_NAME.test(ctx.question);
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return injectContext(
      `${nextSearch(freshQuery(ctx))}; the question itself says ${quoted(arg)}.`,
      "half of the answer or more stands in the question already",
    );
  }

  /** Half of the answer's words or more, but not all of them, stand in a question that offers no answers. */
  override vote(ctx: StepContext, answer: string): SearchVote | undefined {
    const said = plain(tellingWords(answer).join(" "));
    if (said.length === 0 || OFFERS_ANSWERS.test(ctx.question)) return undefined;
    const asked = plain(ctx.question.slice(0, LOOKED_AT));
    if (said.filter((word) => asked.includes(word)).length * 2 < said.length) return undefined;
    const query = freshQuery(ctx);
    return { reason: "half of the answer stands in the question", ...(query !== undefined && { query }) };
  }
}

/** "six weeks" to "how many weeks": a count with the word for what is counted. */
const isNumber = (word: string): boolean => /\d/.test(word) || NUMBER_WORD.test(word);

/** "Hawaii County" to "in what Hawaii county": a full name of the kind asked for, some of whose words the question needs. */
function namesTheKind(said: readonly string[], asked: readonly string[]): boolean {
  const last = said.at(-1) ?? "";
  return (
    said.length > 1 &&
    asked.some(
      (word, at) =>
        (word === "what" || word === "which") && asked.slice(at + 1, at + 1 + KIND_WORDS).includes(last),
    )
  );
}

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The draft in one line, short enough to be read. */
const quoted = (answer: string): string => `"${answer.slice(0, LONGEST_QUOTE).replace(/\s+/g, " ").trim()}"`;

/** A search that has not run, word for word; where all have, how to make one. */
function nextSearch(query: string | undefined): string {
  return query === undefined
    ? "Search for a name that the texts above have and no search has used"
    : `Run SEARCH[${query}] next`;
}
