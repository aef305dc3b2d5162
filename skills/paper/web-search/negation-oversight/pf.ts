import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const WARNING =
  "Give an answer that the negation in the question does not exclude; if this one fits, give it again.";

/** Characters of a question or a thought that are looked at. */
const LOOKED_AT = 2_000;

/** "not" and "never" in their forms, and the ways to say "except". */
const NEGATION = /\b(?:not|cannot|never|except(?:ing|ions?)?|excluding|other than|apart from)\b|n['’]t\b/gi;
/** Without one of these no question has a negation, and most have none. */
const MAYBE = /not|never|except|excluding|other|apart|n['’]t/i;
/** Turns of phrase that hold the word and negate nothing. */
const IDIOMS = /\bnot only\b|\b(?:whether )?or not\b|\bnot to be confused with\b/gi;
/** Words with which a reasoning shows that it took the negation in. */
const HEEDED =
  /\b(?:not|no|none|neither|nor|cannot|never|without|except\w*|exclud\w*|other than|apart from|rules? out|ruled out|instead of|unlike)\b|n['’]t\b/i;

/** A search that found nothing is reported with a "not" that has nothing to do with the question. */
const REPORTS =
  /\b(?:no|not enough|insufficient) (?:\p{L}+ )?(?:information|results?|answer|mention|data|luck)\b|(?:\b(?:not|cannot|never)|n['’]t) (?:(?:yet|been|able to|directly|explicitly|specifically|immediately) ){0,2}(?:find|found|provided?|mention(?:ed)?|specif(?:y|ied)|contain|give[ns]?|say|stated?|know|known|sure|clear|available|help|helpful|answer|include|list|show|exist|useful|relevant|certain|have)\b/giu;

export default class NegationOversight extends ProgramFunction {
  /** The text is the same every time: said again, it would hold back each answer of an episode that has read it. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (!hasNegation(ctx.question.slice(0, LOOKED_AT))) return false;
    const thought = ctx.thought.slice(0, LOOKED_AT);
    // A thought of an earlier step counts: the last one often says no more than "so the answer is".
    if (HEEDED.test(thought.replace(REPORTS, " "))) ctx.memory.heeded = true;
    if (actionType !== "FINAL") return false;
    // Without a thought there is no reasoning to judge.
    if (thought.trim() === "") return false;
    return ctx.memory.heeded !== true;
  }

  intervene(): Intervention {
    return injectContext(WARNING, "no thought so far mentions the question's negation");
  }
}

/** Titles do not negate: what stands in quotation marks, and a capital inside the sentence ("God Is Not Great"). */
function hasNegation(question: string): boolean {
  if (!MAYBE.test(question)) return false;
  const plain = question.replace(/["“][^"“”]*["”]/g, " ").replace(IDIOMS, " ");
  return [...plain.matchAll(NEGATION)].some(
    (found) => isInSentence(found[0], found.index ?? 0) && !isInName(found[0], plain, found.index ?? 0),
  );
}

/** In lower case, in capitals for emphasis, or the first word of the question. */
function isInSentence(word: string, at: number): boolean {
  return at < 3 || word === word.toUpperCase() || !/^\p{Lu}/u.test(word);
}

/** "Love Me If You Don't Mind": a contraction with a capital inside a sentence is part of a name. */
function isInName(word: string, question: string, at: number): boolean {
  if (!/^n['’]t$/i.test(word)) return false;
  const verb = /\p{L}+$/u.exec(question.slice(Math.max(0, at - 20), at))?.[0] ?? "";
  return at - verb.length > 2 && /^\p{Lu}/u.test(verb);
}
