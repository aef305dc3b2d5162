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

const NUMBER_WORD =
  /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|once|twice|half|dozen|first|second|third)$/;

export default class UnspecificAnswer extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    const answer = arg.slice(0, LOOKED_AT).trim();
    return isGeneral(answer) && !namesTheKind(answer, ctx.question.slice(0, LOOKED_AT));
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

/** Without a capital letter and a number, and neither yes nor no. A script that has no capital letters cannot be told by them. */
function isGeneral(answer: string): boolean {
  if (!/\p{Ll}/u.test(answer) || /[\p{Lu}\p{Lo}\p{N}]/u.test(answer)) return false;
  return !/^\W*(?:yes|no)\b/i.test(answer) && !plain(answer).some((word) => NUMBER_WORD.test(word));
}

/** "romance genre" to "what genre": the name of the very kind that is asked for. */
function namesTheKind(answer: string, question: string): boolean {
  const words = plain(answer);
  return words.length > 1 && plain(question).includes(words.at(-1) ?? "");
}

/** The draft in one line, short enough to be read. */
const quoted = (answer: string): string => `"${answer.slice(0, LONGEST_QUOTE).replace(/\s+/g, " ").trim()}"`;

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
