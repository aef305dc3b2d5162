import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const WARNING = "Search for a second text that states what the answer takes from the one text you have read.";

/** Characters of the source and of the answer that are looked at. */
const LOOKED_AT = 20_000;

export default class ClaimTriangulation extends ProgramFunction {
  /** The text is the same every time: said again, it would hold back each answer of an episode that has read it. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    // The same page read twice is still one source.
    const [source, ...others] = new Set(ctx.allReadContents);
    if (source === undefined || others.length > 0) return false;
    const asked = wordsOf(ctx.question);
    const read = wordsOf(source.slice(0, LOOKED_AT));
    return specificFacts(arg.slice(0, LOOKED_AT)).some((fact) => read.has(fact) && !asked.has(fact));
  }

  intervene(): Intervention {
    return injectContext(WARNING, "the answer's fact was read in one text only");
  }
}

/** Numbers and capitalised words of an answer, in lower case; "Yes" and "No" state nothing of their own. */
function specificFacts(answer: string): string[] {
  if (/^\W*(?:yes|no)\b/i.test(answer)) return [];
  const words = answer.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => /\d|^\p{Lu}\p{L}{2,}$/u.test(word)).map((word) => word.toLowerCase());
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
