import {
  freshQuery,
  injectContext,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

/** Characters of the draft that the policy reads again. */
const LONGEST_QUOTE = 80;

/** What a question asks for, as far as its words say so. */
type Kind =
  | "a number"
  | "a time"
  | "yes or no"
  | "one of the two"
  | "a person"
  | "a place"
  | "a name or fact";

const NUMBER_WORD =
  /\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million|billion|dozen|once|twice|half)\b/i;
const TIME_WORD =
  /\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|century|season|decade|today|present|ages?|era|period|war|dynasty|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/i;
const YES_OR_NO = /^\W*(?:yes|no)\b/i;
/** A year or a date and nothing more, where a thing is asked for. */
const BARE_YEAR_OR_DATE =
  /^\W*(?:in )?(?:(?:january|february|march|april|may|june|july|august|september|october|november|december) )?(?:\d{1,2},? )?(?:1[0-9]|20)\d\ds?\W*$/i;
/** Words of a question that a number or a date can answer. */
const MAY_BE_COUNTED =
  /\b(?:when|years?|dates?|days?|months?|decades?|century|centuries|birthdays?|born|died|time|times|period|age|era|numbers?|how|season|title|titled|named?|called|album|film|movie|novel|book|song)\b/i;
/** A year or a span of years, which counts nothing. */
const YEARS = /^\W*(?:1[0-9]|20)\d\d(?:\W+(?:1[0-9]|20)\d\d)?\W*$/;

export default class AnswerKindMismatch extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    const question = ctx.question.slice(0, LOOKED_AT);
    return arg.trim() !== "" && !isOfKind(arg.slice(0, LOOKED_AT), kindOf(question), question);
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const kind = kindOf(ctx.question.slice(0, LOOKED_AT));
    return injectContext(
      `${nextSearch(freshQuery(ctx))}; the question asks for ${kind}, and ${quoted(arg)} is of another kind.`,
      `the question asks for ${kind}, and the answer is of another kind`,
    );
  }
}

function kindOf(question: string): Kind {
  const isPolar = /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b/i.test(question);
  if (/\w\W+or\W+[^,?]+\??\s*$/.test(question)) return isPolar ? "a name or fact" : "one of the two";
  if (isPolar) return "yes or no";
  if (/\bhow (?:many|much)\b|\bwhat (?:is the )?(?:number|population)\b/i.test(question)) return "a number";
  if (
    /^\W*when\b|\b(?:what|which) (?:year|date|decade|century)\b|\b(?:born|fought|founded) when\b/i.test(
      question,
    )
  )
    return "a time";
  if (/^\W*who\b/i.test(question)) return "a person";
  return /^\W*where\b|\b(?:what|which) (?:\w+ )?(?:city|country|town|county|continent)\b/i.test(question)
    ? "a place"
    : "a name or fact";
}

function isOfKind(answer: string, kind: Kind, question: string): boolean {
  if (kind === "yes or no") return YES_OR_NO.test(answer);
  if (kind === "a number") return NUMBER_WORD.test(answer) && !YEARS.test(answer);
  if (kind === "a time") return TIME_WORD.test(answer);
  if (kind === "one of the two") return sharesName(answer, question);
  if (kind === "a person" || kind === "a place") return /\p{Lu}/u.test(answer) && !/\d{3}/.test(answer);
  if (/^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b/i.test(question)) return true;
  if (BARE_YEAR_OR_DATE.test(answer)) return MAY_BE_COUNTED.test(question);
  return !/^\W*(?:yes|no)\b/i.test(answer);
}

function sharesName(answer: string, question: string): boolean {
  const asked = plain(question);
  return plain(tellingWords(answer).join(" ")).some((word) => asked.includes(word));
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
