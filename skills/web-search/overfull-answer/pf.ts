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

/** Words of the longest answer that is no sentence. */
const LONGEST_ANSWER = 5;
/** Words from which an answer is longer than most. */
const LONG_ANSWER = 3;
/** Words of the answer that the search of a vote takes along. */
const ANSWER_WORDS = 4;
/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

const MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const DATE = new RegExp(`(?:\\d{1,2} )?${MONTH}(?: \\d{1,2})?(?:,? \\d{4})?|\\b\\d{4}s?\\b`);
const AMOUNT =
  /\b\d(?:[\d.,]*\d)?(?: (?:thousand|million|billion|percent))?|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i;
/** Joins the subject of a sentence to what is said about it. */
const LINK =
  /\b(?:is|was|are|were|became|named|called|known as)(?: (?:\w+ed|born|held))?(?: (?:in|at|on))?\b/gi;
/** What may stand between the link and the name. */
const LEADING =
  /^(?:(?:in|at|on|by|for|from|as|to|the|a|an|located|based|born|raised|called|named|also|known)\s+)+/i;
/** Answers that answer nothing; shortened they would pass for one. */
const NO_ANSWER =
  /\bI (?:need|could|can|cannot|do|did|should|will)\b|\b(?:unable|could ?n[o'’]t|could not|not (?:found|known|specified|mentioned))\b/i;

export default class OverfullAnswer extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    const answer = arg.slice(0, LOOKED_AT);
    if (NO_ANSWER.test(answer)) return false;
    return countWords(answer) > LONGEST_ANSWER && !isTitle(answer);
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const answer = arg.slice(0, LOOKED_AT);
    const span = spanOf(answer, ctx.question);
    if (span !== undefined && !/[[\]\n]/.test(span))
      return injectContext(
        `Give the name, date or number alone, as in FINAL[${span}].`,
        "the answer said more than was asked",
      );
    return injectContext(
      `Give the one name, date or number that the question asks for, with FINAL, in at most ${LONGEST_ANSWER} words.`,
      "the answer is a sentence in which no name, date or number is the answer",
    );
  }

  /** Short enough for the trigger, and still long for an answer; the date or the number that was asked for may have three words. */
  override vote(ctx: StepContext, answer: string): SearchVote | undefined {
    const claim = answer.slice(0, LOOKED_AT);
    if (countWords(claim) < LONG_ANSWER || NO_ANSWER.test(claim) || /\d/.test(claim)) return undefined;
    const query = freshQuery(ctx, { with: tellingWords(claim).slice(0, ANSWER_WORDS) });
    return {
      reason: `the answer has ${countWords(claim)} words, and most answers have fewer`,
      ...(query !== undefined && { query }),
    };
  }
}

const countWords = (text: string): number =>
  (text.match(/\S+/g) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Names and titles may be long: no verb, no list, and most words but the small ones begin with a capital letter. */
function isTitle(answer: string): boolean {
  if (/[,;.]\s/.test(answer) || answer.search(LINK) !== -1) return false;
  const words = tellingWords(answer).filter((word) => /\p{L}/u.test(word));
  return words.filter((word) => /^\P{L}*\p{Lu}/u.test(word)).length * 2 > words.length;
}

/** The few words of a long answer that answer: the date or number asked for, or what its sentence says of its subject. */
function spanOf(answer: string, question: string): string | undefined {
  if (/\bwhen\b|\b(?:year|date|decade|month)\b/i.test(question))
    return newSpan(DATE.exec(answer)?.[0], question);
  if (/\bhow (?:many|much)\b|\bpopulation\b/i.test(question))
    return DATE.test(answer) ? undefined : newSpan(AMOUNT.exec(answer)?.[0], question);
  const sentence = (
    answer.split(/(?<=[^\s.]{3})\. |; |, (?:which|who|while|but|because|so)\b|\n/)[0] ?? ""
  ).replace(/\.$/, "");
  const said = afterLinks(sentence);
  return (said ?? [sentence])
    .map((text) => text.replace(LEADING, "").trim())
    .find((text) => isShort(text) && addsTo(question, text));
}

const newSpan = (span: string | undefined, question: string): string | undefined =>
  span !== undefined && addsTo(question, span) ? span : undefined;

/** The names that follow a verb of the sentence, the last first; undefined where it has no such verb. */
function afterLinks(sentence: string): string[] | undefined {
  const links = [...sentence.matchAll(LINK)];
  if (links.length === 0) return undefined;
  return links
    .map((link) => sentence.slice(link.index + link[0].length).trim())
    .filter((text) => /^(?:the |an? )?[\p{Lu}\p{N}"“]/u.test(text))
    .toReversed();
}

const isShort = (text: string): boolean => text !== "" && countWords(text) <= LONGEST_ANSWER;

/** The text says something that the question does not. */
function addsTo(question: string, text: string): boolean {
  const asked = plain(question.slice(0, LOOKED_AT));
  return plain(tellingWords(text).join(" ")).some((word) => !asked.includes(word));
}

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
