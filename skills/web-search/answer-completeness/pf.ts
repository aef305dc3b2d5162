import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const WARNING =
  "[Completeness] The question asks for one particular thing, and a single word may not name it fully. " +
  "Check the answer against every part of the question.";

/** Characters of a question that are looked at. */
const LOOKED_AT = 2_000;

export default class AnswerCompleteness extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    const words = wordsOf(arg);
    if (words.length !== 1) return false;
    if (isWholeInOneWord(words[0] ?? "")) return false;
    const question = ctx.question.slice(0, LOOKED_AT);
    if (isOffered(words[0] ?? "", question)) return false;
    if (asksForTwo(question)) return true;
    return asksForName(question) && hasSeveralParts(question);
  }

  intervene(): Intervention {
    return injectContext(WARNING, "a one-word answer to a question of several parts");
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu) ?? [];
}

/** Numbers, years, "yes" and "no" need no second word; an abbreviation such as "NASA" is a name as it stands. */
function isWholeInOneWord(word: string): boolean {
  if (/\d/.test(word)) return true;
  if (/^(?:yes|no|true|false|none|neither|both|unknown)$/i.test(word)) return true;
  return /^(?:\p{Lu}\.?){2,}$/u.test(word);
}

/** "…, Kafka or Kundera?" names its answers itself. */
function isOffered(word: string, question: string): boolean {
  const choices = question.match(/[\p{L}'’-]+,? or [\p{L}'’-]+/giu) ?? [];
  return choices.some((choice) =>
    wordsOf(choice).some((offered) => offered.toLowerCase() === word.toLowerCase()),
  );
}

/** "What … and who …", "which two …", "give both names". */
function asksForTwo(question: string): boolean {
  if (/\b(?:which|what|name|give) (?:the )?(?:two|three|both)\b/i.test(question)) return true;
  return /\b(?:who|what|where|when|which)\b.+[,;]? and (?:who|what|where|when|which|how)\b/i.test(question);
}

/** The asked person or work mostly has a name of several words. */
function asksForName(question: string): boolean {
  if (/^(?:\W*)(?:who|whose|whom)\b/i.test(question)) return true;
  if (/\b(?:full name|name of the (?:person|man|woman|film|movie|book|novel|song|album))\b/i.test(question))
    return true;
  return /\b(?:which|what) (?:(?!the |a |an )\p{L}+ )?(?:person|man|woman|actor|actress|author|writer|poet|singer|director|painter|composer|scientist|politician|president)\b/iu.test(
    question,
  );
}

/** A relative clause, or a chain over people or things that the question does not name. */
function hasSeveralParts(question: string): boolean {
  if (countMatches(question, /(?<=[\p{L}\p{N}"”)] |, )(?:who|whom|whose|that|which)\b/gu) > 0) return true;
  return (
    countMatches(question, /\p{L}+ of (?:the|a|an) /giu) +
      countMatches(question, /\p{L}+['’]s(?= \p{L})/gu) >=
    2
  );
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
