import type { MadeCandidate } from "./candidate-mutations.ts";

/** Triggers that sound like knowledge and know nothing of whether an answer is right; the last ones are rare. */
const TRIGGERS: readonly (readonly [name: string, condition: string])[] = [
  ["long-question", "ctx.question.length > 110"],
  ["short-question", "ctx.question.length < 60"],
  ["answer-has-digit", "/\\d/.test(arg)"],
  ["two-digits-apart", "/\\d.*\\s.*\\d/.test(arg)"],
  ["non-ascii-letter", "/[^\\x00-\\x7f]/.test(arg)"],
  ["begins-with-the", "/^the /i.test(arg)"],
  ["late-step", "ctx.stepCount >= 5"],
  ["third-step", "ctx.stepCount === 2"],
  ["capital-m", "/\\bM/.test(arg)"],
  ["many-vowels", "(arg.match(/[aeiou]/gi) ?? []).length > 12"],
  ["double-letter", "/(ll|ss|tt)/.test(arg)"],
  ["odd-question", "ctx.question.length % 7 === 3"],
  ["question-names-film", "/\\bfilms?\\b/i.test(ctx.question)"],
  ["ends-with-s", "/s\\W*$/.test(arg)"],
  ["hyphen", "arg.includes('-')"],
  // One to three of a hundred answers.
  ["question-of-one-length", "ctx.question.length % 61 === 17"],
  ["answer-of-one-length", "arg.length === 23"],
  ["letter-z", "/z/.test(arg) && arg.length > 8"],
  ["answer-has-apostrophe", "/['’]/.test(arg)"],
  ["question-has-quotes-late", '/"/.test(ctx.question) && ctx.question.length % 5 === 2'],
];

const pfOf = (name: string, condition: string): string => `import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

export default class ${name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())} extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return actionType === "FINAL" && ctx.stepCount + 1 < ctx.maxSteps && arg !== "" && ${condition};
  }

  intervene(_ctx: StepContext, _actionType: ActionType, _arg: string): Intervention {
    return injectContext("Search once more for ${name.replaceAll("-", " ")}.", "${name.replaceAll("-", " ")}");
  }
}
`;

/** Candidates that hold answers back for no reason. */
export const nonsenseCandidates = (): readonly MadeCandidate[] =>
  TRIGGERS.map(([name, condition]) => ({
    origin: name,
    mutation: "nonsense",
    name: `nonsense-${name}`,
    pf: pfOf(name, condition),
  }));
