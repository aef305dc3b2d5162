import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const HINT =
  "Treat other spellings of a name as the same name, and use the form of the question in searches and in the answer.";

/** In the text just read: it is written in another language, or quotes one at length. */
const FOREIGN_TEXT = 50;
/** In all that was read, before an answer: some name has a spelling of its own. */
const FOREIGN_NAME = 5;
/** Characters of one text, and of all texts, that are looked at. */
const LOOKED_AT = 40_000;

export default class LanguageBarrier extends ProgramFunction {
  /** A search that returns the text itself is how such an environment reads; one that returns a list reads nothing. */
  override after = ["READ", "SEARCH"];

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (actionType === "FINAL") return ctx.memory.heldBack !== true && hasForeignSources(ctx.allReadContents);
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

/** Characters outside ASCII, of whatever kind. */
function countForeign(text: string): number {
  return text.slice(0, LOOKED_AT).match(/[^\x00-\x7F]/gu)?.length ?? 0;
}
