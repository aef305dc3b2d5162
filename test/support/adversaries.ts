/** Program Functions that know nothing of what went wrong, each with what it looks at in its place. */
interface Adversary {
  readonly name: string;
  /** An expression of `ctx`, `actionType` and `arg`. */
  readonly when: string;
  /** An expression of the same; without it the answer is held back. */
  readonly what?: string;
}

const IS_FINAL = `actionType === "FINAL"`;
const instead = (query: string): string =>
  `modifyAction({ type: "SEARCH", arg: ${query}, reason: "adversary" })`;
/** A list of things, which is wrong more often than other answers. */
const IS_LIST = `${IS_FINAL} && arg.split(/,|\\band\\b/).length > 2`;

export const ADVERSARIES: readonly Adversary[] = [
  { name: "every answer", when: IS_FINAL },
  { name: "an answer with a digit", when: `${IS_FINAL} && /\\d/.test(arg)` },
  { name: "an answer without a digit", when: `${IS_FINAL} && !/\\d/.test(arg)` },
  { name: "a question of over 100 characters", when: `${IS_FINAL} && ctx.question.length > 100` },
  { name: "a question of under 80 characters", when: `${IS_FINAL} && ctx.question.length < 80` },
  { name: "after three steps", when: `${IS_FINAL} && ctx.stepCount >= 3` },
  { name: "within two steps", when: `${IS_FINAL} && ctx.stepCount <= 2` },
  { name: "near the last step", when: `${IS_FINAL} && ctx.stepCount + 2 >= ctx.maxSteps` },
  { name: "a letter that is not ASCII in the answer", when: `${IS_FINAL} && /[^\\x00-\\x7f]/.test(arg)` },
  { name: "a question that begins with The", when: `${IS_FINAL} && /^the\\b/i.test(ctx.question)` },
  { name: "an answer that ends with a vowel", when: `${IS_FINAL} && /[aeiou]\\W*$/i.test(arg)` },
  { name: "a question of an even length", when: `${IS_FINAL} && ctx.question.length % 2 === 0` },
  { name: "a list, replaced by any search", when: IS_LIST, what: instead(`"banana"`) },
  { name: "every answer, replaced by any search", when: IS_FINAL, what: instead(`"banana"`) },
  {
    name: "every search, word by word from its end",
    when: `actionType === "SEARCH" && arg.split(" ").length > 2`,
    what: instead(`arg.split(" ").reverse().join(" ")`),
  },
  {
    name: "every search, letter by letter from its end",
    when: `actionType === "SEARCH"`,
    what: instead(`[...arg].reverse().join("")`),
  },
  {
    name: "every search, cut to its first word",
    when: `actionType === "SEARCH" && arg.includes(" ")`,
    what: instead(`arg.split(" ")[0]`),
  },
];

export const codeOf = ({ when, what = `injectContext("Look again.", "adversary")` }: Adversary): string =>
  `import { ProgramFunction, injectContext, modifyAction } from "hasp";
export default class Adversary extends ProgramFunction {
  shouldActivate(ctx, actionType, arg) { return ${when}; }
  intervene(ctx, actionType, arg) { return ${what}; }
}`;
