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
const LOOKED_AT = 2_000;
/** Characters of the draft that the policy reads again. */
const LONGEST_QUOTE = 80;
/** Words of the draft that a query takes along. */
const MOST_WORDS = 3;
/** A shorter thought comes to nothing that could be compared. */
const SHORTEST_THOUGHT = 20;
const NUMBERS: ReadonlyMap<string, string> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, number) => [word, String(number)]),
);
/** Says that there is an answer, and not which; or that there is none, which is another skill's business. */
const TELLS_NOTHING = /\banswer|\bsolved\b|\bI (?:now )?(?:have|know) (?:enough|everything|it)\b/i;

export default class AnswerBesideThought extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    const thought = ctx.thought.slice(0, LOOKED_AT);
    if (thought.length <= SHORTEST_THOUGHT || TELLS_NOTHING.test(thought)) return false;
    const answer = plain(arg.slice(0, LOOKED_AT));
    if (answer.trim() === "" || /^ (?:yes|no) /.test(answer)) return false;
    return !plain(thought).includes(answer);
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const isLastStep = ctx.stepCount + 1 >= ctx.maxSteps;
    const words = tellingWords(arg.slice(0, LONGEST_QUOTE)).slice(0, MOST_WORDS);
    const query = isLastStep ? undefined : freshQuery(ctx, { with: words });
    const deed =
      query === undefined ? "Give with FINAL what your thought comes to" : `Run SEARCH[${query}] next`;
    return injectContext(
      `${deed}; ${quoted(arg)} is not in your thought.`,
      "the thought comes to something else than the answer",
    );
  }
}

/** The draft in one line, short enough to be read. */
const quoted = (answer: string): string => `"${answer.slice(0, LONGEST_QUOTE).replace(/\s+/g, " ").trim()}"`;

/** " in lower case, without accents and signs, numbers as figures ". */
function plain(text: string): string {
  const words = folded(text).match(/[a-z0-9\u00aa-\u1fff\u2c00-\u2fff\u3040-\uffff]+/g) ?? [];
  return ` ${words.map((word) => NUMBERS.get(word) ?? word).join(" ")} `;
}

function folded(text: string): string {
  const lower = text.toLowerCase();
  return /[\u0080-\uffff]/.test(lower) ? lower.normalize("NFKD").replace(/[\u0300-\u036f]+/g, "") : lower;
}
