import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const HINT =
  "Take the name or number from the one sentence of this text that speaks of what the question asks.";

const MANY_NUMBERS = 10;
const MANY_NAMES = 15;
/** Characters of a text that are looked at. */
const LOOKED_AT = 6_000;
/** Capitalised words in a row, of a Latin, Greek or Cyrillic script. */
const CAPITALISED =
  /(?=[A-ZÀ-ÞĀ-ŽΑ-ΩА-Я])(?<![^\s("“'‘[-])[A-ZÀ-ÞĀ-ŽΑ-ΩА-Я][^\s.,;:!?()[\]"“”]+(?: [A-ZÀ-ÞĀ-ŽΑ-ΩА-Я][^\s.,;:!?()[\]"“”]+)*/g;

export default class ReadingComprehensionError extends ProgramFunction {
  /** A search that returns the text itself is how such an environment reads; one that returns a list reads nothing. */
  override after = ["READ", "SEARCH"];

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    const text = justRead(ctx, actionType).slice(0, LOOKED_AT);
    return countNumbers(text) >= MANY_NUMBERS || countNames(text) >= MANY_NAMES;
  }

  intervene(): Intervention {
    return injectContext(HINT, "the text just read holds many names or numbers");
  }
}

/** The text that this action brought to read; empty where it brought a list, or nothing. */
function justRead(ctx: StepContext, actionType: ActionType): string {
  const text = ctx.allReadContents.at(-1) ?? "";
  if (actionType === "READ") return text;
  return actionType === "SEARCH" && text === ctx.lastSearchResultsText ? text : "";
}

/** Different numbers; "1,250" and "3.5" are one each. */
function countNumbers(text: string): number {
  const numbers = text.match(/\d+(?:[.,]\d+)*/g) ?? [];
  return numbers.length < MANY_NUMBERS ? numbers.length : new Set(numbers).size;
}

/** Different names: a run of capitalised words, or one such word that begins no sentence. */
function countNames(text: string): number {
  const names = new Set<string>();
  for (const found of text.matchAll(CAPITALISED)) {
    const before = text.slice(Math.max(0, (found.index ?? 0) - 2), found.index ?? 0);
    const beginsSentence = before === "" || /[.!?\n]\s*$/.test(before);
    if (found[0].includes(" ") || !beginsSentence) names.add(found[0]);
  }
  return names.size;
}
