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

/** Words of the draft that a query takes along. */
const MOST_WORDS = 3;

/** Questions that ask for more than one thing, or for how things are related. */
const ASKS_FOR_SEVERAL =
  /\b(?:two|three|four|both of|which ones|names|items|what are|who are|who were|besides|list|respectively|cities|countries|states|members|sports|roles|occupations|awards|decades|services|and (?:who|what|where|when|which|how))\b/i;
/** The comma of a date, and what stands behind the comma of a name. */
const DATE =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b.*\d/i;
const BEHIND_NAME = /, (?:Jr|Sr|Inc|Ltd|Co|LLC|PhD|MD|[IVX]+)\b\.?/g;
/** Two things: listed, joined, or the second in brackets. A capital letter behind "and" may belong to one name. */
const PARTS =
  /[,;] |\p{L} (?:and|or) (?:an? |the )?\p{Ll}|\p{L} or \p{Lu}|\p{L}{3} ?\/ ?\p{L}{3}|\p{L} \([^)]*\)\W*$/u;
/** A place with its state or country. */
const PLACE = /^(\p{Lu}[\p{L}.'’ -]*), (\p{Lu}[\p{L}. ]*)$/u;

export default class AnswerInParts extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    const answer = arg.slice(0, LOOKED_AT).trim().replace(BEHIND_NAME, "");
    const question = ctx.question.slice(0, LOOKED_AT);
    if (/^\W*(?:yes|no)\b/i.test(answer) || DATE.test(answer) || !PARTS.test(answer)) return false;
    // Where a place is asked for, its state belongs to it.
    if (PLACE.test(answer) && /\bwhere\b/i.test(question)) return false;
    return !ASKS_FOR_SEVERAL.test(question) && !plain(question).includes(plain(answer));
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const part = partAskedFor(ctx.question.slice(0, LOOKED_AT), arg.slice(0, LOOKED_AT).trim());
    return injectContext(
      part === undefined
        ? `${deedOn(ctx, arg)}; one thing was asked for, and ${quoted(arg)} is several.`
        : `Give the place alone, as in FINAL[${part}].`,
      "the answer has several parts where one thing was asked for",
    );
  }
}

/** A search that has not run, for the first words of the draft; without one the policy has to choose. */
function deedOn(ctx: StepContext, answer: string): string {
  const isLastStep = ctx.stepCount + 1 >= ctx.maxSteps;
  const words = tellingWords(answer.slice(0, LONGEST_QUOTE)).slice(0, MOST_WORDS);
  const query = isLastStep ? undefined : freshQuery(ctx, { with: words });
  return query === undefined ? "Give one of them with FINAL" : `Run SEARCH[${query}] next`;
}

/** The part of a place that the question names the kind of: of "Perth, Australia" the city. */
function partAskedFor(question: string, answer: string): string | undefined {
  const [, near, far] = PLACE.exec(answer) ?? [];
  if (/\b(?:what|which) (?:\p{L}+ ){0,2}(?:city|town|village|suburb|borough)\b/iu.test(question)) return near;
  return /\b(?:what|which) (?:\p{L}+ ){0,2}(?:state|country|province|nation)\b/iu.test(question)
    ? far
    : undefined;
}

/** The draft in one line, short enough to be read. */
const quoted = (answer: string): string => `"${answer.slice(0, LONGEST_QUOTE).replace(/\s+/g, " ").trim()}"`;

const plain = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
