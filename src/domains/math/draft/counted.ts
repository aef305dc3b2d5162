import { HOW_MANY, type Asking } from "./asking.ts";
import { unitName } from "./units.ts";

const THINGS = new RegExp(String.raw`${HOW_MANY} ((?:[\w'’&-]+ ){1,8})`, "i");
/** Words that end the name of the counted things. */
const END =
  /^(?:[b-z]|greater|less|larger|smaller|these|those|following|do|does|did|is|are|was|were|will|would|can|could|should|must|has|have|had|may|might|shall|there|in|on|at|for|to|if|than|left|remain|remains|that|who|which|with|from|between|such|so|when|he|she|they|it|we|you|i|the|a|an|satisfy|satisfies|likes?|needs?|lives?|gets?|got|takes?|took|uses?|used|makes?|made|plays?|played|buys?|bought|went|drove|came|come|attend|attended|said|say|not|passed|work|works)$/i;
/** Things that come in parts, or a word for how often. */
const NOT_WHOLE =
  /\b(?:times|dozens?|percent|percentage|points?|parts?|units?|halves|thirds|quarters|acres?|calories|servings?|portions?|loaves|scoops|\w*fuls|slices|batches|recipes|fields|lengths|miles|kilometers|hectares|blocks|laps|rotations|revolutions|turns|innings|degrees|deviations|weeks|\w+-hours|\w*seconds|\w*bytes|\w*bits|\w*watts|\w*volts|\w*joules|\w*calories|amps|carats|bushels|stone|calls per|hundreds|thousands|millions?|pizzas?|pies?|cakes?|sandwich(?:es)?|bars?|pages?|shares?|fraction)\b/i;
/** Of a mean the parts of a thing are an answer; of a share, too, but for people. */
const NOT_ONE = /\b(?:average|mean|expected|per|rate|ratio|proportion|average number)\b/i;
/** In front of the asking words. */
const ON_AVERAGE = /\b(?:on|in) (?:the )?(?:average|mean),? $/i;
const SHARED = /\beach\b/i;
const PEOPLE =
  /\b(?:people|persons?|students?|children|kids|boys|girls|men|women|players?|teachers?|friends|guests?|adults|workers?|employees|passengers?|members?|customers?|visitors?)\b/i;
const IN_FRONT =
  /^(?:more|total|additional|fewer|extra|full|whole|distinct|different|possible|other|of|such) /i;

/** The things whose number is asked for, where they come whole: "eggs" of "how many eggs are left". */
export function readCounted({ clause, sentence }: Asking): string | undefined {
  const words = THINGS.exec(clause)?.[1]?.trim().split(" ") ?? [];
  const end = words.findIndex((word) => END.test(word));
  const things = named(words.slice(0, end < 0 ? words.length : end).join(" ")).replace(/(?:^| )of$/, "");
  if (things === "" || NOT_WHOLE.test(things) || NOT_ONE.test(clause)) return undefined;
  if (ON_AVERAGE.test(sentence.slice(0, sentence.length - clause.length))) return undefined;
  if (things.split(" ").some((word) => unitName(word) !== undefined)) return undefined;
  return SHARED.test(clause) && !PEOPLE.test(things) ? undefined : things;
}

function named(things: string): string {
  const shorter = things.replace(IN_FRONT, "");
  return shorter === things ? things : named(shorter);
}
