import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const WARNING =
  "Answer with the full name as the texts write it; if this one word is the whole answer, give it again.";

/** Characters of a question that are looked at. */
const LOOKED_AT = 2_000;

const NUMBER_WORD =
  /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|once|twice|first|second|third)$/i;

/** After one of these a pronoun asks, or counts on in a list: "in which year", "directed by who", "born where". */
const NO_ANTECEDENT =
  /(?:^|\s)(?:in|on|at|by|for|from|of|to|with|about|after|before|during|under|and|or|is|are|was|were|than|as|born|located|said|stated),?\s$/i;

export default class AnswerCompleteness extends ProgramFunction {
  /** The text is the same every time: said again, it would hold back each answer of an episode that has read it. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    const [token, ...others] = tokensOf(arg);
    if (token === undefined || others.length > 0) return false;
    if (isYesOrNo(token) || isNumber(token)) return false;
    return hasSeveralParts(ctx.question.slice(0, LOOKED_AT));
  }

  intervene(): Intervention {
    return injectContext(WARNING, "a one-word answer to a question of several parts");
  }
}

/** The parts between blanks that hold a letter or a digit. */
function tokensOf(text: string): string[] {
  return (text.match(/\S+/g) ?? []).filter((token) => /[\p{L}\p{N}]/u.test(token));
}

function isYesOrNo(token: string): boolean {
  return /^\W*(?:yes|no)\W*$/i.test(token);
}

/** In figures ("1,250", "1990s", "$3.5", "19th") or in a word ("four"). */
function isNumber(token: string): boolean {
  const bare = token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return /^\d[\d.,:/–-]*(?:st|nd|rd|th|s|m|k|bn)?$/i.test(bare) || NUMBER_WORD.test(bare);
}

/** A relative clause, two links through things that the question does not name, or two questions in one. */
function hasSeveralParts(question: string): boolean {
  return hasRelativeClause(question) || countLinks(question) >= 2 || asksForTwo(question);
}

function hasRelativeClause(question: string): boolean {
  return [...question.matchAll(/\b(?:who|whom|whose|that|which|where(?= \p{L}))\b/gu)].some(({ index }) => {
    const before = question.slice(Math.max(0, index - 20), index);
    return /[\p{L}\p{N}"”)],?\s$/u.test(before) && !NO_ANTECEDENT.test(before);
  });
}

/** "the author of the novel", "Curie's daughter"; not "which of the two", which picks from a group. */
function countLinks(question: string): number {
  const chains = (question.match(/\p{L}+ of (?:the|a|an) /giu) ?? []).filter(
    (chain) => !/^(?:which|one|two|some|any|all|both|each|none|most|many|either|neither) /i.test(chain),
  );
  const owners = (question.match(/\p{L}+['’]s(?=\s+[\p{L}\d])/gu) ?? []).filter(
    (word) => !/^(?:who|what|where|when|how|that|there|here|it|he|she|let)['’]s$/i.test(word),
  );
  return chains.length + owners.length;
}

/** "What … and who …", "which two …", "give both names". */
function asksForTwo(question: string): boolean {
  if (/\b(?:which|what|name|give) (?:the )?(?:two|three|both)\b/i.test(question)) return true;
  return /\b(?:who|what|where|when|which)\b.+[,;]? and (?:in )?(?:who|what|where|when|which|how)\b/i.test(
    question,
  );
}
