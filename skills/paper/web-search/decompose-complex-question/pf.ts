import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const HINT =
  "Search first for the person or thing in the middle of this question that it does not name, and search for that alone.";

/**
 * After one of these no pronoun is relative: prepositions ("in which year", "directed by who"), and words that begin
 * another question or pick from a group ("and who", "is that of").
 */
const NO_ANTECEDENT: ReadonlySet<string> = new Set(
  (
    "in on at by for from of to with about after before during under over into through between among against without within near " +
    "than as since until upon via per like and or but nor is are was were be been being do does did has have had not know knows"
  ).split(" "),
);
/** After these "that" begins what somebody says or thinks. */
const SAYS_THAT =
  /^(?:said|says?|stat(?:ed|ing)|claim(?:s|ed)?|believ(?:es?|ed)|thought|thinks?|argu(?:es?|ed)|report(?:s|ed)?|announc(?:es?|ed)|found|show(?:s|ed|n)?|so|such|given)$/;

/** After these "where" asks for a place: "was born where"; behind the name of a place it stands for a pronoun. */
const TAKES_PLACE = /(?:ed|born|held|found|made|built|took|place)$/;

export default class DecomposeComplexQuestion extends ProgramFunction {
  /** The question is the same at every search of the episode, and so is the hint: a second one tells nothing new. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (actionType !== "SEARCH") return false;
    if (countPossessives(ctx.question) >= 2) return true;
    if (countOfTheLinks(ctx.question) >= 2) return true;
    return hasRelativeChain(ctx.question);
  }

  intervene(): Intervention {
    return injectContext(HINT, "the question chains several facts");
  }
}

/** "Curie's daughter"; not "who's", which is short for "who is", nor a name that ends so: "Corvino's?". */
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

/** A relative clause inside the question, beside the clause that asks: "the architect who …" needs a search of its own. */
function hasRelativeChain(question: string): boolean {
  if (!/\b(?:who|whom|whose|which|that|where)\b/.test(question)) return false;
  const words = question.match(/[\p{L}\p{N}'’]+|,/gu) ?? [];
  return words.some((word, at) => isEmbedded(word, words, at) && asksOutside(words, at));
}

/** A capital inside a sentence is a name: the band The Who. */
function isEmbedded(word: string, words: readonly string[], at: number): boolean {
  if (!/^(?:who|whom|whose|which|that|where)$/.test(word)) return false;
  const before = (words[at - 1] === "," ? words[at - 2] : words[at - 1])?.toLowerCase();
  if (before === undefined || NO_ANTECEDENT.has(before)) return false;
  if (word === "where") return words[at + 1] !== undefined && !TAKES_PLACE.test(before);
  return word !== "that" || !SAYS_THAT.test(before);
}

/** Something else in the question asks, or it asks for yes or no, or tells the reader to name a thing. */
function asksOutside(words: readonly string[], at: number): boolean {
  const [first = ""] = words;
  if (/^(?:is|are|was|were|do|does|did|has|have|had|can|could|name|give|identify|find|tell)$/i.test(first))
    return true;
  return words.some(
    (word, place) => place !== at && /^(?:who|whom|whose|what|which|where|when|how|why)$/i.test(word),
  );
}
