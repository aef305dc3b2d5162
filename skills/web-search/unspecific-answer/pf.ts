import {
  freshQuery,
  injectContext,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

/** Words of the answer that the query takes in. */
const ANSWER_WORDS = 4;
/** Characters of the draft that the policy reads again. */
const LONGEST_QUOTE = 80;

/** Words that leave open which of their kind is meant; a source nearly always has a narrower one. */
const WIDE: ReadonlySet<string> = new Set(
  (
    "person people man woman human someone artist musician performer entertainer writer author filmmaker filmmaking film cinema movie show series " +
    "programme program music song sport athlete player team group organization organisation company business industry politics politician " +
    "government official leader scientist science academic worker businessman businesswoman celebrity personality figure animal creature plant " +
    "tree food drink dish fruit vehicle car automobile machine device tool equipment object thing item material product building structure place " +
    "location area region city town country nation state book novel story text work art event war battle game award prize title role job " +
    "career profession occupation fiction television media school university degree literature"
  ).split(" "),
);
/** Words before the noun that make it no narrower. */
const NO_HELP: ReadonlySet<string> = new Set(
  "a an the his her its their some kind type sort of famous american british english former professional".split(
    " ",
  ),
);

export default class UnspecificAnswer extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    const answer = arg.slice(0, LOOKED_AT).trim();
    return isGeneral(answer);
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const words = tellingWords(arg.slice(0, LOOKED_AT)).slice(0, ANSWER_WORDS);
    const query = freshQuery(ctx, { with: words });
    const deed =
      query === undefined
        ? `Answer with the word of the texts above that is more exact than ${quoted(arg)}, with FINAL`
        : `Run SEARCH[${query}] next; ${quoted(arg)} is a general word`;
    return injectContext(`${deed}.`, "the answer is a general term with no name, number or date");
  }
}

/** Nothing but wide words, in the singular or the plural. */
function isGeneral(answer: string): boolean {
  const words = plain(answer).filter((word) => !NO_HELP.has(word));
  return words.length > 0 && words.every((word) => WIDE.has(word) || WIDE.has(word.replace(/s$/, "")));
}

/** The draft in one line, short enough to be read. */
const quoted = (answer: string): string => `"${answer.slice(0, LONGEST_QUOTE).replace(/\s+/g, " ").trim()}"`;

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
