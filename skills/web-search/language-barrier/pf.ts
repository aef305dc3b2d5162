import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const HINT =
  "[Other spellings] A text that was read holds letters or names of another language. The same person or place may be spelled " +
  "differently elsewhere: compare by facts, search also for the usual English form, and give the answer in the form that the question uses.";

/** In one text: it is written in another language, or quotes one at length. */
const FOREIGN_TEXT = 50;
/** In all that was read, when it is about to answer: some name has a spelling of its own. */
const FOREIGN_NAME = 5;
/** Characters that are looked at. */
const LOOKED_AT = 6_000;

export default class LanguageBarrier extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (actionType !== "SEARCH" && actionType !== "READ" && actionType !== "FINAL") return false;
    if (countForeign(ctx.allReadContents.at(-1) ?? "") >= FOREIGN_TEXT) return true;
    return actionType === "FINAL" && countForeign(ctx.allReadContents.join("\n")) >= FOREIGN_NAME;
  }

  intervene(): Intervention {
    return injectContext(HINT, "what was read holds letters of another language");
  }
}

/** Characters outside ASCII, less punctuation and signs: dashes and curly quotation marks are typography, not language. */
function countForeign(text: string): number {
  const looked = text.slice(0, LOOKED_AT);
  if (!/[\u0080-\uffff]/.test(looked)) return 0;
  // How a name is pronounced stands in letters that no language is written in.
  const plain = looked.replace(/pronunciation: \[[^\]\n]{1,120}\]/g, " ");
  const foreign = plain.match(/[^\x00-\x7F]/g) ?? [];
  return foreign.filter(
    (character) => !/[\u0080-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f\uff00-\uff0f]/.test(character),
  ).length;
}
