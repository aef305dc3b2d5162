import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const HINT =
  "[Decomposition hint] This question chains several facts, and no single page will hold them all. " +
  "Name the person or thing in the middle that you do not know yet, search for that alone, " +
  "and only then search for the fact that is asked about it.";

export default class DecomposeComplexQuestion extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (actionType !== "SEARCH") return false;
    if (countPossessives(ctx.question) >= 2) return true;
    if (countOfTheLinks(ctx.question) >= 2) return true;
    return countRelativePronouns(ctx.question) >= 2;
  }

  intervene(): Intervention {
    return injectContext(HINT, "the question chains several facts");
  }
}

/** "Curie's daughter"; not "who's", which is short for "who is", nor a name that ends so: "Valentino's?". */
function countPossessives(question: string): number {
  if (!/['’]s/.test(question)) return 0;
  const owners = question.match(/\p{L}+['’]s(?=\s+[\p{L}\d])/gu) ?? [];
  return owners.filter(
    (word) => !/^(?:who|what|where|when|how|that|there|here|it|he|she|let)['’]s$/i.test(word),
  ).length;
}

/** "the author of the novel"; not "which of the two", which picks from a group and leads nowhere. */
function countOfTheLinks(question: string): number {
  if (!/ of the/i.test(question)) return 0;
  const links = question.match(/\p{L}+ of the\b/giu) ?? [];
  return links.filter(
    (link) => !/^(?:which|one|two|some|any|all|both|each|none|most|many|either|neither) /i.test(link),
  ).length;
}

/** "who", "whom", "whose", "which" and "that", the first word of the question included: "Who … who" is a chain. */
function countRelativePronouns(question: string): number {
  // Most questions have none or one, and to take one apart is slow.
  if ((question.match(/who|which|that/gi)?.length ?? 0) < 2) return 0;
  const words = question.match(/[\p{L}\p{N}'’]+/gu) ?? [];
  return words.filter((word, at) => isRelative(word, words[at - 1], words[at + 1])).length;
}

function isRelative(word: string, before: string | undefined, after: string | undefined): boolean {
  // A capital inside a sentence is a name: the band The Who.
  if (before !== undefined && /^\p{Lu}/u.test(word)) return false;
  // "which of X and Y" and "in which year" ask, and relate nothing.
  if (/^which$/i.test(word)) return after !== "of" && !/^(?:in|at|on)$/i.test(before ?? "");
  return /^(?:who|whom|whose|that)$/i.test(word);
}
