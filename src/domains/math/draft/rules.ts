import { MOST_LISTED } from "./limits.ts";
import { sentencesOf } from "./sentences.ts";

/** Characters of a sentence. */
const LONGEST = 300;

const NAMED_FACT =
  /\b(?:[Bb]y|[Uu]sing|[Uu]se|[Aa]pply(?:ing)?|[Ff]rom|[Rr]ecall)\s(?:the\s)?(?:[A-Z][a-zé]{2,}|AM[-–]GM|QM[-–]AM|[Ss]ymmetry|[Ii]nclusion|[Pp]igeonhole|[Pp]ythagor)/;
const RULE_WORD =
  /\b(?:theorem|lemma|formula|identity|inequality|principle|criterion|law of (?:sines|cosines|large numbers)|pigeonhole|stars and bars)\b/i;
const ASSUMES = /\b(?:we (?:may |can )?assume|assuming|without loss of generality|wlog)\b/i;
const FOR_ALL =
  /\b(?:for (?:all|every|each|any)|each|every)\b.{0,80}\b(?:gives?|yields?|corresponds?|determines?|has|have|makes?|must|is)\b.{0,30}\b(?:unique|distinct|different|exactly one|always|same)\b/i;

/** Sentences that name a fact on which the thought builds: a theorem, a formula, an assumption, a claim about each of several things. */
export function readRules(thought: string): string[] {
  const found = sentencesOf(thought)
    .map((one) => one.trim().slice(0, LONGEST))
    .filter(namesRule);
  return [...new Set(found)].slice(0, MOST_LISTED);
}

function namesRule(sentence: string): boolean {
  return [NAMED_FACT, RULE_WORD, ASSUMES, FOR_ALL].some((pattern) => pattern.test(sentence));
}
