import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const HINT =
  "Treat other spellings of a name as the same name, and use the form of the question in searches and in the answer.";

/** In the text just read: it is written in another language, or quotes one at length. */
const FOREIGN_TEXT = 50;
/** In all that was read, before an answer: some name has a spelling of its own. */
const FOREIGN_NAME = 5;
/** Characters of one text, and of all texts, that are looked at. */
const LOOKED_AT = 40_000;
/** Characters of an answer that are looked at. */
const ANSWER_LOOKED_AT = 400;

export default class LanguageBarrier extends ProgramFunction {
  /** A search that returns the text itself is how such an environment reads; one that returns a list reads nothing. */
  override after = ["READ", "SEARCH"];

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType === "FINAL") {
      if (ctx.memory.heldBack === true || !hasForeignSources(ctx.allReadContents)) return false;
      return isSpelledOtherwise(arg, ctx.allReadContents);
    }
    return countForeign(justRead(ctx, actionType)) >= FOREIGN_TEXT;
  }

  intervene(ctx: StepContext, actionType: ActionType): Intervention {
    // The text is the same every time: said again, it would hold back each answer of the episode.
    if (actionType === "FINAL") ctx.memory.heldBack = true;
    return injectContext(HINT, "what was read holds letters of another language");
  }
}

/** The text that this action brought to read; empty where it brought a list, or nothing. */
function justRead(ctx: StepContext, actionType: ActionType): string {
  const text = ctx.allReadContents.at(-1) ?? "";
  if (actionType === "READ") return text;
  return actionType === "SEARCH" && text === ctx.lastSearchResultsText ? text : "";
}

function hasForeignSources(texts: readonly string[]): boolean {
  let count = 0;
  return texts.some((text) => {
    count += countForeign(text);
    return count >= FOREIGN_NAME;
  });
}

/** A word of the answer has letters outside ASCII, or a text writes the same word with some. */
function isSpelledOtherwise(answer: string, texts: readonly string[]): boolean {
  const words = answer.slice(0, ANSWER_LOOKED_AT).match(/\p{L}{3,}/gu) ?? [];
  if (words.some((word) => countForeign(word) > 0)) return true;
  const foreign = new Set(texts.flatMap(foreignWords).map(folded));
  return words.some((word) => foreign.has(folded(word)));
}

/** Words with a letter outside ASCII. */
function foreignWords(text: string): string[] {
  return text.slice(0, LOOKED_AT).match(/\p{L}*[^\x00-\x7F\P{L}]\p{L}*/gu) ?? [];
}

/** In lower case and without accents. */
const folded = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .toLowerCase();

/** Characters outside ASCII, of whatever kind. */
function countForeign(text: string): number {
  return text.slice(0, LOOKED_AT).match(/[^\x00-\x7F]/gu)?.length ?? 0;
}
