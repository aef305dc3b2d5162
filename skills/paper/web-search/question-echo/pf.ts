import {
  freshQuery,
  modifyAction,
  noop,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type SearchVote,
  type StepContext,
} from "hasp";

/** Characters of one text that are looked at. */
const LOOKED_AT = 600;

/** Questions whose answer stands in them: a choice between the things they name, or yes and no. */
const OFFERS_ANSWERS =
  /\b(?:or|both|between|which of|more|older|younger|earlier|later|first|last|longer|larger|bigger|taller|higher|same|common)\b|^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b/i;

/** Words after "what" or "which" that can name the kind of thing asked for. */
const KIND_WORDS = 3;

export default class QuestionEcho extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    const said = plain(tellingWords(arg).join(" "));
    if (said.length === 0) return false;
    const asked = plain(ctx.question.slice(0, LOOKED_AT));
    if (!said.every((word) => asked.includes(word)) || OFFERS_ANSWERS.test(ctx.question)) return false;
    return !namesTheKind(said, asked);
  }

  intervene(ctx: StepContext): Intervention {
    const query = freshQuery(ctx);
    if (query === undefined) return noop("every query that the question offers has run");
    return modifyAction({
      type: "SEARCH",
      arg: query,
      reason: "every word of the answer stands in the question already",
    });
  }

  /** Half of the answer's words or more, but not all of them, stand in a question that offers no answers. */
  override vote(ctx: StepContext, answer: string): SearchVote | undefined {
    const said = plain(tellingWords(answer).join(" "));
    if (said.length === 0 || OFFERS_ANSWERS.test(ctx.question)) return undefined;
    const asked = plain(ctx.question.slice(0, LOOKED_AT));
    if (said.filter((word) => asked.includes(word)).length * 2 < said.length) return undefined;
    const query = freshQuery(ctx);
    return { reason: "half of the answer stands in the question", ...(query !== undefined && { query }) };
  }
}

/** "Hawaii County" to "in what Hawaii county": a full name of the kind asked for, some of whose words the question needs. */
function namesTheKind(said: readonly string[], asked: readonly string[]): boolean {
  const last = said.at(-1) ?? "";
  return (
    said.length > 1 &&
    asked.some(
      (word, at) =>
        (word === "what" || word === "which") && asked.slice(at + 1, at + 1 + KIND_WORDS).includes(last),
    )
  );
}

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
