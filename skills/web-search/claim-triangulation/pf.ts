import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const WARNING =
  "Search for a second text with the name in the question that the one text you have read leaves out.";

/** Characters of the source and of the answer that are looked at. */
const LOOKED_AT = 20_000;
/** Searches that brought one text together: fewer often end at the one page that is enough. */
const SEVERAL_SEARCHES = 3;

export default class ClaimTriangulation extends ProgramFunction {
  /** The text is the same every time: said again, it would hold back each answer of an episode that has read it. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.searchCount < SEVERAL_SEARCHES) return false;
    // The same page read twice is still one source.
    const [source, ...others] = new Set(ctx.allReadContents);
    if (source === undefined || others.length > 0) return false;
    const asked = wordsOf(ctx.question);
    const read = wordsOf(source.slice(0, LOOKED_AT));
    if (!specificFacts(arg.slice(0, LOOKED_AT)).some((fact) => read.has(fact) && !asked.has(fact)))
      return false;
    return namesIn(ctx.question.slice(0, LOOKED_AT)).some((name) => !read.has(name));
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

/** Capitalised words of a question behind its first word, in lower case. */
function namesIn(question: string): string[] {
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(1)
    .filter((word) => /^\p{Lu}\p{L}{2,}$/u.test(word))
    .map((word) => word.toLowerCase());
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
